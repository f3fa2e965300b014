// SPDX-License-Identifier: Apache-2.0
import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { Clock } from '../../common/clock.js';
import { Telemetry } from '../../common/telemetry.js';
import { ServiceSettings } from '../../config/index.js';
import { CHAT_SERVER, type ChatServer } from '../gateway/index.js';
import { HERMES_HOST, type HermesHost } from '../hermes/index.js';
import { LEDGER_STORE, Pauses, Remediation, Retention, Scheduler, type LedgerStore } from '../inbox/index.js';
import { EffectiveSettings, HermesAttachment, RunsModule } from '../runs/index.js';
import { ADMIN_TOKENS, AdminTokenGuard } from './access/admin-token.guard.js';
import { readOrCreateAdminTokens } from './access/admin-tokens.js';
import { LoopbackHostGuard } from './access/loopback-host.guard.js';
import { AdminErrorFilter } from './api/admin-error.filter.js';
import { requestValidation } from './api/admin-http.js';
import { LanesController } from './api/lanes.controller.js';
import { PausesController } from './api/pauses.controller.js';
import { ReceiptsController } from './api/receipts.controller.js';
import { freeBytesOf } from './health/disk.js';
import { EventLoopDelay } from './health/event-loop-delay.js';
import { HealthWatch } from './health/health-watch.js';
import { HealthController } from './health/health.controller.js';
import { HealthService } from './health/health.service.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { Metrics } from './metrics/metrics.js';
import { MetricsService } from './metrics/metrics.service.js';
import { feedFromTelemetry } from './metrics/telemetry-feed.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { OpenApi } from './openapi/openapi.js';

/** The operator's interface. */
@Module({
  imports: [RunsModule],
  controllers: [
    HealthController,
    LanesController,
    MetricsController,
    OpenApiController,
    PausesController,
    ReceiptsController,
  ],
  providers: [
    { provide: APP_GUARD, useClass: LoopbackHostGuard },
    { provide: APP_GUARD, useClass: AdminTokenGuard },
    { provide: APP_PIPE, useFactory: requestValidation },
    {
      provide: APP_FILTER,
      inject: [Telemetry],
      useFactory: (telemetry: Telemetry) => new AdminErrorFilter(telemetry),
    },
    {
      provide: ADMIN_TOKENS,
      inject: [ServiceSettings],
      useFactory: (service: ServiceSettings) => readOrCreateAdminTokens(service.paths.stateDir),
    },
    EventLoopDelay,
    HealthWatch,
    OpenApi,
    {
      provide: HealthService,
      inject: [
        LEDGER_STORE,
        Scheduler,
        Pauses,
        Remediation,
        Retention,
        CHAT_SERVER,
        HERMES_HOST,
        EffectiveSettings,
        HermesAttachment,
        EventLoopDelay,
        ServiceSettings,
        Telemetry,
      ],
      useFactory: (
        store: LedgerStore,
        scheduler: Scheduler,
        pauses: Pauses,
        remediation: Remediation,
        retention: Retention,
        chat: ChatServer,
        host: HermesHost,
        settings: EffectiveSettings,
        attachment: HermesAttachment,
        loop: EventLoopDelay,
        service: ServiceSettings,
        telemetry: Telemetry,
      ) =>
        new HealthService({
          store,
          scheduler,
          pauses,
          remediation,
          retention,
          chat,
          host,
          settings,
          attachment,
          loop,
          freeBytes: freeBytesOf(service.paths.stateDir),
          limits: service.health,
          telemetry,
        }),
    },
    {
      provide: Metrics,
      inject: [Telemetry, Clock],
      useFactory: (telemetry: Telemetry, clock: Clock) => {
        const metrics = new Metrics();
        feedFromTelemetry(metrics, telemetry, clock);
        return metrics;
      },
    },
    {
      provide: MetricsService,
      inject: [Metrics, HealthService],
      useFactory: (metrics: Metrics, health: HealthService) => new MetricsService(metrics, health),
    },
  ],
})
export class AdminModule {}
