// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import type { ErrorCode } from '../../../../common/errors.js';
import { mayRelease } from '../../receipt-state.js';
import type { ClaimedReceipt, ReceiptContext } from '../receipt-types.js';
import { channelTypeOf, dispatchClassOf, RECEIPT_STATE_CODES } from './codes.js';
import { move } from './moves.js';
import type { Questions } from './questions.js';
import type { ReceiptHistory } from './receipt-history.js';

/** What steps need of a receipt that they find by its claim. */
export interface ClaimRow {
  readonly ingestSeq: number;
  readonly processing: boolean;
  readonly lane: string;
  readonly channelId: string;
  readonly messageId: string;
  /** Unix ms of the `started` that is in force. */
  readonly startedAt: number | null;
  readonly withdrawn: boolean;
}

interface RawClaimed {
  readonly ingestSeq: number;
  readonly claim: string;
  readonly attempt: number;
  readonly released: number;
  readonly lane: string;
  readonly channelId: string;
  readonly channelType: number;
  readonly messageId: string;
  readonly authorId: string;
  readonly authorName: string;
  readonly body: string;
  readonly dispatchClass: number;
  readonly context: string | null;
  readonly sourceCreatedAt: number;
  readonly receivedAt: number;
  readonly startedAt: number | null;
}

const CLAIMED_COLUMNS = `ingest_seq AS ingestSeq, claim, attempt, released, lane, channel_id AS channelId, channel_type AS channelType,
  message_id AS messageId, author_id AS authorId, author_name AS authorName, body, dispatch_class AS dispatchClass, context,
  source_created_at AS sourceCreatedAt, received_at AS receivedAt, started_at AS startedAt`;

/** The moves of a receipt that its turns make, each legal by `RECEIPT_MOVES` (INB-2). The end of a claim closes its open questions. */
export class Claims {
  private readonly take: Database.Statement<unknown[], RawClaimed>;
  private readonly claimed: Database.Statement<[string], RawClaimed>;
  private readonly byClaim: Database.Statement<
    [string],
    Omit<ClaimRow, 'processing' | 'withdrawn'> & { readonly state: number; readonly withdrawn: number }
  >;
  private readonly start: Database.Statement;
  private readonly withdrawStart: Database.Statement;
  private readonly finishAs: Readonly<Record<'completed' | 'failed', Database.Statement>>;
  private readonly giveBack: Database.Statement;
  private readonly doubt: Database.Statement<[string], { readonly ingestSeq: number }>;
  private readonly setAside: Database.Statement<[string, string], { readonly ingestSeq: number }>;
  private readonly endTask: Database.Statement;

  /** @param now Unix ms of the batch */
  constructor(
    db: Database.Database,
    private readonly questions: Questions,
    private readonly history: ReceiptHistory,
    private readonly now: () => number,
  ) {
    const found = 'RETURNING ingest_seq AS ingestSeq';
    const finish = (name: 'complete' | 'fail'): Database.Statement =>
      db.prepare(
        `UPDATE receipts SET ${move(name).to}, outcome = ?, error_code = ?, ended_at = ? WHERE ingest_seq = ? AND ${move(name).from}`,
      );
    this.take = db.prepare(
      `UPDATE receipts SET ${move('claim').to}, claim = ?, attempt = attempt + 1, outcome = NULL
       WHERE ingest_seq = ? AND ${move('claim').from} RETURNING ${CLAIMED_COLUMNS}`,
    );
    this.claimed = db.prepare(
      `SELECT ${CLAIMED_COLUMNS} FROM receipts WHERE claim = ? AND +state = ${RECEIPT_STATE_CODES.processing}`,
    );
    this.byClaim = db.prepare(
      `SELECT ingest_seq AS ingestSeq, state, lane, channel_id AS channelId, message_id AS messageId, started_at AS startedAt, withdrawn
       FROM receipts WHERE claim = ?`,
    );
    this.start = db.prepare('UPDATE receipts SET started_at = ?, task_opened_at = ? WHERE ingest_seq = ?');
    this.withdrawStart = db.prepare('UPDATE receipts SET started_at = NULL, withdrawn = 1 WHERE ingest_seq = ?');
    this.finishAs = { completed: finish('complete'), failed: finish('fail') };
    this.giveBack = db.prepare(
      `UPDATE receipts SET ${move('release').to}, claim = NULL, released = 1, started_at = NULL, withdrawn = 0, task_opened_at = NULL,
         outcome = ?
       WHERE ingest_seq = ? AND ${move('release').from}`,
    );
    this.doubt = db.prepare(
      `UPDATE receipts SET ${move('doubt').to} WHERE claim = ? AND ${move('doubt').from} ${found}`,
    );
    this.setAside = db.prepare(
      `UPDATE receipts SET ${move('quarantine').to}, outcome = ? WHERE claim = ? AND ${move('quarantine').from} ${found}`,
    );
    this.endTask = db.prepare('UPDATE receipts SET task_opened_at = NULL WHERE ingest_seq = ?');
  }

