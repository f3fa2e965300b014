// SPDX-License-Identifier: Apache-2.0
import { Clock, type ClockTimer } from '../../src/common/clock.js';

interface Waiting {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test moves it: nothing waits for real time. */
export class ManualClock extends Clock {
  private elapsed = 0;
  private order = 0;
  private readonly waiting = new Set<Waiting>();

  /** @param start Unix ms of the first moment */
  constructor(private readonly start = 1_700_000_000_000) {
    super();
  }

  override now(): number {
    return this.start + this.elapsed;
  }

  override monotonic(): number {
    return this.elapsed;
  }

  override schedule(delayMs: number, callback: () => void): ClockTimer {
    const timer: Waiting = { at: this.elapsed + Math.max(0, delayMs), order: (this.order += 1), callback };
    this.waiting.add(timer);
    return { cancel: () => this.waiting.delete(timer) };
  }

  /** Callbacks that still wait; a test that ends with some has left something open. */
  get pending(): number {
    return this.waiting.size;
  }

  /** Moves the time on and runs what is due meanwhile, in order, callbacks of callbacks included. */
  advance(ms: number): void {
    const end = this.elapsed + ms;
    for (let next = this.earliest(end); next !== undefined; next = this.earliest(end)) {
      this.waiting.delete(next);
      this.elapsed = next.at;
      next.callback();
    }
    this.elapsed = end;
  }

  private earliest(end: number): Waiting | undefined {
    return [...this.waiting].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0];
  }
}
