// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import type { OutboxTicket } from '../outbox-types.js';
import { OUTBOX_KIND_CODES, OUTBOX_STATE_CODES } from './codes.js';

/** Where the texts of a turn go. */
export interface TextTarget {
  readonly ingestSeq: number;
  readonly channelId: string;
}

interface Row {
  readonly id: number;
  readonly part: number;
  readonly kind: number;
  readonly state: number;
  readonly code: string | null;
  readonly content: string;
}

const { send, edit, delete: remove } = OUTBOX_KIND_CODES;
const { queued, sent, confirmed, refused } = OUTBOX_STATE_CODES;
const ROW = 'id, part, kind, state, code, content';

/**
 * Texts of Hermes as outbox rows. A handle is the message id that Hermes was given; one text of it may be cut into several messages, its
 * parts. Handles are looked up within one channel, so that not even a repeated one could change a message elsewhere.
 */
export class OutboxTexts {
  private readonly insert: Database.Statement;
  private readonly newest: Database.Statement<unknown[], Row>;
  private readonly rowsFrom: Database.Statement<unknown[], Row>;
  private readonly replace: Database.Statement;
  private readonly withdraw: Database.Statement;

  /** @param now Unix ms of the batch */
  constructor(
    db: Database.Database,
    private readonly now: () => number,
  ) {
    this.insert = db.prepare(
      `INSERT INTO outbox (ingest_seq, channel_id, kind, handle, part, reply_to, created_at, updated_at, content)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.newest = db.prepare(
      `SELECT ${ROW} FROM outbox WHERE handle = ? AND part = ? AND channel_id = ? ORDER BY id DESC LIMIT 1`,
    );
    this.rowsFrom = db.prepare(
      `SELECT ${ROW} FROM outbox WHERE handle = ? AND part >= ? AND channel_id = ? ORDER BY part, id`,
    );
    this.replace = db.prepare('UPDATE outbox SET content = ?, updated_at = ? WHERE id = ?');
    this.withdraw = db.prepare(`UPDATE outbox SET state = ${refused}, code = NULL, updated_at = ? WHERE id = ?`);
  }

  /** A new text, one row for each part; only the first one answers a message. */
  send(target: TextTarget, handle: string | null, replyTo: string | null, parts: readonly string[]): OutboxTicket[] {
    return parts.map((content, part) => this.add(target, send, handle, part, part === 0 ? replyTo : null, content));
  }

  /**
   * The text of a handle is now another one. What still waits takes the new content in its place; what was written gets an edit; parts
   * that the text no longer has are removed. A text that is empty throughout says nothing and changes nothing.
   */
  edit(target: TextTarget, handle: string, parts: readonly string[]): OutboxTicket[] {
    if (parts.every((content) => content === '')) return [];
    const added = parts.flatMap((content, part) => this.editPart(target, handle, part, content) ?? []);
    return [...added, ...this.remove(target, handle, parts.length)];
  }

  /** Removes the parts of a handle from `fromPart` on: what waits is never written, what was written gets a delete. */
  remove(target: TextTarget, handle: string, fromPart = 0): OutboxTicket[] {
    const rowsOfPart = Map.groupBy(this.rowsFrom.all(handle, fromPart, target.channelId), (row) => row.part);
    return [...rowsOfPart].flatMap(([part, rows]) => this.removePart(target, handle, part, rows) ?? []);
  }

  private editPart(target: TextTarget, handle: string, part: number, content: string): OutboxTicket | null {
    if (content === '') return null;
    const last = this.newest.get(handle, part, target.channelId);
    if (last === undefined || isGone(last)) return this.add(target, send, handle, part, null, content);
    if (last.content === content && showsItsContent(last)) return null;
    if (last.state !== queued) return this.add(target, edit, handle, part, null, content);
    this.replace.run(content, this.now(), last.id);
    return null;
  }

  private removePart(target: TextTarget, handle: string, part: number, rows: readonly Row[]): OutboxTicket | null {
    const last = rows.at(-1);
    if (last === undefined || isGone(last)) return null;
    for (const row of rows) if (row.state === queued) this.withdraw.run(this.now(), row.id);
    const message = rows.findLast((row) => row.kind === send);
    const written = message !== undefined && (message.state === sent || message.state === confirmed);
    return written ? this.add(target, remove, handle, part, null, '') : null;
  }

  private add(
    target: TextTarget,
    kind: number,
    handle: string | null,
    part: number,
    replyTo: string | null,
    content: string,
  ): OutboxTicket {
    const now = this.now();
    const { ingestSeq, channelId } = target;
    const added = this.insert.run(ingestSeq, channelId, kind, handle, part, replyTo, now, now, content);
    return { id: Number(added.lastInsertRowid), channelId, ingestSeq };
  }
}

/** The part was removed: a delete stands behind it, or its send was withdrawn (refused without a reason) before it was written. */
function isGone(last: Row): boolean {
  return last.kind === remove || (last.kind === send && last.state === refused && last.code === null);
}

/** A send is never repeated for its content's sake, but an edit that failed or may have failed is. */
function showsItsContent(last: Row): boolean {
  return last.kind === send || last.state === queued || last.state === sent || last.state === confirmed;
}
