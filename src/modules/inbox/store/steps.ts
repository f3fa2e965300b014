// SPDX-License-Identifier: Apache-2.0
import type { LedgerStore } from './ledger-store.js';

/** Name of a method of the store that is one step. */
export type StepName = Exclude<keyof LedgerStore, 'open' | 'close'>;

export type StepArguments<N extends StepName> = Parameters<LedgerStore[N]>;

export type StepResult<N extends StepName> = Awaited<ReturnType<LedgerStore[N]>>;

/** The steps as the core runs them: synchronous, inside a transaction that is not theirs. */
export type LedgerSteps = { readonly [N in StepName]: (...args: StepArguments<N>) => StepResult<N> };

/** Steps that only read: a batch of nothing else needs no lock, and works while the disk is full. */
const READS: ReadonlySet<StepName> = new Set<StepName>(['findClaimed', 'watermark', 'statistics']);

/** Whether a step writes. */
export function writes(name: StepName): boolean {
  return !READS.has(name);
}
