// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import type { ReceiptHistoryEntry } from '../operator-types.js';

/** What happened to receipts beside their ordinary way; written in the commit in which it happens. */
export class ReceiptHistory {
  private readonly insert: Database.Statement;
  private readonly select: Database.Statement<[number], ReceiptHistoryEntry>;

  /** @param now Unix ms of the batch */
  constructor(
    db: Database.Database,
    private readonly now: () => number,
  ) {
    // A receipt that retention removed gets no entry any more.
    this.insert = db.prepare(
      `INSERT INTO receipt_history (ingest_seq, number, at, event, detail, actor, reason)
       SELECT ingest_seq, (SELECT ifnull(max(number), 0) + 1 FROM receipt_history AS h WHERE h.ingest_seq = r.ingest_seq), ?, ?, ?, ?, ?
       FROM receipts AS r WHERE ingest_seq = ?`,
    );
    this.select = db.prepare(
      'SELECT at, event, detail, actor, reason FROM receipt_history WHERE ingest_seq = ? ORDER BY number',
    );
  }

  /**
   * Adds one entry.
   * @param facts what it was about, who decided, and why, as far as there is something to say
   */
  add(
    ingestSeq: number,
    event: ReceiptHistoryEntry['event'],
    facts: Partial<Pick<ReceiptHistoryEntry, 'detail' | 'actor' | 'reason'>> = {},
  ): void {
    const { detail = null, actor = null, reason = null } = facts;
    this.insert.run(this.now(), event, detail, actor, reason, ingestSeq);
  }

  /** The entries of a receipt, oldest first. */
  of(ingestSeq: number): ReceiptHistoryEntry[] {
    return this.select.all(ingestSeq);
  }
}
