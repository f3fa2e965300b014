// SPDX-License-Identifier: Apache-2.0
import { Global, Module } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Telemetry } from '../../common/telemetry.js';
import { INBOUND_HANDLER } from '../gateway/index.js';
import { Intake } from './intake.js';
import { Recovery } from './recovery.js';
import { Scheduler } from './scheduler.js';
import { LEDGER_STORE, type LedgerStore } from './store/index.js';

/** The durable inbox. Global, because the gateway is given its handler without knowing this module. */
@Global()
@Module({
  providers: [
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
      provide: INBOUND_HANDLER,
      inject: [LEDGER_STORE, Scheduler, Clock, Telemetry],
      useFactory: (store: LedgerStore, scheduler: Scheduler, clock: Clock, telemetry: Telemetry) =>
        new Intake(store, scheduler, clock, telemetry),
    },
  ],
  exports: [Scheduler, Recovery, INBOUND_HANDLER],
})
export class InboxModule {}
