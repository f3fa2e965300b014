// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../../common/clock.js';
import { codeOf } from '../../common/errors.js';
import type { Telemetry } from '../../common/telemetry.js';
import type { RetentionLimits } from '../../config/index.js';
import type { LedgerStore, RetentionResult, RetentionRules } from './store/index.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Rest between two steps, so that a long pass leaves the ledger to the traffic, in ms. */
const STEP_REST_MS = 20;

/** How retention stands. */
export interface RetentionStatus {
  /** The last pass failed, or one takes longer than its interval: the ledger may grow. */
  readonly behind: boolean;
  /** Unix ms of the end of the last whole pass; null before the first. */
  readonly passedAt: number | null;
}

/**
 * Keeps the ledger from growing for ever (INB-14): texts, rows and keys leave by age and count, in small steps, only of ended receipts. A tick comes
 * from outside; a pass begins when its interval is over.
 */
export class Retention {
  private readonly stopper = new AbortController();
  private readonly rules: RetentionRules;
  private readonly intervalMs: number;
  private running: Promise<void> | null = null;
  /** Unix ms at which the pass that runs began. */
  private beganAt = 0;
  private dueAt = 0;
  private failed = false;
  private passedAt: number | null = null;

  constructor(
    private readonly store: LedgerStore,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
    limits: RetentionLimits,
  ) {
    this.intervalMs = limits.intervalMinutes * MINUTE_MS;
    this.rules = {
      bodiesAfterMs: limits.bodyDays * DAY_MS,
      rowsAfterMs: limits.rowDays * DAY_MS,
      maxTerminalRows: limits.maxRows,
      dedupeHorizonMs: limits.dedupeHorizonDays * DAY_MS,
      limit: limits.stepRows,
    };
  }

  get status(): RetentionStatus {
    const slow = this.running !== null && this.clock.now() - this.beganAt > this.intervalMs;
    return { behind: this.failed || slow, passedAt: this.passedAt };
  }

  /** Begins a pass when one is due and none runs. @returns the end of the pass that runs, if any; never rejects */
  tick(): Promise<void> {
    const now = this.clock.now();
    if (this.running !== null || this.stopper.signal.aborted || now < this.dueAt)
      return this.running ?? Promise.resolve();
    this.beganAt = now;
    this.dueAt = now + this.intervalMs;
    this.running = this.pass().finally(() => (this.running = null));
    return this.running;
  }

  /** Ends a pass after its step and begins no other. */
  async stop(): Promise<void> {
    this.stopper.abort();
    await this.running;
  }

  private async pass(): Promise<void> {
    const total = { bodies: 0, rows: 0, keys: 0, steps: 0 };
    try {
      let more = true;
      while (more && !this.stopper.signal.aborted) {
        const result = await this.store.retain(this.rules);
        add(total, result);
        ({ more } = result);
        if (more) await this.clock.sleep(STEP_REST_MS, this.stopper.signal);
      }
      if (!more) this.passedAt = this.clock.now();
      this.failed = false;
    } catch (error) {
      this.failed = true;
      this.telemetry.emit('error.unexpected', { where: 'retention', code: codeOf(error), ids: { steps: total.steps } });
    }
    this.telemetry.emit('retention.passed', total);
  }
}

function add(total: { bodies: number; rows: number; keys: number; steps: number }, result: RetentionResult): void {
  total.bodies += result.bodies;
  total.rows += result.rows;
  total.keys += result.keys;
  total.steps += 1;
}
