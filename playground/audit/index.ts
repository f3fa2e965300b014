// SPDX-License-Identifier: Apache-2.0
export * from './audit.js';
export * from './canary.js';
export * from './facts.js';
export * from './invariants.js';
export * from './read-ledger.js';
export * from './read-records.js';
export * from './records.js';
