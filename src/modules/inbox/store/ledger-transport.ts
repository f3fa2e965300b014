// SPDX-License-Identifier: Apache-2.0
import type { OpenedLedger } from './opened-types.js';
import type { WireBatch, WireOutcome } from './wire.js';

/** The way to the thread that holds the database. The store never lets two calls overlap. */
export interface LedgerTransport {
  /**
   * Opens the ledger.
   * @param now Unix ms
   * @throws AngeliaError as `LedgerStore.open` says; nothing is left open then
   */
  open(now: number): Promise<OpenedLedger>;

  /**
   * Runs one batch in one commit.
   * @returns one outcome for each step, after the commit
   * @throws AngeliaError when the other side is gone and what became of the batch is unknown
   */
  run(batch: WireBatch): Promise<readonly WireOutcome[]>;

  /** Closes the ledger and ends the other side. Never rejects. */
  close(): Promise<void>;
}
