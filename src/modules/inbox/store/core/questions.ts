// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import { OPEN_QUESTION, QUESTION_STATE_CODES } from './codes.js';

/** The turn that asks. */
interface AskingTurn {
  readonly ingestSeq: number;
  readonly lane: string;
  readonly claim: string;
}

/** A question as its event tells it. */
interface AskedQuestion {
  readonly questionId: string;
  readonly questionKind: string;
  readonly answered: boolean;
}

const { open, resolved, dead } = QUESTION_STATE_CODES;

/** Questions that Hermes asked in its turns: while one is open, a text of its lane may be the answer (INB-7). */
export class Questions {
  private readonly asked: Database.Statement<[number, string, string], number>;
  private readonly insert: Database.Statement;
  private readonly closeOfReceipt: Database.Statement;
  private readonly closeOfOthers: Database.Statement;
  private readonly openLanes: Database.Statement<[], string>;

  /** @param now Unix ms of the batch */
  constructor(
    db: Database.Database,
    private readonly now: () => number,
  ) {
    this.asked = db
      .prepare<[number, string, string], number>(
        'SELECT 1 FROM questions WHERE ingest_seq = ? AND claim = ? AND kind = ? LIMIT 1',
      )
      .pluck();
    this.insert = db.prepare(
      `INSERT INTO questions (instance, id, ingest_seq, claim, lane, kind, state, opened_at, closed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (instance, id) DO UPDATE SET state = excluded.state, closed_at = excluded.closed_at
       WHERE state = ${open} AND excluded.state = ${resolved}`,
    );
    this.closeOfReceipt = db.prepare(
      `UPDATE questions SET state = ${dead}, closed_at = ? WHERE ingest_seq = ? AND ${OPEN_QUESTION}`,
    );
    this.closeOfOthers = db.prepare(
      `UPDATE questions SET state = ${dead}, closed_at = ? WHERE ${OPEN_QUESTION} AND instance <> ?`,
    );
    this.openLanes = db.prepare<[], string>(`SELECT DISTINCT lane FROM questions WHERE ${OPEN_QUESTION}`).pluck();
  }

  /**
   * Opens a question of a claim, or stores it as resolved when it is answered.
   * @param instance the Hermes process that asked
   * @returns whether it is the first one of its kind in that claim
   */
  ask(instance: string, { ingestSeq, lane, claim }: AskingTurn, question: AskedQuestion): boolean {
    const { questionId, questionKind, answered } = question;
    const first = this.asked.get(ingestSeq, claim, questionKind) === undefined;
    const now = this.now();
    const [state, closedAt] = answered ? [resolved, now] : [open, null];
    this.insert.run(instance, questionId, ingestSeq, claim, lane, questionKind, state, now, closedAt);
    return first;
  }

  /** The claim of a receipt has ended: nobody waits for the answers any more. */
  closeOf(ingestSeq: number): void {
    this.closeOfReceipt.run(this.now(), ingestSeq);
  }

  /** Closes the open questions of all Hermes processes but one. @returns how many */
  closeOthers(livingInstance: string): number {
    return this.closeOfOthers.run(this.now(), livingInstance).changes;
  }

  /** Lanes in which a question is open. */
  lanes(): string[] {
    return this.openLanes.all();
  }
}
