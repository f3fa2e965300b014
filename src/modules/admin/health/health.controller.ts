// SPDX-License-Identifier: Apache-2.0
import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Operation } from '../openapi/operation.js';
import { healthAnswer } from './health-view.js';
import { HealthAnswer, LiveAnswer, ReadyAnswer } from './health.dto.js';
import { HealthService } from './health.service.js';

/** Liveness, readiness and the figures behind them. */
@Controller()
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('health/live')
  @Operation({ summary: 'The process runs and answers.', scope: 'open', answer: LiveAnswer, example: {} })
  live(): LiveAnswer {
    return { status: 'ok' };
  }

  @Get('health/ready')
  @Operation({
    summary: 'Says whether anything waits or gets lost sight of, and why.',
    scope: 'open',
    answer: ReadyAnswer,
    also: { status: 503, description: 'At least one reason is red.' },
    example: {},
  })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadyAnswer> {
    const { status, reasons } = await this.health.snapshot();
    if (status === 'red') void reply.status(503);
    return { status, reasons };
  }

  @Get('api/v1/health')
  @Operation({
    summary: 'Reasons with all figures behind them.',
    scope: 'read',
    answer: HealthAnswer,
    example: {},
  })
  async figures(): Promise<HealthAnswer> {
    return healthAnswer(await this.health.snapshot(), this.health.parts);
  }
}
