// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import type { DueReset, RemediationOrder, RemediationResult } from '../operator-types.js';
import { dispatchClassOf } from './codes.js';
import { move } from './moves.js';
import type { ReceiptHistory } from './receipt-history.js';

const OUTCOMES = {
  discard: 'operator_discarded',
  requeue: 'operator_risk_confirmed_requeue',
} as const satisfies Readonly<Record<RemediationOrder['action'], string>>;

const EVENTS = { discard: 'discarded', requeue: 'requeued' } as const;

interface Moved {
  readonly lane: string;
  readonly dispatchClass: number;
}

interface Due extends Moved {
  readonly remediationId: number;
  readonly ingestSeq: number;
  readonly action: RemediationOrder['action'];
}

/** The operator's decisions about quarantined receipts, each with its audit row and its history in the same commit (INB-5). */
export class Remediations {
  private readonly discard: Database.Statement<unknown[], Moved>;
  private readonly requeue: Database.Statement<unknown[], Moved>;
  private readonly insert: Database.Statement;
  private readonly confirm: Database.Statement<[number, number], { readonly ingestSeq: number }>;
  private readonly select: Database.Statement<[], Due>;

  /** @param now Unix ms of the batch */
  constructor(
    db: Database.Database,
    private readonly history: ReceiptHistory,
    private readonly now: () => number,
  ) {
    const moved = 'RETURNING lane, dispatch_class AS dispatchClass';
    this.discard = db.prepare(
      `UPDATE receipts SET ${move('discard').to}, outcome = '${OUTCOMES.discard}', ended_at = ?
       WHERE ingest_seq = ? AND ${move('discard').from} ${moved}`,
    );
    // Its session was or will be reset: no unfinished exchange of it is left there, whatever was released before.
    this.requeue = db.prepare(
      `UPDATE receipts SET ${move('requeue').to}, claim = NULL, released = 0, started_at = NULL, withdrawn = 0, task_opened_at = NULL,
         outcome = '${OUTCOMES.requeue}'
       WHERE ingest_seq = ? AND ${move('requeue').from} ${moved}`,
    );
    this.insert = db.prepare(
      `INSERT INTO remediations (at, ingest_seq, lane, dispatch_class, action, actor, reason, reset_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.confirm = db.prepare(
      'UPDATE remediations SET reset_at = ? WHERE id = ? AND +reset_at IS NULL RETURNING ingest_seq AS ingestSeq',
    );
    this.select = db.prepare(
      `SELECT id AS remediationId, ingest_seq AS ingestSeq, lane, dispatch_class AS dispatchClass, action FROM remediations
       WHERE reset_at IS NULL ORDER BY id`,
    );
  }

  /** quarantined → failed | pending; null when the receipt is not quarantined. */
  remediate(ingestSeq: number, order: RemediationOrder): RemediationResult | null {
    const { action, actor, reason, sessionReset } = order;
    const now = this.now();
    const moved = action === 'discard' ? this.discard.get(now, ingestSeq) : this.requeue.get(ingestSeq);
    if (moved === undefined) return null;
    const { lane, dispatchClass } = moved;
    const resetAt = sessionReset ? now : null;
    const audit = this.insert.run(now, ingestSeq, lane, dispatchClass, action, actor, reason, resetAt);
    if (sessionReset) this.history.add(ingestSeq, 'session_reset', { actor });
    this.history.add(ingestSeq, EVENTS[action], { actor, reason });
    return { remediationId: Number(audit.lastInsertRowid), lane, dispatchClass: dispatchClassOf(dispatchClass) };
  }

  /** The session of a decision has been reset; said twice, the first time counts. */
  confirmReset(remediationId: number): void {
    const confirmed = this.confirm.get(this.now(), remediationId);
    if (confirmed !== undefined) this.history.add(confirmed.ingestSeq, 'session_reset');
  }

  /** Decisions whose reset is still due, oldest first. */
  due(): DueReset[] {
    return this.select.all().map(({ action, dispatchClass, ...due }) => ({
      ...due,
      requeued: action === 'requeue' ? { dispatchClass: dispatchClassOf(dispatchClass) } : null,
    }));
  }
}
