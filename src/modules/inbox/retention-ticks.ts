// SPDX-License-Identifier: Apache-2.0
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Retention } from './retention.js';

/** Milliseconds between two looks whether a pass is due; the interval of the passes themselves is a setting. */
const TICK_MS = 60_000;

/** Lets retention look at the clock every minute while the application runs. */
@Injectable()
export class RetentionTicks {
  constructor(private readonly retention: Retention) {}

  @Interval('retention', TICK_MS)
  tick(): Promise<void> {
    return this.retention.tick();
  }
}
