// SPDX-License-Identifier: Apache-2.0
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the loop is looked at, ms; what is measured includes it. */
const RESOLUTION_MS = 50;
/** Length of a window, ms. */
const WINDOW_MS = 60_000;
const NS_PER_MS = 1_000_000;

/** How late the event loop was, in ms. */
export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const NONE: LoopDelay = { p50: 0, p99: 0, max: 0 };

/** Measures how late timers of this process run: a loop that is late reads its socket late. */
@Injectable()
export class EventLoopDelay implements OnModuleDestroy {
  private readonly histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private lastWindow: LoopDelay = NONE;

  constructor() {
    this.histogram.enable();
  }

  /** The worst of the window that runs and of the one before. */
  get recent(): LoopDelay {
    const now = this.current();
    const { lastWindow } = this;
    return {
      p50: Math.max(now.p50, lastWindow.p50),
      p99: Math.max(now.p99, lastWindow.p99),
      max: Math.max(now.max, lastWindow.max),
    };
  }

  /** Begins the next window. */
  @Interval('event_loop_delay', WINDOW_MS)
  nextWindow(): void {
    this.lastWindow = this.current();
    this.histogram.reset();
  }

  onModuleDestroy(): void {
    this.histogram.disable();
  }

  private current(): LoopDelay {
    if (this.histogram.count === 0) return NONE;
    const late = (ns: number): number => Math.max(0, ns / NS_PER_MS - RESOLUTION_MS);
    return {
      p50: late(this.histogram.percentile(50)),
      p99: late(this.histogram.percentile(99)),
      max: late(this.histogram.max),
    };
  }
}
