// SPDX-License-Identifier: Apache-2.0
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Telemetry } from '../../../common/telemetry.js';
import { HealthService } from './health.service.js';

/** How often health is looked at, in ms. */
export const HEALTH_WATCH_INTERVAL_MS = 30_000;

/** Reports when the reasons of health change, so that the log tells since when something waits (QLT-5). */
@Injectable()
export class HealthWatch {
  private known = '';

  constructor(
    private readonly health: HealthService,
    private readonly telemetry: Telemetry,
  ) {}

  /** One look; the scheduler of Nest calls it and ends with the application. */
  @Interval('health-watch', HEALTH_WATCH_INTERVAL_MS)
  async look(): Promise<void> {
    const { status, reasons } = await this.health.snapshot();
    const names = reasons.map(({ name }) => name).join();
    if (names === this.known) return;
    this.known = names;
    this.telemetry.emit('health.changed', { status, reasons: names });
  }
}
