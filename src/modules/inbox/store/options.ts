// SPDX-License-Identifier: Apache-2.0

/** Settings of the ledger; every one but the path has a default. */
export interface LedgerOptions {
  /** Path of the file; its folder is created with 0700 when it is missing. */
  readonly path: string;
  /** ms that one attempt waits while another process holds the write lock; the batch is then tried again (default 5,000). */
  readonly busyTimeoutMs?: number;
  /** ms after which a batch that never got the lock is given up and its steps reject (default 15,000). */
  readonly writeStallMs?: number;
  /** Bytes to which the write-ahead log is cut after a checkpoint (default 64 MiB). */
  readonly walMaxBytes?: number;
}

/** `LedgerOptions` with the defaults filled in. */
export type LedgerSettings = Required<LedgerOptions>;

/** Most steps of one commit. More would only make the first of them wait longer: the cost of the sync is shared well before. */
export const MAX_BATCH_STEPS = 1_024;

const MIB = 1_048_576;

/** @returns the options with every default filled in */
export function ledgerSettings(options: LedgerOptions): LedgerSettings {
  return { busyTimeoutMs: 5_000, writeStallMs: 15_000, walMaxBytes: 64 * MIB, ...options };
}
