// SPDX-License-Identifier: Apache-2.0
import { Module } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { StopSignal } from '../../common/stop-signal.js';
import { Telemetry } from '../../common/telemetry.js';
import { readApiKey, ServiceSettings } from '../../config/index.js';
import { CHAT_SERVER, GatewayModule, type ChatServer } from '../gateway/index.js';
import { HERMES_HOST, HermesModule, type HermesHost } from '../hermes/index.js';
import { BridgeLocks, LEDGER_STORE, Recovery, Scheduler, type LedgerStore } from '../inbox/index.js';
import { EffectiveSettings } from './effective-settings.js';
import { HermesAttachment } from './hermes-attachment.js';
import { HostEvents } from './host-events.js';
import { OutboxSender } from './outbox-sender.js';
import { HermesTurnRunner } from './turn-runner.js';

/** The life of a turn, between inbox, Hermes and chat server. */
@Module({
  imports: [GatewayModule, HermesModule],
  providers: [
    {
      provide: OutboxSender,
      inject: [LEDGER_STORE, CHAT_SERVER, Clock, Telemetry],
      useFactory: (store: LedgerStore, chat: ChatServer, clock: Clock, telemetry: Telemetry) =>
        new OutboxSender(store, chat, clock, telemetry),
    },
    {
      provide: HostEvents,
      inject: [LEDGER_STORE, Scheduler, OutboxSender, CHAT_SERVER, Clock, Telemetry],
      useFactory: (
        store: LedgerStore,
        scheduler: Scheduler,
        outbox: OutboxSender,
        chat: ChatServer,
        clock: Clock,
        telemetry: Telemetry,
      ) => new HostEvents(store, scheduler, outbox, chat, clock, telemetry),
    },
    {
      provide: EffectiveSettings,
      inject: [ServiceSettings, LEDGER_STORE, BridgeLocks, CHAT_SERVER, Telemetry],
      useFactory: (
        service: ServiceSettings,
        store: LedgerStore,
        locks: BridgeLocks,
        chat: ChatServer,
        telemetry: Telemetry,
      ) => {
        const { hermesHome } = service.paths;
        return new EffectiveSettings(hermesHome, () => readApiKey(hermesHome), store, locks, chat, telemetry);
      },
    },
    {
      provide: HermesAttachment,
      inject: [
        LEDGER_STORE,
        Scheduler,
        Recovery,
        EffectiveSettings,
        HERMES_HOST,
        HostEvents,
        Clock,
        Telemetry,
        StopSignal,
      ],
      useFactory: (
        store: LedgerStore,
        scheduler: Scheduler,
        recovery: Recovery,
        settings: EffectiveSettings,
        host: HermesHost,
        events: HostEvents,
        clock: Clock,
        telemetry: Telemetry,
        stop: StopSignal,
      ) => new HermesAttachment(store, scheduler, recovery, settings, host, events, clock, telemetry, stop.signal),
    },
    {
      provide: HermesTurnRunner,
      inject: [LEDGER_STORE, Scheduler, HERMES_HOST, HostEvents, Telemetry],
      useFactory: (
        store: LedgerStore,
        scheduler: Scheduler,
        host: HermesHost,
        events: HostEvents,
        telemetry: Telemetry,
      ) => new HermesTurnRunner(store, scheduler, host, events, telemetry),
    },
  ],
  exports: [
    OutboxSender,
    HostEvents,
    EffectiveSettings,
    HermesAttachment,
    HermesTurnRunner,
    GatewayModule,
    HermesModule,
  ],
})
export class RunsModule {}
