// SPDX-License-Identifier: Apache-2.0
export * from './entries.js';
export * from './recorder.js';
