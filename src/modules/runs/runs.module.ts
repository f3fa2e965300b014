// SPDX-License-Identifier: Apache-2.0
import { Module } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { StopSignal } from '../../common/stop-signal.js';
import { Telemetry } from '../../common/telemetry.js';
import { readApiKey, ServiceSettings } from '../../config/index.js';
import { CHAT_SERVER, GatewayModule, type ChatServer } from '../gateway/index.js';
import { HERMES_HOST, HermesModule, type HermesHost } from '../hermes/index.js';
import {
  BridgeLocks,
  Classifier,
  LEDGER_STORE,
  OutageHold,
  Pauses,
  Recovery,
  Remediation,
  Scheduler,
  type LedgerStore,
} from '../inbox/index.js';
import { ControlDeadlines } from './control-deadlines.js';
import { EffectiveSettings } from './effective-settings.js';
import { HermesAttachment } from './hermes-attachment.js';
import { HostEvents } from './host-events.js';
import { OutboxSender } from './outbox-sender.js';
import { HermesTurnRunner } from './turn-runner.js';
import { Watchdog } from './watchdog.js';

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
      provide: ControlDeadlines,
      inject: [LEDGER_STORE, Scheduler, HERMES_HOST, Clock, Telemetry, ServiceSettings],
      useFactory: (
        store: LedgerStore,
        scheduler: Scheduler,
        host: HermesHost,
        clock: Clock,
        telemetry: Telemetry,
        settings: ServiceSettings,
      ) => new ControlDeadlines(store, scheduler, host, clock, telemetry, settings.turns.controlTimeoutSeconds * 1000),
    },
    {
      provide: Watchdog,
      inject: [Scheduler, Recovery, HERMES_HOST, Clock, Telemetry, ServiceSettings],
      useFactory: (
        scheduler: Scheduler,
        recovery: Recovery,
        host: HermesHost,
        clock: Clock,
        telemetry: Telemetry,
        settings: ServiceSettings,
      ) => new Watchdog(scheduler, recovery, host, clock, telemetry, settings.turns.watchdogSeconds * 1000),
    },
    {
      provide: HostEvents,
      inject: [LEDGER_STORE, Scheduler, Classifier, ControlDeadlines, OutboxSender, CHAT_SERVER, Clock, Telemetry],
      useFactory: (
        store: LedgerStore,
        scheduler: Scheduler,
        classifier: Classifier,
        deadlines: ControlDeadlines,
        outbox: OutboxSender,
        chat: ChatServer,
        clock: Clock,
        telemetry: Telemetry,
      ) => new HostEvents(store, scheduler, classifier, deadlines, outbox, chat, clock, telemetry),
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
      provide: Remediation,
      inject: [LEDGER_STORE, Scheduler, HERMES_HOST, Telemetry],
      useFactory: (store: LedgerStore, scheduler: Scheduler, host: HermesHost, telemetry: Telemetry) =>
        new Remediation(store, scheduler, host, telemetry),
    },
    {
      provide: Pauses,
      inject: [LEDGER_STORE, Scheduler, CHAT_SERVER, Telemetry],
      useFactory: (store: LedgerStore, scheduler: Scheduler, chat: ChatServer, telemetry: Telemetry) =>
        new Pauses(store, scheduler, chat, telemetry),
    },
    {
      provide: OutageHold,
      inject: [LEDGER_STORE, Scheduler, Clock, Telemetry, ServiceSettings],
      useFactory: (
        store: LedgerStore,
        scheduler: Scheduler,
        clock: Clock,
        telemetry: Telemetry,
        settings: ServiceSettings,
      ) => new OutageHold(store, scheduler, clock, telemetry, settings.turns.holdOlderThanMinutes * 60_000),
    },
    {
      provide: HermesAttachment,
      inject: [
        LEDGER_STORE,
        Scheduler,
        Recovery,
        Remediation,
        OutageHold,
        Classifier,
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
        remediation: Remediation,
        hold: OutageHold,
        classifier: Classifier,
        settings: EffectiveSettings,
        host: HermesHost,
        events: HostEvents,
        clock: Clock,
        telemetry: Telemetry,
        stop: StopSignal,
      ) =>
        new HermesAttachment(
          store,
          scheduler,
          recovery,
          remediation,
          hold,
          classifier,
          settings,
          host,
          events,
          clock,
          telemetry,
          stop.signal,
        ),
    },
    {
      provide: HermesTurnRunner,
      inject: [LEDGER_STORE, Scheduler, HERMES_HOST, HostEvents, ControlDeadlines, Telemetry],
      useFactory: (
        store: LedgerStore,
        scheduler: Scheduler,
        host: HermesHost,
        events: HostEvents,
        deadlines: ControlDeadlines,
        telemetry: Telemetry,
      ) => new HermesTurnRunner(store, scheduler, host, events, deadlines, telemetry),
    },
  ],
  exports: [
    ControlDeadlines,
    OutboxSender,
    Watchdog,
    HostEvents,
    EffectiveSettings,
    HermesAttachment,
    HermesTurnRunner,
    Pauses,
    Remediation,
    GatewayModule,
    HermesModule,
  ],
})
export class RunsModule {}
