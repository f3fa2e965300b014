// SPDX-License-Identifier: Apache-2.0
import type { Clock } from './common/clock.js';
import { AngeliaError, codeOf } from './common/errors.js';
import type { FatalErrors } from './common/fatal.js';
import { Lifecycle } from './common/lifecycle.js';
import type { StopSignal } from './common/stop-signal.js';
import type { Telemetry } from './common/telemetry.js';
import type { ChatServer } from './modules/gateway/index.js';
import type { HermesHost } from './modules/hermes/index.js';
import type {
  Classifier,
  BridgeLocks,
  LedgerStore,
  Pauses,
  Remediation,
  Retention,
  Scheduler,
} from './modules/inbox/index.js';
import type {
  ControlDeadlines,
  Watchdog,
  EffectiveSettings,
  HermesAttachment,
  HermesTurnRunner,
  HostEvents,
  OutboxSender,
} from './modules/runs/index.js';

/** Drain while no settings are known, in seconds. */
const DEFAULT_DRAIN_SECONDS = 30;
/** How long a stop waits for answers that are still on their way out, in ms. */
const FLUSH_MS = 5000;

/** Everything that the bridge starts and stops. */
export interface BridgeParts {
  /** Folder of the Hermes profile. */
  readonly hermesHome: string;
  readonly locks: BridgeLocks;
  readonly store: LedgerStore;
  readonly scheduler: Scheduler;
  readonly pauses: Pauses;
  readonly remediation: Remediation;
  readonly retention: Retention;
  readonly runner: HermesTurnRunner;
  readonly chat: ChatServer;
  readonly host: HermesHost;
  readonly settings: EffectiveSettings;
  readonly attachment: HermesAttachment;
  readonly events: HostEvents;
  readonly classifier: Classifier;
  readonly deadlines: ControlDeadlines;
  readonly watchdog: Watchdog;
  readonly outbox: OutboxSender;
  readonly clock: Clock;
  readonly stopSignal: StopSignal;
  /** Told of a ledger that belongs to another agent. */
  readonly fatal: FatalErrors;
  readonly telemetry: Telemetry;
}

/**
 * The order in which the bridge comes up and goes down.
 *
 * Up: profile lock → ledger → lanes → kept settings (the chat server connects) → link. Down (INB-10): dispatch closed → running turns awaited up to the
 * drain → answers flushed → link, connection, ledger, locks closed. A turn that Hermes still runs stays in processing and is taken
 * up again by the next start (D-19). Messages are stored until the connection is closed: the wire has no replay, so not storing would lose them.
 */
export class Bridge extends Lifecycle {
  private readonly impatience = new AbortController();
  private watching: Promise<void> = Promise.resolve();

  constructor(private readonly parts: BridgeParts) {
    super();
  }

  /** Ends the wait for running turns (a second signal). */
  hurry(): void {
    this.impatience.abort();
  }

  protected override async onStart(): Promise<void> {
    const { locks, store, scheduler, runner, chat, host, settings, attachment, events, outbox, fatal, stopSignal } =
      this.parts;
    locks.takeProfile(this.parts.hermesHome);
    const ledger = await store.open();
    attachment.epoch = ledger.epoch;
    scheduler.setRunner(runner);
    scheduler.restore(ledger.lanes);
    this.parts.remediation.restore(ledger.resets);
    this.parts.pauses.restore(ledger.pauses);
    await this.parts.classifier.restore(ledger.commands);
    outbox.enqueue(ledger.queued);
    chat.onIdentity(async (identity) => {
      try {
        await store.bindIdentity(identity);
      } catch (error) {
        if (error instanceof AngeliaError) fatal.report(error);
        throw error;
      }
    });
    settings.restore(ledger.settings);
    host.setHandler(attachment);
    events.closeTasks(ledger.openTasks);
    events.resumeTasks(ledger.lanes);
    this.watching = this.parts.watchdog.run(stopSignal.signal);
    await host.listen();
  }

  protected override async onStop(): Promise<void> {
    const { locks, store, scheduler, chat, host, settings, outbox, stopSignal } = this.parts;
    stopSignal.abort();
    const drainSeconds = settings.current?.drain_timeout_seconds ?? DEFAULT_DRAIN_SECONDS;
    const drained = scheduler.drain();
    if (host.status().attached !== null) await this.within(drainSeconds * 1000, drained);
    if (chat.online) await this.within(FLUSH_MS, outbox.whenEmpty());
    outbox.stop();
    this.parts.deadlines.stop();
    await this.watching;
    await this.guarded('stop.retention', () => this.parts.retention.stop());
    await this.guarded('stop.link', () => host.close());
    await this.guarded('stop.gateway', () => chat.close());
    await this.guarded('stop.ledger', () => store.close());
    await this.guarded('stop.locks', () => {
      locks.release();
      return Promise.resolve();
    });
  }

  /** Waits for something, but not longer than the bound or the operator's patience. */
  private async within(boundMs: number, done: Promise<void>): Promise<void> {
    const over = new AbortController();
    const patience = AbortSignal.any([this.impatience.signal, over.signal]);
    await Promise.race([done, this.parts.clock.sleep(boundMs, patience)]);
    // The timer of the bound would keep the process alive.
    over.abort();
  }

  /** A step of the stop that fails is reported and never keeps the next one from running. */
  private async guarded(where: string, step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.parts.telemetry.emit('error.unexpected', { where, code: codeOf(error), ids: {} });
    }
  }
}
