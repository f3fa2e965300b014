// SPDX-License-Identifier: Apache-2.0
import { Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { join } from 'node:path';
import { Clock } from '../../common/clock.js';
import { FatalErrors } from '../../common/fatal.js';
import { Telemetry } from '../../common/telemetry.js';
import { ServiceSettings } from '../../config/index.js';
import { INBOUND_HANDLER } from '../gateway/index.js';
import { BridgeLocks } from './bridge-locks.js';
import { Classifier } from './classifier.js';
import { Intake } from './intake.js';
import { Recovery } from './recovery.js';
import { RetentionTicks } from './retention-ticks.js';
import { Retention } from './retention.js';
import { Scheduler } from './scheduler.js';
import { LEDGER_STORE, WorkerLedgerStore, type LedgerStore } from './store/index.js';

/** The durable inbox. Global, because the gateway is given its handler without knowing this module. */
@Global()
@Module({
  imports: [ScheduleModule.forRoot()],
  providers: [
    {
      provide: LEDGER_STORE,
      inject: [ServiceSettings, Clock, FatalErrors],
      useFactory: (settings: ServiceSettings, clock: Clock, fatal: FatalErrors): LedgerStore =>
        new WorkerLedgerStore({
          path: join(settings.paths.stateDir, 'ledger.sqlite3'),
          busyTimeoutMs: settings.ledger.busyTimeoutMs,
          writeStallMs: settings.ledger.writeStallMs,
          walMaxBytes: settings.ledger.walMaxBytes,
          clock,
          onLost: (error) => fatal.report(error),
        }),
    },
    {
      provide: BridgeLocks,
      inject: [ServiceSettings],
      useFactory: (settings: ServiceSettings) => new BridgeLocks(settings.paths.lockDir),
    },
    {
      provide: Scheduler,
      inject: [LEDGER_STORE, Clock, Telemetry],
      useFactory: (store: LedgerStore, clock: Clock, telemetry: Telemetry) => new Scheduler(store, clock, telemetry),
    },
    {
      provide: Recovery,
      inject: [LEDGER_STORE, Scheduler, Telemetry],
      useFactory: (store: LedgerStore, scheduler: Scheduler, telemetry: Telemetry) =>
        new Recovery(store, scheduler, telemetry),
    },
    {
      provide: Classifier,
      inject: [LEDGER_STORE, Scheduler],
      useFactory: (store: LedgerStore, scheduler: Scheduler) => new Classifier(store, scheduler),
    },
    {
      provide: Retention,
      inject: [LEDGER_STORE, Clock, Telemetry, ServiceSettings],
      useFactory: (store: LedgerStore, clock: Clock, telemetry: Telemetry, settings: ServiceSettings) =>
        new Retention(store, clock, telemetry, settings.retention),
    },
    RetentionTicks,
    {
      provide: INBOUND_HANDLER,
      inject: [LEDGER_STORE, Scheduler, Classifier, Clock, Telemetry],
      useFactory: (
        store: LedgerStore,
        scheduler: Scheduler,
        classifier: Classifier,
        clock: Clock,
        telemetry: Telemetry,
      ) => new Intake(store, scheduler, classifier, clock, telemetry),
    },
  ],
  exports: [LEDGER_STORE, BridgeLocks, Classifier, Scheduler, Recovery, Retention, INBOUND_HANDLER],
})
export class InboxModule {}
