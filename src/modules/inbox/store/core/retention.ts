// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import type { RetentionResult, RetentionRules } from '../operator-types.js';
import { ENDED_RECEIPT, OUTBOX_STATE_CODES } from './codes.js';
import { FreePages } from './free-pages.js';

const { queued, sent } = OUTBOX_STATE_CODES;

/** A receipt whose writes have not all been tried, or whose task people may still see as running, is left alone whatever its age. */
const IS_SETTLED = `task_opened_at IS NULL AND NOT EXISTS
  (SELECT 1 FROM outbox AS o WHERE o.ingest_seq = r.ingest_seq AND o.state IN (${queued}, ${sent}))`;

/**
 * What leaves the ledger by age and count (INB-14). One step touches a bounded number of rows, oldest first; the index over ended receipts keeps
 * those that still have their texts apart, so that no step walks through what an earlier one did.
 */
export class Retention {
  private readonly withTexts: Database.Statement<[number, number], number>;
  private readonly emptyReceipt: Database.Statement;
  private readonly emptyOutbox: Database.Statement;
  private readonly removable: Database.Statement<[emptied: number, endedBefore: number, limit: number], number>;
  private readonly ended: Database.Statement<[], number>;
  private readonly keepKey: Database.Statement;
  private readonly removeOutbox: Database.Statement;
  private readonly remove: Database.Statement;
  /** Statements that remove rows older than a time, at most as many as a limit. */
  private readonly forget: readonly Database.Statement<[before: number, limit: number]>[];

  private readonly freePages: FreePages;

  /** @param now Unix ms of the batch */
  constructor(
    db: Database.Database,
    private readonly now: () => number,
  ) {
    this.freePages = new FreePages(db);
    this.withTexts = db
      .prepare<[number, number], number>(
        `SELECT ingest_seq FROM receipts AS r INDEXED BY receipts_ended
         WHERE emptied = 0 AND ${ENDED_RECEIPT} AND ended_at < ? AND ${IS_SETTLED} ORDER BY ended_at LIMIT ?`,
      )
      .pluck();
    this.emptyReceipt = db.prepare(
      `UPDATE receipts SET emptied = 1, body = '', source_body = NULL, context = NULL, author_name = '' WHERE ingest_seq = ?`,
    );
    this.emptyOutbox = db.prepare("UPDATE outbox SET content = '' WHERE ingest_seq = ?");
    this.removable = db
      .prepare<[number, number, number], number>(
        `SELECT ingest_seq FROM receipts AS r INDEXED BY receipts_ended
         WHERE emptied = ? AND ${ENDED_RECEIPT} AND ended_at < ? AND ${IS_SETTLED} ORDER BY ended_at LIMIT ?`,
      )
      .pluck();
    this.ended = db.prepare<[], number>(`SELECT count(*) FROM receipts WHERE ${ENDED_RECEIPT}`).pluck();
    this.keepKey = db.prepare(
      `INSERT INTO seen_keys (dedupe_key, ingest_seq, state, ended_at)
       SELECT dedupe_key, ingest_seq, state, ended_at FROM receipts WHERE ingest_seq = ?`,
    );
    this.removeOutbox = db.prepare('DELETE FROM outbox WHERE ingest_seq = ?');
    this.remove = db.prepare('DELETE FROM receipts WHERE ingest_seq = ?');
    const forget = (table: string, key: string, time: string, more = ''): Database.Statement<[number, number]> =>
      db.prepare(
        `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} AS t WHERE ${time} < ? ${more} ORDER BY ${time} LIMIT ?)`,
      );
    this.forget = [
      forget('seen_keys', 'dedupe_key', 'ended_at'),
      forget('outbound_ids', 'message_id', 'created_at'),
      // An audit row stays at least as long as its receipt can be shown.
      forget(
        'remediations',
        'id',
        'reset_at',
        'AND NOT EXISTS (SELECT 1 FROM receipts AS r WHERE r.ingest_seq = t.ingest_seq)',
      ),
      forget('pauses', 'id', 'ended_at'),
    ];
  }

  /**
   * One step: texts, then rows, then keys, then free pages, until `limit` rows and pages are touched. The last receipt is finished with all its
   * writes.
   */
  step(rules: RetentionRules): RetentionResult {
    const texts = touch(this.dueTexts(rules, rules.limit), rules.limit, (ingestSeq) => this.empty(ingestSeq));
    const rows = touch(this.dueRows(rules, texts.left), texts.left, (ingestSeq) => this.removeReceipt(ingestSeq));
    const keys = this.forgetKeys(rules, rows.left);
    const pages = this.freePages.giveBack(rows.left - keys);
    return { bodies: texts.receipts, rows: rows.receipts, keys, more: keys + pages >= rows.left };
  }

  private dueTexts({ bodiesAfterMs }: RetentionRules, limit: number): number[] {
    return this.withTexts.all(this.now() - bodiesAfterMs, limit);
  }

  private dueRows({ rowsAfterMs, maxTerminalRows }: RetentionRules, limit: number): number[] {
    if (limit === 0) return [];
    const byAge = this.oldest(this.now() - rowsAfterMs, limit);
    const surplus = Math.min((this.ended.get() ?? 0) - maxTerminalRows, limit);
    return surplus > byAge.length ? this.oldest(Number.MAX_SAFE_INTEGER, surplus) : byAge;
  }

  /** @returns rows touched */
  private empty(ingestSeq: number): number {
    return this.emptyReceipt.run(ingestSeq).changes + this.emptyOutbox.run(ingestSeq).changes;
  }

  /** @returns rows touched */
  private removeReceipt(ingestSeq: number): number {
    this.keepKey.run(ingestSeq);
    return this.removeOutbox.run(ingestSeq).changes + this.remove.run(ingestSeq).changes;
  }

  /** The oldest settled receipts that ended before a time; those without texts ended before those that still have them. */
  private oldest(endedBefore: number, limit: number): number[] {
    const emptied = this.removable.all(1, endedBefore, limit);
    return [...emptied, ...this.removable.all(0, endedBefore, limit - emptied.length)];
  }

  private forgetKeys({ dedupeHorizonMs }: RetentionRules, limit: number): number {
    let left = limit;
    for (const statement of this.forget) left -= statement.run(this.now() - dedupeHorizonMs, left).changes;
    return limit - left;
  }
}

/**
 * Touches receipts until the rows that it cost reach a budget.
 * @param run @returns rows touched
 */
function touch(
  due: readonly number[],
  budget: number,
  run: (ingestSeq: number) => number,
): { readonly receipts: number; readonly left: number } {
  let left = budget;
  let receipts = 0;
  for (const ingestSeq of due) {
    if (left <= 0) break;
    left -= run(ingestSeq);
    receipts += 1;
  }
  return { receipts, left: Math.max(0, left) };
}
