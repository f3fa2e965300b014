// SPDX-License-Identifier: Apache-2.0
import type { ResultFault } from './types.js';

/** A result that waits for its release. */
type Release = () => void;

/** Brings results out as the plans say: at once, late, twice, in another order, or not at all. */
export class ResultDelivery {
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly held: Release[] = [];
  private reordered: Release[] = [];

  /** @param release sends the result @param fault how it is disturbed, or null */
  deliver(release: Release, fault: ResultFault | null): void {
    switch (fault?.kind) {
      case 'delay':
        this.later(release, fault.ms);
        return;
      case 'hold':
        this.held.push(release);
        return;
      case 'duplicate':
        release();
        release();
        return;
      case 'reorder':
        this.reorder(release, fault.count);
        return;
      case 'drop':
      case 'ignore':
        return;
      case 'refuse':
      case 'deny':
      case 'reply':
      case undefined:
        release();
    }
  }

  /** Sends what is held, oldest first. @returns how many */
  releaseAll(): number {
    const due = this.held.splice(0);
    for (const release of due) release();
    return due.length;
  }

  /** Forgets everything. */
  clear(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    this.held.length = 0;
    this.reordered = [];
  }

  private later(release: Release, ms: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      release();
    }, ms);
    this.timers.add(timer);
  }

  private reorder(release: Release, count: number): void {
    this.reordered.push(release);
    if (this.reordered.length < count) return;
    const due = this.reordered.reverse();
    this.reordered = [];
    for (const next of due) next();
  }
}
