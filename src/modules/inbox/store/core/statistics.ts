// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import type { DispatchClass } from '../../dispatch-class.js';
import type { LedgerStatistics } from '../operator-types.js';
import type { OutboxState } from '../outbox-types.js';
import type { ReceiptState } from '../receipt-types.js';
import {
  dispatchClassOf,
  OPEN_RECEIPT,
  outboxStateOf,
  RECEIPT_STATE_CODES,
  receiptStateOf,
  UNCONFIRMED_ROW,
} from './codes.js';

/**
 * Figures for health. Their cost grows with what is open or odd, not with the history: the counts of completed receipts and confirmed rows
 * are what is left of the totals, and a total is counted over the smallest index.
 */
export class Statistics {
  private readonly openStates: Database.Statement<
    [],
    [state: number, dispatchClass: number, count: number, oldest: number]
  >;
  private readonly receivedAt: Database.Statement<[number], number>;
  private readonly blocked: Database.Statement<[], number>;
  private readonly failed: Database.Statement<[], number>;
  private readonly receipts: Database.Statement<[], number>;
  private readonly unconfirmed: Database.Statement<[], [state: number, count: number]>;
  private readonly rows: Database.Statement<[], number>;

  /**
   * @param now Unix ms of the batch
   * @param walBytes bytes of the write-ahead log
   */
  constructor(
    db: Database.Database,
    private readonly now: () => number,
    private readonly walBytes: () => number,
  ) {
    const { in_doubt, quarantined, failed } = RECEIPT_STATE_CODES;
    const count = (sql: string): Database.Statement<[], number> => db.prepare<[], number>(`SELECT ${sql}`).pluck();
    this.openStates = db
      .prepare<[], [number, number, number, number]>(
        `SELECT state, dispatch_class, count(*), min(ingest_seq) FROM receipts WHERE ${OPEN_RECEIPT} GROUP BY state, dispatch_class`,
      )
      .raw();
    this.receivedAt = db.prepare<[number], number>('SELECT received_at FROM receipts WHERE ingest_seq = ?').pluck();
    this.blocked = count(`count(DISTINCT lane) FROM receipts WHERE state IN (${in_doubt}, ${quarantined})`);
    this.failed = count(`count(*) FROM receipts WHERE state = ${failed}`);
    this.receipts = count('count(*) FROM receipts');
    this.unconfirmed = db
      .prepare<[], [number, number]>(`SELECT state, count(*) FROM outbox WHERE ${UNCONFIRMED_ROW} GROUP BY state`)
      .raw();
    this.rows = count('count(*) FROM outbox');
  }

  /** Reads all figures in one view of the file. */
  read(): LedgerStatistics {
    const receipts: Record<ReceiptState, number> = {
      pending: 0,
      processing: 0,
      in_doubt: 0,
      quarantined: 0,
      completed: 0,
      failed: this.failed.get() ?? 0,
    };
    const oldestOpen: Partial<Record<ReceiptState, number>> = {};
    const openByClass: Record<DispatchClass, number> = { ordinary: 0, control: 0, urgent_stop: 0, unclassified: 0 };
    const oldestByClass: Partial<Record<DispatchClass, number>> = {};
    for (const [stateCode, classCode, count, oldest] of this.openStates.all()) {
      const state = receiptStateOf(stateCode);
      const dispatchClass = dispatchClassOf(classCode);
      const age = Math.max(0, this.now() - (this.receivedAt.get(oldest) ?? this.now()));
      receipts[state] += count;
      openByClass[dispatchClass] += count;
      oldestOpen[state] = Math.max(age, oldestOpen[state] ?? 0);
      oldestByClass[dispatchClass] = Math.max(age, oldestByClass[dispatchClass] ?? 0);
    }
    receipts.completed = (this.receipts.get() ?? 0) - sum(receipts);
    const outbox: Record<OutboxState, number> = { queued: 0, sent: 0, confirmed: 0, uncertain: 0, refused: 0 };
    for (const [code, count] of this.unconfirmed.all()) outbox[outboxStateOf(code)] = count;
    outbox.confirmed = (this.rows.get() ?? 0) - sum(outbox);
    return {
      receipts,
      oldestOpen,
      openByClass,
      oldestByClass,
      outbox,
      blockedLanes: this.blocked.get() ?? 0,
      walBytes: this.walBytes(),
    };
  }
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
