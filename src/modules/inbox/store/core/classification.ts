// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import type { DispatchClass } from '../../dispatch-class.js';
import { DISPATCH_CLASS_CODES, RECEIPT_STATE_CODES } from './codes.js';

/** A receipt that waits for its class. */
export interface Unclassified {
  readonly ingestSeq: number;
  readonly lane: string;
  readonly body: string;
}

/** Receipts that came before any table of commands was known (D-12). */
export class Classification {
  private readonly waiting: Database.Statement<[number], Unclassified>;
  private readonly classify: Database.Statement;

  constructor(db: Database.Database) {
    const { pending } = RECEIPT_STATE_CODES;
    const { unclassified } = DISPATCH_CLASS_CODES;
    this.waiting = db.prepare(
      `SELECT ingest_seq AS ingestSeq, lane, body FROM receipts WHERE state = ${pending} AND dispatch_class = ${unclassified}
       ORDER BY ingest_seq LIMIT ?`,
    );
    this.classify = db.prepare(
      `UPDATE receipts SET dispatch_class = @code, body = @body,
         source_body = CASE WHEN source_body IS NULL AND body <> @body THEN body ELSE source_body END
       WHERE ingest_seq = @ingestSeq AND +state = ${pending} AND +dispatch_class = ${unclassified}`,
    );
  }

  /** Pending receipts without a class, oldest first. */
  unclassified(limit: number): Unclassified[] {
    return this.waiting.all(limit);
  }

  /** Gives receipts class and body; the text as it came stays known when the body differs from it. */
  reclassify(
    rows: readonly { readonly ingestSeq: number; readonly dispatchClass: DispatchClass; readonly body: string }[],
  ): void {
    for (const { ingestSeq, dispatchClass, body } of rows) {
      this.classify.run({ ingestSeq, code: DISPATCH_CLASS_CODES[dispatchClass], body });
    }
  }
}
