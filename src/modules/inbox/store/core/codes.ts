// SPDX-License-Identifier: Apache-2.0
import type { OutboxKind, OutboxState, ReceiptState } from '../ledger-store.js';

/**
 * States and kinds as the file holds them: one byte or none instead of a word. The numbers are part of the schema (partial indexes name
 * them), so they never change their meaning. Open receipt states are those below 4.
 */
export const RECEIPT_STATE_CODES = {
  pending: 0,
  processing: 1,
  in_doubt: 2,
  quarantined: 3,
  completed: 4,
  failed: 5,
} as const satisfies Readonly<Record<ReceiptState, number>>;

export const OUTBOX_STATE_CODES = {
  queued: 0,
  sent: 1,
  confirmed: 2,
  uncertain: 3,
  refused: 4,
} as const satisfies Readonly<Record<OutboxState, number>>;

export const OUTBOX_KIND_CODES = { send: 0, edit: 1, delete: 2 } as const satisfies Readonly<
  Record<OutboxKind, number>
>;

export const CHANNEL_TYPE_CODES = { channel: 0, dm: 1 } as const;

/** SQL of the partial indexes; a query uses such an index only when it repeats these words. */
export const OPEN_RECEIPT = 'state < 4';
export const UNCONFIRMED_ROW = 'state <> 2';

/** Inverse of a table of codes. @throws RangeError for a number that no version of the schema wrote */
function decoder<T extends string>(codes: Readonly<Record<T, number>>): (code: number) => T {
  const names = new Map((Object.entries(codes) as [T, number][]).map(([name, code]) => [code, name]));
  return (code) => {
    const name = names.get(code);
    if (name === undefined) throw new RangeError(`unknown code ${code}`);
    return name;
  };
}

export const receiptStateOf = decoder(RECEIPT_STATE_CODES);
export const outboxStateOf = decoder(OUTBOX_STATE_CODES);
export const outboxKindOf = decoder(OUTBOX_KIND_CODES);
export const channelTypeOf = decoder(CHANNEL_TYPE_CODES);
