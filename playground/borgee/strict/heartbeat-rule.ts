// SPDX-License-Identifier: Apache-2.0
import { type Violation, violation } from './checks.js';

/** Bounds of the pause between heartbeats, ms. */
export interface HeartbeatBounds {
  readonly minMs: number;
  readonly maxMs: number;
}

/**
 * A client beats every 30 s, a little less is allowed (bpp 1.6). The upper bound is the server's own patience: 30 s, found by a scan
 * every 10 s; the lower one keeps a client from using heartbeats as pings.
 */
export const HEARTBEAT_BOUNDS: HeartbeatBounds = { minMs: 15_000, maxMs: 40_000 };

/** Watches the heartbeats of one connection (check `heartbeat-interval`). */
export class HeartbeatRule {
  private timer: NodeJS.Timeout | undefined;
  private last = 0;
  private suspended = false;
  private resumedAt = -Infinity;

  /** @param onMissing called when a heartbeat did not come in time */
  constructor(
    private readonly bounds: HeartbeatBounds,
    private readonly onMissing: (broken: Violation) => void,
  ) {}

  /** The client may now count itself online: the first pause begins. Does nothing when it has begun before. */
  expect(): void {
    if (this.last === 0) this.restart();
  }

  /** The client is not online yet after all. */
  withhold(): void {
    this.last = 0;
    clearTimeout(this.timer);
  }

  /** Takes a heartbeat. */
  beat(): Violation | null {
    const now = performance.now();
    const pause = now - this.last;
    this.last = now;
    this.arm();
    // What piled up while nothing was read comes at once; its real times are unknown.
    if (this.suspended || now - this.resumedAt < this.bounds.minMs || pause >= this.bounds.minMs) return null;
    return violation('heartbeat-interval', `after ${Math.round(pause)} ms`);
  }

  /** Stops watching: the playground does not read, so it cannot know. */
  suspend(): void {
    this.suspended = true;
    clearTimeout(this.timer);
  }

  /** Watches again; the pause begins now. */
  resume(): void {
    this.suspended = false;
    this.resumedAt = performance.now();
    if (this.last !== 0) this.restart();
  }

  private restart(): void {
    this.last = performance.now();
    this.arm();
  }

  private arm(): void {
    clearTimeout(this.timer);
    if (this.suspended || this.last === 0) return;
    this.timer = setTimeout(
      () => this.onMissing(violation('heartbeat-interval', `none for ${this.bounds.maxMs} ms`)),
      this.bounds.maxMs,
    );
  }
}
