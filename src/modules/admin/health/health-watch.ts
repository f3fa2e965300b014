// SPDX-License-Identifier: Apache-2.0
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectPinoLogger, PinoLogger } from 'nestjs-pino';
import { HealthService } from './health.service.js';

/** How often health is looked at, in ms. */
export const HEALTH_WATCH_INTERVAL_MS = 30_000;

/** Writes a line to the log when the reasons of health change, so that the log tells since when something waits (QLT-5). */
@Injectable()
export class HealthWatch {
  private known = '';

  constructor(
    private readonly health: HealthService,
    @InjectPinoLogger(HealthWatch.name) private readonly logger: PinoLogger,
  ) {}

  /** One look; the scheduler of Nest calls it and ends with the application. */
  @Interval('health-watch', HEALTH_WATCH_INTERVAL_MS)
  async look(): Promise<void> {
    const { status, reasons } = await this.health.snapshot();
    const names = reasons.map(({ name }) => name);
    if (names.join() === this.known) return;
    this.known = names.join();
    this.logger[status === 'red' ? 'warn' : 'info']({ event: 'health.changed', status, reasons: names }, 'health');
  }
}
