// SPDX-License-Identifier: Apache-2.0
import type { ReceiptState } from './store/receipt-types.js';

/** What can happen to a stored receipt. */
export type ReceiptMove = 'claim' | 'complete' | 'fail' | 'release' | 'doubt' | 'quarantine' | 'discard' | 'requeue';

/**
 * The life of a receipt (INB-2, INB-4, INB-5, INB-12); drawn in docs/ledger.md. Every move starts in exactly one state, and the store commits a
 * move only out of that state: what comes late or twice changes nothing.
 *
 * - `pending`: waits for its turn. Entry: insert, `release`, or `requeue`. Exit: `claim`. Ignored: everything that belongs to a claim, since it has none.
 * - `processing`: handed or about to be handed to Hermes under one claim token. Entry: `claim`. Exit: `complete`, `fail`; `release` only
 *   while no `started` of the claim is in force or the shim says that it never took the turn: no model was asked then; `doubt`. Ignored: a second `claim`, `quarantine`.
 * - `in_doubt`: started, and the Hermes process that ran it is gone or no longer knows it. Entry: `doubt`. Exit: `quarantine`, once the
 *   session is suspended. Ignored: every end of the turn, because what it did can no longer be told.
 * - `quarantined`: blocks its lane. Entry: `quarantine`. Exit: `discard`, which never runs it, and `requeue`, for which the operator confirmed
 *   that what the turn did may happen twice. Only the operator decides; nothing that a turn or a timer does moves it.
 * - `completed`, `failed`: terminal. Entry: `complete`, `fail`, `discard`, or the insert itself for what starts no turn. Ignored: everything.
 */
export const RECEIPT_MOVES = {
  claim: { from: 'pending', to: 'processing' },
  complete: { from: 'processing', to: 'completed' },
  fail: { from: 'processing', to: 'failed' },
  release: { from: 'processing', to: 'pending' },
  doubt: { from: 'processing', to: 'in_doubt' },
  quarantine: { from: 'in_doubt', to: 'quarantined' },
  discard: { from: 'quarantined', to: 'failed' },
  requeue: { from: 'quarantined', to: 'pending' },
} as const satisfies Readonly<Record<ReceiptMove, { readonly from: ReceiptState; readonly to: ReceiptState }>>;

/** @returns the state after a move, or null when the move is not legal in this state */
export function nextState(state: ReceiptState, move: ReceiptMove): ReceiptState | null {
  const { from, to } = RECEIPT_MOVES[move];
  return from === state ? to : null;
}

/**
 * Whether a claimed receipt may go back to pending: only the missing `started` proves that it never reached the model (INB-12).
 * @param startedAt Unix ms of the committed start that is in force, null when there is none or it was withdrawn
 * @param disproved the shim said that it never took the turn, whatever was committed before the handover
 */
export function mayRelease(startedAt: number | null, disproved: boolean): boolean {
  return disproved || startedAt === null;
}
