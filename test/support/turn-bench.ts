// SPDX-License-Identifier: Apache-2.0
import { Telemetry } from '../../src/common/telemetry.js';
import type { ShimEvent, TurnFlags } from '../../src/modules/hermes/index.js';
import {
  Classifier,
  OutageHold,
  Recovery,
  Remediation,
  Scheduler,
  type NewReceipt,
  type OpenedLedger,
} from '../../src/modules/inbox/index.js';
import { ControlDeadlines, HermesTurnRunner, HostEvents, OutboxSender } from '../../src/modules/runs/index.js';
import { FakeChatServer } from './fake-chat-server.js';
import { attachReport, FakeHermesHost } from './fake-hermes-host.js';
import { InlineLedgerStore } from './inline-ledger-store.js';
import { ManualClock } from './manual-clock.js';
import { ledgerFolder, newReceipt } from './store.js';

type Draft = ShimEvent extends infer E ? (E extends ShimEvent ? Omit<E, 'seq'> : never) : never;

/** Time of control work, in ms. */
export const CONTROL_TIMEOUT_MS = 15_000;

const FLAGS: TurnFlags = { dispatched: true, started: true, completed: true, interrupted: false };

/** The real ledger, scheduler and runs between a fake chat server and a fake Hermes. */
export class TurnBench {
  readonly folder = ledgerFolder();
  readonly clock = new ManualClock();
  readonly telemetry = new Telemetry();
  readonly store = new InlineLedgerStore({ path: this.folder.path, clock: this.clock });
  readonly chat = new FakeChatServer();
  readonly host = new FakeHermesHost();
  readonly scheduler = new Scheduler(this.store, this.clock, this.telemetry);
  readonly recovery = new Recovery(this.store, this.scheduler, this.telemetry);
  readonly remediation = new Remediation(this.store, this.scheduler, this.host, this.telemetry);
  readonly hold = new OutageHold(this.store, this.scheduler, this.clock, this.telemetry, 0);
  readonly classifier = new Classifier(this.store, this.scheduler);
  readonly deadlines = new ControlDeadlines(
    this.store,
    this.scheduler,
    this.host,
    this.clock,
    this.telemetry,
    CONTROL_TIMEOUT_MS,
  );
  readonly outbox = new OutboxSender(this.store, this.chat, this.clock, this.telemetry);
  readonly events = new HostEvents(
    this.store,
    this.scheduler,
    this.classifier,
    this.deadlines,
    this.outbox,
    this.chat,
    this.clock,
    this.telemetry,
  );
  readonly runner = new HermesTurnRunner(
    this.store,
    this.scheduler,
    this.host,
    this.events,
    this.deadlines,
    this.telemetry,
  );
  private seq = 0;

  static async open(): Promise<TurnBench> {
    const bench = new TurnBench();
    await bench.store.open();
    bench.scheduler.setRunner(bench.runner);
    return bench;
  }

  async close(): Promise<void> {
    this.outbox.stop();
    this.deadlines.stop();
    await this.store.close();
    this.folder.remove();
  }

  /** Makes a Hermes process the attached one. */
  attach(): void {
    this.host.attach(attachReport());
  }

  /** Opens the same ledger file again. */
  async reopen(): Promise<OpenedLedger> {
    const store = new InlineLedgerStore({ path: this.folder.path, clock: this.clock });
    const opened = await store.open();
    await store.close();
    return opened;
  }

  /** A committed receipt that the scheduler knows. */
  async admit(id: string, changes: Partial<NewReceipt> = {}): Promise<number> {
    const receipt = newReceipt(id, changes);
    const { ingestSeq } = await this.store.admit(receipt);
    this.scheduler.admitted(receipt.lane, ingestSeq, receipt.dispatchClass);
    return ingestSeq;
  }

  /** Admits a message, opens the dispatch and waits for its handover. @returns the claim */
  async handOver(id: string, changes: Partial<NewReceipt> = {}): Promise<string> {
    const claimed = this.telemetry.next('receipt.claimed', ({ messageId }) => messageId === id);
    await this.admit(id, changes);
    this.scheduler.setDispatch(true, 4);
    const { claim } = await claimed;
    await this.scheduler.quiesce();
    return claim;
  }

  /** Events of the shim, numbered on. @returns the replies in the order of the events */
  async shim(...drafts: Draft[]): Promise<({ go?: boolean } | undefined)[]> {
    const events = drafts.map((draft) => ({ ...draft, seq: (this.seq += 1) }));
    const replies = await this.events.apply('i', events);
    return events.map(({ seq }) => replies.get(seq));
  }

  /** The end of a turn. */
  ended(admission: string, outcome: Extract<ShimEvent, { type: 'ended' }>['outcome'], status?: number): Draft {
    const error = status === undefined ? {} : { error: { status, reason: 'refused' } };
    return { type: 'ended', admission, outcome, flags: FLAGS, usage: [], ...error };
  }

  /** Waits until the task of a receipt is closed for good. */
  async taskClosed(): Promise<void> {
    await this.outbox.whenEmpty();
    await this.store.probe();
  }
}