  /** pending → processing; null when it is not pending. */
  claim(ingestSeq: number, claim: string): ClaimedReceipt | null {
    return claimedReceipt(this.take.get(claim, ingestSeq));
  }

  /** The receipt of a claim that is in processing. */
  findClaimed(claim: string): ClaimedReceipt | null {
    return claimedReceipt(this.claimed.get(claim));
  }

  /** The receipt that a claim belongs or belonged to; released claims are forgotten. */
  find(claim: string): ClaimRow | null {
    const row = this.byClaim.get(claim);
    if (row === undefined) return null;
    const { state, withdrawn, ...rest } = row;
    return { ...rest, processing: state === RECEIPT_STATE_CODES.processing, withdrawn: withdrawn === 1 };
  }

  /** Commits the start of a claim that is in processing. @returns Unix ms that is in force, null when the barrier had given way */
  markStarted(row: ClaimRow): number | null {
    if (row.withdrawn || row.startedAt !== null) return row.startedAt;
    const now = this.now();
    this.start.run(now, now, row.ingestSeq);
    return now;
  }

  /** The barrier gave way: the claim never started, whatever `started` still comes. The task stays open for those who saw it. */
  withdraw(row: ClaimRow): void {
    this.withdrawStart.run(row.ingestSeq);
  }

  /** processing → completed | failed. */
  finish(row: ClaimRow, to: 'completed' | 'failed', outcome: string, code: ErrorCode | null): boolean {
    if (this.finishAs[to].run(outcome, code, this.now(), row.ingestSeq).changes === 0) return false;
    this.questions.closeOf(row.ingestSeq);
    return true;
  }

  /** processing → pending. @returns false when the claim has started and nobody disproves it */
  release(row: ClaimRow, outcome: string, disproved: boolean): boolean {
    if (!mayRelease(row.startedAt, disproved) || this.giveBack.run(outcome, row.ingestSeq).changes === 0) return false;
    this.questions.closeOf(row.ingestSeq);
    this.history.add(row.ingestSeq, 'released', { detail: outcome });
    return true;
  }

  /** processing → in_doubt. */
  markInDoubt(claim: string): boolean {
    const doubted = this.doubt.get(claim);
    if (doubted === undefined) return false;
    this.questions.closeOf(doubted.ingestSeq);
    this.history.add(doubted.ingestSeq, 'in_doubt');
    return true;
  }

  /** in_doubt → quarantined. */
  quarantine(claim: string, outcome: string): boolean {
    const setAside = this.setAside.get(outcome, claim);
    if (setAside === undefined) return false;
    this.history.add(setAside.ingestSeq, 'quarantined', { detail: outcome });
    return true;
  }

  /** The task's end certainly reached the chat server. */
  closeTask(ingestSeq: number): void {
    this.endTask.run(ingestSeq);
  }
}

function claimedReceipt(raw: RawClaimed | undefined): ClaimedReceipt | null {
  if (raw === undefined) return null;
  return {
    ...raw,
    released: raw.released === 1,
    channelType: channelTypeOf(raw.channelType),
    dispatchClass: dispatchClassOf(raw.dispatchClass),
    context: raw.context === null ? null : (JSON.parse(raw.context) as ReceiptContext),
  };
}
