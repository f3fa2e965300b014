// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import type { ReceiptDetail, ReceiptQuery, ReceiptSummary } from '../operator-types.js';
import type { ReceiptScan } from '../steps.js';
import {
  DISPATCH_CLASS_CODES,
  dispatchClassOf,
  outboxKindOf,
  outboxStateOf,
  RECEIPT_STATE_CODES,
  receiptStateOf,
} from './codes.js';
import type { ReceiptHistory } from './receipt-history.js';

/** Ingest numbers through which one step looks for rows that no index finds directly: some 10 ms in the store's thread. */
const SCAN_WINDOW = 10_000;
const MAX_PAGE = 200;

interface SummaryRow extends Omit<ReceiptSummary, 'state' | 'dispatchClass'> {
  readonly state: number;
  readonly dispatchClass: number;
}

interface ContentRow {
  readonly authorName: string;
  readonly body: string;
  readonly sourceBody: string | null;
}

interface OutboxRow {
  readonly id: number;
  readonly kind: number;
  readonly state: number;
  readonly code: string | null;
}

const SUMMARY_COLUMNS = `ingest_seq AS ingestSeq, state, kind, lane, dispatch_class AS dispatchClass, channel_id AS channelId,
  message_id AS messageId, author_id AS authorId, attempt, sightings, received_at AS receivedAt, started_at AS startedAt,
  ended_at AS endedAt, outcome, error_code AS errorCode`;

/** Conditions by the value that they need. */
const CONDITIONS = {
  lane: 'lane = @lane',
  state: 'state = @state',
  dispatchClass: 'dispatch_class = @dispatchClass',
  messageId: 'message_id = @messageId',
  receivedBefore: 'received_at < @receivedBefore',
} as const;

/** What a look for receipts needs: bounds of their ingest numbers, and the values of the conditions that apply. */
interface ScanValues extends Partial<Readonly<Record<keyof typeof CONDITIONS, string | number | undefined>>> {
  readonly below: number;
  readonly floor: number;
  readonly limit: number;
}

/**
 * Receipts as the operator sees them (ADM-1). A page by lane, by state or class, or without any narrowing comes straight from an index; what no
 * index narrows is looked for window by window, so that no page holds the ledger for long.
 */
export class Listing {
  private readonly scans = new Map<string, Database.Statement<[ScanValues], number>>();
  private readonly summary: Database.Statement<[number], SummaryRow>;
  private readonly content: Database.Statement<[number], ContentRow>;
  private readonly outbox: Database.Statement<[number], OutboxRow>;
  private readonly waitingBehind: Database.Statement<[string, number], number>;
  private readonly quarantined: Database.Statement<[string], number>;
  private readonly highestBelow: Database.Statement<[number], number | null>;

  constructor(
    private readonly db: Database.Database,
    private readonly history: ReceiptHistory,
  ) {
    const numbers = <P extends unknown[]>(sql: string): Database.Statement<P, number> =>
      db.prepare<P, number>(sql).pluck();
    this.summary = db.prepare(`SELECT ${SUMMARY_COLUMNS} FROM receipts WHERE ingest_seq = ?`);
    this.content = db.prepare(
      'SELECT author_name AS authorName, body, source_body AS sourceBody FROM receipts WHERE ingest_seq = ?',
    );
    this.outbox = db.prepare('SELECT id, kind, state, code FROM outbox WHERE ingest_seq = ? ORDER BY id');
    this.waitingBehind = numbers(
      `SELECT count(*) FROM receipts INDEXED BY receipts_lane WHERE lane = ? AND ingest_seq > ? AND state = ${RECEIPT_STATE_CODES.pending}`,
    );
    this.quarantined = numbers(
      `SELECT ingest_seq FROM receipts INDEXED BY receipts_state WHERE state = ${RECEIPT_STATE_CODES.quarantined} AND lane = ?
       ORDER BY ingest_seq`,
    );
    this.highestBelow = db
      .prepare<[number], number | null>('SELECT max(ingest_seq) FROM receipts WHERE ingest_seq < ?')
      .pluck();
  }

