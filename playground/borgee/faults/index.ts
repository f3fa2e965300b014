// SPDX-License-Identifier: Apache-2.0
export * from './faults.js';
export * from './result-delivery.js';
export * from './types.js';
