// SPDX-License-Identifier: Apache-2.0
import { RECEIPT_MOVES, type ReceiptMove } from '../../receipt-state.js';
import { RECEIPT_STATE_CODES } from './codes.js';

/**
 * The two halves of a move in SQL: what is written, and the only state out of which it is written (INB-2). The plus keeps SQLite from looking for
 * the row by its state: it is known by its number or its claim.
 */
export function move(name: ReceiptMove): { readonly to: string; readonly from: string } {
  const { from, to } = RECEIPT_MOVES[name];
  return { to: `state = ${RECEIPT_STATE_CODES[to]}`, from: `+state = ${RECEIPT_STATE_CODES[from]}` };
}
