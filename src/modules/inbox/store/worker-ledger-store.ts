// SPDX-License-Identifier: Apache-2.0
import { type Clock, SystemClock } from '../../../common/clock.js';
import type { AngeliaError } from '../../../common/errors.js';
import type { LedgerOptions } from './options.js';
import { QueuedLedgerStore } from './queued-ledger-store.js';
import { WorkerTransport } from './worker-transport.js';

/** How a `WorkerLedgerStore` is made. */
export interface WorkerLedgerStoreOptions extends LedgerOptions {
  /** Compiled code of the store's thread (default: `store.worker.js` beside this file). */
  readonly workerUrl?: URL;
  /** Stamps what the ledger writes (default: the machine's clock). */
  readonly clock?: Clock;
  /**
   * The store's thread died by itself. Every step rejects from then on, and whether the last ones were committed is unknown until the ledger
   * is opened again: the process should end.
   */
  readonly onLost?: (error: AngeliaError) => void;
}

/** The ledger in a worker thread: what the product runs on (INB-13, K1). */
export class WorkerLedgerStore extends QueuedLedgerStore {
  constructor({ workerUrl, clock, onLost, ...options }: WorkerLedgerStoreOptions) {
    const url = workerUrl ?? new URL('./store.worker.js', import.meta.url);
    super(new WorkerTransport(url, options, onLost ?? (() => undefined)), clock ?? new SystemClock());
  }
}
