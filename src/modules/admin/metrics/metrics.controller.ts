// SPDX-License-Identifier: Apache-2.0
import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Operation } from '../openapi/operation.js';
import { MetricsService } from './metrics.service.js';

/** The page for Prometheus. */
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  @Get()
  @Operation({
    summary: 'Metrics in the text format of Prometheus; docs/metrics.md lists them.',
    scope: 'metrics',
    answer: 'text',
    example: {},
  })
  async page(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const page = await this.metrics.page();
    void reply.type(this.metrics.contentType);
    return page;
  }
}
