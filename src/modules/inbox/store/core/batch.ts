// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import { isBusy, spoilsConnection } from './ledger-error.js';

/** One step of a batch: reads and writes, and throws to be undone. */
export type BatchStep = () => unknown;

/** What became of a step. `error` is whatever was thrown. */
export type StepOutcome = { readonly value: unknown } | { readonly error: unknown };

/** Steps of one batch that may each cost it its transaction before the rest is given up: the disk is at fault then, not a step. */
const MAX_LOST_TRANSACTIONS = 3;

/** How one attempt ended. */
type Attempt =
  | { readonly kind: 'committed'; readonly outcomes: StepOutcome[] }
  /** Another process holds the lock: nothing happened. */
  | { readonly kind: 'busy'; readonly error: unknown }
  /** One step made SQLite roll everything back (disk full, I/O error). */
  | { readonly kind: 'lost'; readonly at: number; readonly error: unknown }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Runs batches of steps, each batch in one transaction that takes the write lock first, each step in its own savepoint (INB-13).
 * A failing step is undone alone. When the commit fails, every step of the batch has failed and the connection is idle again, or
 * `doubtful` asks for a new one (F-43).
 */
export class BatchRunner {
  /** The connection can no longer be trusted and has to be opened anew. */
  doubtful = false;

  private readonly beginWrite: Database.Statement;
  private readonly beginRead: Database.Statement;
  private readonly commit: Database.Statement;
  private readonly savepoint: Database.Statement;
  private readonly release: Database.Statement;
  private readonly undo: Database.Statement;

  /**
   * @param writeStallMs ms after which a batch that never got the lock is given up
   * @param monotonic ms of a clock that never goes back
   */
  constructor(
    private readonly db: Database.Database,
    private readonly writeStallMs: number,
    private readonly monotonic: () => number,
  ) {
    this.beginWrite = db.prepare('BEGIN IMMEDIATE');
    this.beginRead = db.prepare('BEGIN');
    this.commit = db.prepare('COMMIT');
    this.savepoint = db.prepare('SAVEPOINT step');
    this.release = db.prepare('RELEASE step');
    this.undo = db.prepare('ROLLBACK TO step');
  }

  /**
   * @param steps run in their order
   * @param writes false: only reads, which need no lock and work on a full disk
   * @returns one outcome for each step; values only of what is committed
   */
  run(steps: readonly BatchStep[], writes: boolean): StepOutcome[] {
    const culprits = new Map<number, unknown>();
    const deadline = this.monotonic() + this.writeStallMs;
    for (;;) {
      const attempt = this.attempt(steps, culprits, writes);
      if (attempt.kind === 'committed') return attempt.outcomes;
      if (attempt.kind === 'busy' && this.monotonic() < deadline) continue;
      if (attempt.kind === 'lost') {
        culprits.set(attempt.at, attempt.error);
        if (culprits.size < MAX_LOST_TRANSACTIONS && !this.doubtful) continue;
      }
      return steps.map((_, index) => ({ error: culprits.get(index) ?? attempt.error }));
    }
  }

  private attempt(steps: readonly BatchStep[], culprits: ReadonlyMap<number, unknown>, writes: boolean): Attempt {
    try {
      (writes ? this.beginWrite : this.beginRead).run();
      const outcomes: StepOutcome[] = [];
      for (const [index, step] of steps.entries()) {
        const outcome = culprits.has(index) ? { error: culprits.get(index) } : this.runStep(step, writes);
        if ('error' in outcome && !this.db.inTransaction) return this.lost(index, outcome.error);
        if ('error' in outcome && isBusy(outcome.error)) return this.abandon(outcome.error);
        outcomes.push(outcome);
      }
      this.commit.run();
      return { kind: 'committed', outcomes };
    } catch (error) {
      return this.abandon(error);
    }
  }

  private runStep(step: BatchStep, writes: boolean): StepOutcome {
    if (writes) this.savepoint.run();
    const outcome = guarded(step);
    if ('error' in outcome) this.doubtful ||= spoilsConnection(outcome.error);
    if (!writes || !this.db.inTransaction) return outcome;
    if ('error' in outcome) this.undo.run();
    this.release.run();
    return outcome;
  }

  private lost(at: number, error: unknown): Attempt {
    this.doubtful ||= spoilsConnection(error);
    return { kind: 'lost', at, error };
  }

  /** Ends an attempt that did not commit and leaves the connection idle. */
  private abandon(error: unknown): Attempt {
    this.doubtful ||= spoilsConnection(error);
    try {
      if (this.db.inTransaction) this.db.exec('ROLLBACK');
    } catch {
      this.doubtful = true;
    }
    this.doubtful ||= this.db.inTransaction;
    return { kind: isBusy(error) ? 'busy' : 'failed', error };
  }
}

function guarded(step: BatchStep): StepOutcome {
  try {
    return { value: step() };
  } catch (error) {
    return { error };
  }
}
