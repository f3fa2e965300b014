// SPDX-License-Identifier: Apache-2.0

/** Kinds of an outbox row. */
export type OutboxKind = 'send' | 'edit' | 'delete';

/**
 * States of an outbox row: queued → sent → confirmed | uncertain | refused; sent → queued only when the frame certainly never left, or
 * for an edit or a delete, which say the same when they are said again.
 * `uncertain` is final here and shown in health.
 */
export type OutboxState = 'queued' | 'sent' | 'confirmed' | 'uncertain' | 'refused';

/** What the sender needs to keep rows in order without holding their texts. */
export interface OutboxTicket {
  readonly id: number;
  readonly channelId: string;
  readonly ingestSeq: number;
}

/** A row that is about to be written, committed as `sent`. */
export interface OutboxDispatch {
  readonly id: number;
  readonly kind: OutboxKind;
  readonly channelId: string;
  readonly replyTo: string | null;
  readonly content: string;
  /** Edit and delete: the server's id of the message to change; null when its send was never confirmed. */
  readonly targetMessageId: string | null;
}
