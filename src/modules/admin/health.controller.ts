// SPDX-License-Identifier: Apache-2.0
import { Controller, Get, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AdminTokenGuard } from './admin-token.guard.js';
import { HealthService, type HealthFigures, type HealthReport } from './health.service.js';

/** Liveness, readiness and the figures behind them. */
@Controller()
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** The process runs and answers. */
  @Get('health/live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** 200 while nothing is red, else 503 with the reasons. */
  @Get('health/ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<HealthReport> {
    const report = await this.health.report();
    if (report.status === 'red') reply.status(503);
    return report;
  }

  /** Reasons and figures; needs the admin token. */
  @Get('api/v1/health')
  @UseGuards(AdminTokenGuard)
  figures(): Promise<HealthFigures> {
    return this.health.figures();
  }
}
