// SPDX-License-Identifier: Apache-2.0
import type { LedgerStore } from './ledger-store.js';
import type { ReceiptQuery, ReceiptSummary } from './operator-types.js';

/** What one look for a page of receipts found. */
export interface ReceiptScan {
  readonly receipts: readonly ReceiptSummary[];
  /** Where to look on: only receipts with a smaller ingest number can still belong to the page. Null: there are none. */
  readonly next: number | null;
}

/** The methods of the store that are one step, and the steps into which the others are cut. */
interface StepMethods extends Omit<LedgerStore, 'open' | 'close' | 'listReceipts'> {
  /** Looks for receipts of a page among a bounded number of rows. */
  scanReceipts(query: ReceiptQuery): Promise<ReceiptScan>;
}

export type StepName = keyof StepMethods;

export type StepArguments<N extends StepName> = Parameters<StepMethods[N]>;

export type StepResult<N extends StepName> = Awaited<ReturnType<StepMethods[N]>>;

/** The steps as the core runs them: synchronous, inside a transaction that is not theirs. */
export type LedgerSteps = { readonly [N in StepName]: (...args: StepArguments<N>) => StepResult<N> };

/** Steps that only read: a batch of nothing else needs no lock, and works while the disk is full. */
const READS: ReadonlySet<StepName> = new Set<StepName>([
  'findClaimed',
  'lanesWithQuestions',
  'quarantinedOf',
  'scanReceipts',
  'showReceipt',
  'statistics',
  'unclassified',
  'watermark',
]);

/** Whether a step writes. */
export function writes(name: StepName): boolean {
  return !READS.has(name);
}
