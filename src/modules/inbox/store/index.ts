// SPDX-License-Identifier: Apache-2.0
export * from './ledger-store.js';
export type { LedgerOptions } from './options.js';
export { WorkerLedgerStore, type WorkerLedgerStoreOptions } from './worker-ledger-store.js';
