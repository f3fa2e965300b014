// SPDX-License-Identifier: Apache-2.0
import { AngeliaError, ErrorCode } from '../../src/common/errors.js';
import { Telemetry, type TelemetryEvents, type TelemetryName } from '../../src/common/telemetry.js';
import type { RetentionLimits } from '../../src/config/index.js';
import {
  OutageHold,
  Pauses,
  Remediation,
  Retention,
  Scheduler,
  type ClaimedReceipt,
  type NewReceipt,
  type OpenedLedger,
  type TurnRunner,
} from '../../src/modules/inbox/index.js';
import { FakeChatServer } from './fake-chat-server.js';
import { attachReport, FakeHermesHost } from './fake-hermes-host.js';
import { InlineLedgerStore } from './inline-ledger-store.js';
import { ManualClock } from './manual-clock.js';
import { ledgerFolder, newReceipt } from './store.js';

/** Limits of retention as they are by default. */
export const RETENTION_LIMITS: RetentionLimits = {
  bodyDays: 30,
  rowDays: 90,
  maxRows: 1_000_000,
  dedupeHorizonDays: 90,
  intervalMinutes: 60,
  stepRows: 500,
};

/** Everything that the operator decides about, with the real ledger and scheduler, between a fake chat server and a fake Hermes. */
export class OperatorBench implements TurnRunner {
  readonly folder = ledgerFolder();
  readonly clock = new ManualClock();
  readonly telemetry = new Telemetry();
  readonly chat = new FakeChatServer();
  readonly host = new FakeHermesHost();
  /** Turns that were handed over, in their order. */
  readonly turns: ClaimedReceipt[] = [];
  store = this.newStore();
  scheduler = this.newScheduler();
  remediation = this.newRemediation();
  pauses = this.newPauses();
  retention = new Retention(this.store, this.clock, this.telemetry, RETENTION_LIMITS);

  /** A bench with a Hermes that is attached. */
  static async open(): Promise<OperatorBench> {
    const bench = new OperatorBench();
    await bench.store.open();
    bench.host.attach(attachReport());
    return bench;
  }

  async close(): Promise<void> {
    await this.retention.stop();
    await this.store.close();
    this.folder.remove();
  }

  /** The bridge dies and starts again on the same ledger. */
  async restart(): Promise<OpenedLedger> {
    await this.store.close();
    this.store = this.newStore();
    const opened = await this.store.open();
    this.scheduler = this.newScheduler();
    this.remediation = this.newRemediation();
    this.pauses = this.newPauses();
    this.scheduler.restore(opened.lanes);
    this.remediation.restore(opened.resets);
    this.pauses.restore(opened.pauses);
    return opened;
  }

  /** Holds messages that are older, as the attachment does before the dispatch opens. */
  async openDispatch(holdOlderThanMinutes = 0, capacity = 4): Promise<void> {
    const { store, scheduler, clock, telemetry } = this;
    await new OutageHold(store, scheduler, clock, telemetry, holdOlderThanMinutes * 60_000).apply();
    scheduler.setDispatch(true, capacity);
    await this.settled();
  }

  /** @inheritdoc */
  run(receipt: ClaimedReceipt): Promise<void> {
    this.turns.push(receipt);
    return Promise.resolve();
  }

  /** Message ids of the turns so far. */
  get ran(): string[] {
    return this.turns.map(({ messageId }) => messageId);
  }

  /** Waits until every claim that can be made is made. */
  async settled(): Promise<void> {
    await this.store.probe();
    await this.scheduler.quiesce();
  }

  /** A committed receipt that the scheduler knows. @returns its ingest number */
  async admit(id: string, changes: Partial<NewReceipt> = {}): Promise<number> {
    const receipt = newReceipt(id, { receivedAt: this.clock.now(), ...changes });
    const { ingestSeq } = await this.store.admit(receipt);
    this.scheduler.admitted(receipt.lane, ingestSeq, receipt.dispatchClass);
    return ingestSeq;
  }

  /** A quarantined receipt that blocks its lane. @returns its ingest number */
  async quarantined(id: string, lane = 'lane-1'): Promise<number> {
    const claim = id.padEnd(32, '0');
    const { ingestSeq } = await this.store.admit(newReceipt(id, { lane, receivedAt: this.clock.now() }));
    await this.store.claim(ingestSeq, claim);
    await this.store.markStarted(claim);
    await this.store.markInDoubt(claim);
    await this.store.quarantine(claim, 'quarantined_after_session_suspension');
    const leftover = { ingestSeq, dispatchClass: 'ordinary', state: 'quarantined', claim: null, startedAt: 1 } as const;
    this.scheduler.restore([{ lane, pending: [], leftovers: [{ ...leftover, messageId: id, channelId: 'ch_1' }] }]);
    return ingestSeq;
  }

  /** Ends a turn in Hermes and in the ledger. */
  async end(turn: ClaimedReceipt): Promise<void> {
    this.scheduler.slotFreed(turn.claim);
    await this.store.endClaim(turn.claim, { to: 'completed', outcome: 'done', errorCode: null, notice: null });
    this.scheduler.ended(turn.claim);
    await this.settled();
  }

  /** Hermes goes away: every command fails. */
  detach(): void {
    this.host.current = { attached: null, refused: null, stopping: false };
    this.host.resetReply = () => Promise.reject(new AngeliaError(ErrorCode.LinkDetached));
  }

  /** Hermes comes back. */
  attach(): void {
    this.host.attach(attachReport());
    this.host.resetReply = () => Promise.resolve({ existed: true });
  }

  /** Hermes refuses to reset sessions. */
  refuseResets(): void {
    this.host.resetReply = () => Promise.reject(new AngeliaError(ErrorCode.HermesStartRefused));
  }

  /** Collects events from now on. */
  events<N extends TelemetryName>(name: N): TelemetryEvents[N][] {
    const seen: TelemetryEvents[N][] = [];
    this.telemetry.on(name, (event) => seen.push(event));
    return seen;
  }

  private newStore(): InlineLedgerStore {
    return new InlineLedgerStore({ path: this.folder.path, clock: this.clock });
  }

  private newScheduler(): Scheduler {
    const scheduler = new Scheduler(this.store, this.clock, this.telemetry);
    scheduler.setRunner(this);
    return scheduler;
  }

  private newRemediation(): Remediation {
    return new Remediation(this.store, this.scheduler, this.host, this.telemetry);
  }

  private newPauses(): Pauses {
    return new Pauses(this.store, this.scheduler, this.chat, this.telemetry);
  }
}
