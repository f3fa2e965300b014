// SPDX-License-Identifier: Apache-2.0
export * from './host-effect-types.js';
export * from './ledger-store.js';
export * from './opened-types.js';
export * from './operator-types.js';
export type { LedgerOptions } from './options.js';
export * from './outbox-types.js';
export * from './receipt-types.js';
export { WorkerLedgerStore, type WorkerLedgerStoreOptions } from './worker-ledger-store.js';
