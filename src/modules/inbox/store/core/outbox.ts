// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import { ErrorCode } from '../../../../common/errors.js';
import type { OutboxDispatch, OutboxTicket } from '../outbox-types.js';
import { OUTBOX_KIND_CODES, OUTBOX_STATE_CODES, outboxKindOf, UNCONFIRMED_ROW } from './codes.js';

interface Taken {
  readonly id: number;
  readonly kind: number;
  readonly channelId: string;
  readonly handle: string | null;
  readonly part: number;
  readonly replyTo: string | null;
  readonly content: string;
}

const { queued, sent, confirmed, uncertain } = OUTBOX_STATE_CODES;

/** The life of outbox rows from their first write on, and the ids of own messages (BPP-5). */
export class Outbox {
  private readonly takeQueued: Database.Statement<[number, number], Taken>;
  private readonly target: Database.Statement<unknown[], string>;
  private readonly confirmSent: Database.Statement<unknown[], { readonly channelId: string; readonly kind: number }>;
  private readonly channelOf: Database.Statement<[number], { readonly channelId: string }>;
  private readonly settleSent: Database.Statement;
  private readonly remember: Database.Statement;
  private readonly doubtSent: Database.Statement;
  private readonly waiting: Database.Statement<[], OutboxTicket>;

  /** @param now Unix ms of the batch */
  constructor(
    db: Database.Database,
    private readonly now: () => number,
  ) {
    this.takeQueued = db.prepare(
      `UPDATE outbox SET state = ${sent}, code = NULL, updated_at = ? WHERE id = ? AND state = ${queued}
       RETURNING id, kind, channel_id AS channelId, handle, part, reply_to AS replyTo, content`,
    );
    this.target = db
      .prepare<unknown[], string>(
        `SELECT message_id FROM outbox
         WHERE handle = ? AND part = ? AND channel_id = ? AND id < ? AND kind = ${OUTBOX_KIND_CODES.send} AND state = ${confirmed}
         ORDER BY id DESC LIMIT 1`,
      )
      .pluck();
    this.confirmSent = db.prepare(
      `UPDATE outbox SET state = ${confirmed}, message_id = ?, updated_at = ? WHERE id = ? AND state = ${sent}
       RETURNING channel_id AS channelId, kind`,
    );
    this.channelOf = db.prepare('SELECT channel_id AS channelId FROM outbox WHERE id = ?');
    this.settleSent = db.prepare(
      `UPDATE outbox SET state = ?, code = ?, updated_at = ? WHERE id = ? AND state = ${sent}`,
    );
    this.remember = db.prepare(
      'INSERT INTO outbound_ids (message_id, channel_id, created_at) VALUES (?, ?, ?) ON CONFLICT (message_id) DO NOTHING',
    );
    this.doubtSent = db.prepare(
      `UPDATE outbox SET state = iif(kind = ${OUTBOX_KIND_CODES.send}, ${uncertain}, ${queued}), code = ?, updated_at = ?
       WHERE ${UNCONFIRMED_ROW} AND state = ${sent}`,
    );
    this.waiting = db.prepare(
      `SELECT id, channel_id AS channelId, ingest_seq AS ingestSeq FROM outbox
       WHERE ${UNCONFIRMED_ROW} AND state = ${queued} ORDER BY id`,
    );
  }

  /** queued → sent; null when the row is no longer queued. */
  take(id: number): OutboxDispatch | null {
    const row = this.takeQueued.get(this.now(), id);
    if (row === undefined) return null;
    const { handle, part, ...rest } = row;
    const kind = outboxKindOf(row.kind);
    const target = kind === 'send' ? undefined : this.target.get(handle, part, row.channelId, id);
    return { ...rest, kind, targetMessageId: target ?? null };
  }

  /**
   * sent → confirmed. A row that is no longer `sent` stays as it is, but the id of its message is kept all the same: its echo
   * must never start a turn.
   */
  confirm(id: number, messageId: string | null): void {
    const row = this.confirmSent.get(messageId, this.now(), id) ?? this.channelOf.get(id);
    if (row !== undefined && messageId !== null) this.rememberOutbound(messageId, row.channelId);
  }

  /** sent → uncertain | refused | queued; a row that is no longer `sent` stays as it is. */
  settle(id: number, state: 'uncertain' | 'refused' | 'queued', code: ErrorCode): void {
    this.settleSent.run(OUTBOX_STATE_CODES[state], code, this.now(), id);
  }

  /** Keeps the id of a message of this agent. */
  rememberOutbound(messageId: string, channelId: string): void {
    this.remember.run(messageId, channelId, this.now());
  }

  /**
   * Rows that an earlier process left `sent`: whether the chat server has them is unknown. A new message could appear twice, so it stays
   * uncertain; a change of a message says the same when it is said again.
   */
  doubtLeftovers(): void {
    this.doubtSent.run(ErrorCode.ConnectionLost, this.now());
  }

  /** Rows that wait for their first write, oldest first. */
  queued(): OutboxTicket[] {
    return this.waiting.all();
  }
}
