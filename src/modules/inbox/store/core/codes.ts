// SPDX-License-Identifier: Apache-2.0
import type { DispatchClass } from '../../dispatch-class.js';
import type { OutboxKind, OutboxState } from '../outbox-types.js';
import type { ReceiptState } from '../receipt-types.js';

/**
 * States and kinds as the file holds them: one byte or none instead of a word. The numbers are part of the schema (partial indexes name
 * them), so they never change their meaning. Open receipt states are those below 4, open question states those below 2.
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

export const DISPATCH_CLASS_CODES = {
  ordinary: 0,
  control: 1,
  urgent_stop: 2,
  unclassified: 3,
} as const satisfies Readonly<Record<DispatchClass, number>>;

/** `resolving`: an answer is on its way to Hermes. `dead`: its turn or its Hermes process ended without one. */
export const QUESTION_STATE_CODES = { open: 0, resolving: 1, resolved: 2, dead: 3 } as const;

export const CHANNEL_TYPE_CODES = { channel: 0, dm: 1 } as const;

export const OPEN_RECEIPT = 'state < 4';

/** SQL of the partial indexes; a query uses such an index only when it repeats these words. */
export const UNCONFIRMED_ROW = 'state <> 2';
export const OPEN_QUESTION = 'state < 2';
export const ENDED_RECEIPT = 'ended_at IS NOT NULL';

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
export const dispatchClassOf = decoder(DISPATCH_CLASS_CODES);
export const channelTypeOf = decoder(CHANNEL_TYPE_CODES);