  /**
   * Looks for receipts of a page, newest first.
   * @throws RangeError for a limit outside of 1..200
   */
  scan(query: ReceiptQuery): ReceiptScan {
    if (!(query.limit >= 1 && query.limit <= MAX_PAGE)) throw new RangeError('the limit of a page is 1..200');
    const below = query.before ?? Number.MAX_SAFE_INTEGER;
    const top = this.highestBelow.get(below) ?? null;
    if (top === null) return { receipts: [], next: null };
    const floor = isNarrowedByIndex(query) ? 0 : Math.max(0, top + 1 - SCAN_WINDOW);
    const numbers = this.numbersOf(query, { below: top + 1, floor, limit: query.limit });
    const highestLeft = floor === 0 ? null : (this.highestBelow.get(floor) ?? null);
    return {
      receipts: numbers.flatMap((ingestSeq) => this.summaryOf(ingestSeq) ?? []),
      next: highestLeft === null ? null : highestLeft + 1,
    };
  }

  /** One receipt with its history and its writes; null when there is none. */
  show(ingestSeq: number, withContent: boolean): ReceiptDetail | null {
    const summary = this.summaryOf(ingestSeq);
    if (summary === null) return null;
    const isBlocking = summary.state === 'in_doubt' || summary.state === 'quarantined';
    return {
      ...summary,
      history: this.history.of(ingestSeq),
      outbox: this.outbox
        .all(ingestSeq)
        .map((row) => ({ ...row, kind: outboxKindOf(row.kind), state: outboxStateOf(row.state) })),
      blocks: isBlocking ? (this.waitingBehind.get(summary.lane, ingestSeq) ?? 0) : 0,
      content: withContent ? (this.content.get(ingestSeq) ?? null) : null,
    };
  }

  /** Quarantined receipts of a lane, oldest first. */
  quarantinedOf(lane: string): number[] {
    return this.quarantined.all(lane);
  }

  private summaryOf(ingestSeq: number): ReceiptSummary | null {
    const row = this.summary.get(ingestSeq);
    if (row === undefined) return null;
    return { ...row, state: receiptStateOf(row.state), dispatchClass: dispatchClassOf(row.dispatchClass) };
  }

  /** Ingest numbers of a page, newest first. */
  private numbersOf(query: ReceiptQuery, bounds: ScanValues): number[] {
    const { lane, messageId, receivedBefore } = query;
    const state = query.state && RECEIPT_STATE_CODES[query.state];
    const dispatchClass = query.dispatchClass && DISPATCH_CLASS_CODES[query.dispatchClass];
    const values = { ...bounds, lane, state, dispatchClass, messageId, receivedBefore };
    if (lane !== undefined) return this.run('INDEXED BY receipts_lane', values);
    if (state === undefined && dispatchClass === undefined) return this.run('NOT INDEXED', values);
    // Within each pair of a state and a class the index is in ingest order: the page are the newest of all pairs.
    return pairsOf(state, dispatchClass)
      .flatMap((pair) => this.run('INDEXED BY receipts_state', { ...values, ...pair }))
      .sort((a, b) => b - a)
      .slice(0, bounds.limit);
  }

  private run(index: string, values: ScanValues): number[] {
    const names = Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[];
    const conditions = names.filter((name) => values[name] !== undefined).map((name) => CONDITIONS[name]);
    const sql = `SELECT ingest_seq FROM receipts ${index}
      WHERE ${[...conditions, 'ingest_seq < @below', 'ingest_seq >= @floor'].join(' AND ')} ORDER BY ingest_seq DESC LIMIT @limit`;
    let statement = this.scans.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare<[ScanValues], number>(sql).pluck();
      this.scans.set(sql, statement);
    }
    return statement.all(values);
  }
}

/** Whether every row that the index gives belongs to the page: no window is needed then. */
function isNarrowedByIndex({ lane, state, dispatchClass, messageId, receivedBefore }: ReceiptQuery): boolean {
  const byState = state !== undefined || dispatchClass !== undefined;
  return messageId === undefined && receivedBefore === undefined && (lane === undefined || !byState);
}

/** Every pair of codes that a state and a class, each of them if it is given, leave. */
function pairsOf(
  state: number | undefined,
  dispatchClass: number | undefined,
): { readonly state: number; readonly dispatchClass: number }[] {
  const states = state === undefined ? Object.values(RECEIPT_STATE_CODES) : [state];
  const classes = dispatchClass === undefined ? Object.values(DISPATCH_CLASS_CODES) : [dispatchClass];
  return states.flatMap((one) => classes.map((other) => ({ state: one, dispatchClass: other })));
}
