// SPDX-License-Identifier: Apache-2.0
import { AngeliaError } from '../../../common/errors.js';
import type { StepName } from './steps.js';
import type { WireOutcome, WireStep } from './wire.js';

interface Submitted {
  readonly step: WireStep;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The queue of the store actor (K1, INB-13): first in, first out, one batch under way; what arrives meanwhile is the next batch. Nothing
 * waits for a group: the first step leaves at once, together with what the same turn of the event loop submitted.
 */
export class StepQueue {
  private waiting: Submitted[] = [];
  private underWay: Promise<void> | null = null;
  private paused = true;

  /**
   * @param maxSteps most steps of one batch
   * @param send commits a batch; one outcome for each step
   */
  constructor(
    private readonly maxSteps: number,
    private readonly send: (steps: readonly WireStep[]) => Promise<readonly WireOutcome[]>,
  ) {}

  /** Adds a step. @returns its packed value, after its commit */
  submit(name: StepName, args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ step: [name, args], resolve, reject });
      this.wake();
    });
  }

  /** Steps are sent from now on; before, they only wait. */
  begin(): void {
    this.paused = false;
    this.wake();
  }

  /** Rejects everything that waits. */
  fail(error: unknown): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const { reject } of waiting) reject(error);
  }

  /** Resolves when nothing waits or is under way. */
  async settled(): Promise<void> {
    while (this.underWay !== null) await this.underWay;
  }

  private wake(): void {
    if (this.paused || this.underWay !== null) return;
    this.underWay = this.drain();
  }

  private async drain(): Promise<void> {
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, this.maxSteps);
      await this.commit(batch);
    }
    this.underWay = null;
  }

  private async commit(batch: readonly Submitted[]): Promise<void> {
    try {
      const outcomes = await this.send(batch.map(({ step }) => step));
      for (const [index, { resolve, reject }] of batch.entries()) settle(outcomes[index], resolve, reject);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

function settle(outcome: WireOutcome | undefined, resolve: Submitted['resolve'], reject: Submitted['reject']): void {
  if (outcome !== undefined && 'value' in outcome) {
    resolve(outcome.value);
    return;
  }
  const error = outcome?.error;
  reject(
    error === undefined
      ? new RangeError('a step without an outcome')
      : new AngeliaError(error.code, error.details, error.cause),
  );
}
