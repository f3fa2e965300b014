// SPDX-License-Identifier: Apache-2.0
export * from './harbour.js';
export * from './types.js';
export * from './world.js';
