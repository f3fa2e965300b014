// SPDX-License-Identifier: Apache-2.0
import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { Telemetry } from '../../common/telemetry.js';
import { ServiceSettings } from '../../config/index.js';
import { CHAT_SERVER, type ChatServer } from '../gateway/index.js';
import { HERMES_HOST, type HermesHost } from '../hermes/index.js';
import { LEDGER_STORE, Scheduler, type LedgerStore } from '../inbox/index.js';
import { EffectiveSettings, HermesAttachment, RunsModule } from '../runs/index.js';
import { ADMIN_TOKEN, AdminTokenGuard } from './admin-token.guard.js';
import { readOrCreateAdminToken } from './admin-token.js';
import { HealthWatch } from './health-watch.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { LoopbackHostGuard } from './loopback-host.guard.js';

/** The operator's interface. */
@Module({
  imports: [RunsModule, ScheduleModule.forRoot()],
  controllers: [HealthController],
  providers: [
    { provide: APP_GUARD, useClass: LoopbackHostGuard },
    AdminTokenGuard,
    HealthWatch,
    {
      provide: ADMIN_TOKEN,
      inject: [ServiceSettings],
      useFactory: (service: ServiceSettings) => readOrCreateAdminToken(service.paths.stateDir),
    },
    {
      provide: HealthService,
      inject: [LEDGER_STORE, Scheduler, CHAT_SERVER, HERMES_HOST, EffectiveSettings, HermesAttachment, Telemetry],
      useFactory: (
        store: LedgerStore,
        scheduler: Scheduler,
        chat: ChatServer,
        host: HermesHost,
        settings: EffectiveSettings,
        attachment: HermesAttachment,
        telemetry: Telemetry,
      ) => new HealthService(store, scheduler, chat, host, settings, attachment, telemetry),
    },
  ],
})
export class AdminModule {}
