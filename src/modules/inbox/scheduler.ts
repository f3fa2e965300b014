// SPDX-License-Identifier: Apache-2.0
import type { Clock, ClockTimer } from '../../common/clock.js';
import { codeOf } from '../../common/errors.js';
import { newClaimToken } from '../../common/ids.js';
import type { Telemetry } from '../../common/telemetry.js';
import type { DispatchClass } from './dispatch-class.js';
import { bypassOf, Lane, type LaneBlock, type TakenReceipt, type WorkKind } from './lane.js';
import type { ClaimedReceipt, LaneSnapshot, LedgerStore } from './store/index.js';

/** Runs a claimed turn; implemented by runs. */
export interface TurnRunner {
  /**
   * Hands a claimed receipt to Hermes. Resolves when that is done; how the turn ends comes later, through the scheduler's methods.
   * Never rejects: what cannot be handed over is settled by the runner or at the next attach.
   * @param mayHandOver false once the dispatch has closed: the claim is then left for the next reconciliation
   * @param kind `control` and `urgent` run beside the busy turn of their session
   */
  run(receipt: ClaimedReceipt, mayHandOver: () => boolean, kind: WorkKind): Promise<void>;
}

/** A claim that is not terminal yet. */
export interface RunningClaim {
  readonly claim: string;
  readonly ingestSeq: number;
  readonly lane: string;
  readonly kind: WorkKind;
  readonly dispatchClass: DispatchClass;
  /** False from the end in Hermes on: its slot is free, its lane not yet. */
  holdsSlot: boolean;
  /** Its receipt is in doubt. */
  inDoubt: boolean;
}

/** A lane as the operator sees it. */
export interface LaneView {
  readonly lane: string;
  readonly waiting: number;
  /** The oldest reason that blocks it. */
  readonly block: LaneBlock | null;
  readonly blockers: readonly { readonly ingestSeq: number; readonly block: LaneBlock }[];
  readonly paused: boolean;
  /** Its head waited through an outage and waits for the operator. */
  readonly held: boolean;
  /** Ingest number of the receipt that is the next, or null. */
  readonly head: number | null;
  readonly running: readonly { readonly ingestSeq: number; readonly kind: WorkKind }[];
}

/** Turns at once by kind of work (SCH-2); ordinary ones are a setting. */
export interface Capacities {
  readonly control: number;
  /** Over all sessions; each session has one of its own, so that no stop waits for another session's stuck one. */
  readonly urgent: number;
}

/** How long the scheduler waits before it claims again after a failed write, in ms. */
const CLAIM_RETRY_MS = 1000;
const KINDS: readonly WorkKind[] = ['urgent', 'control', 'ordinary'];

/**
 * Chooses which receipt runs next: first in, first out within a lane (SCH-1), ordinary, control and urgent work each with a bounded capacity of its
 * own (SCH-2). Its cost does not depend on the backlog: it holds the numbers of waiting receipts in memory and is woken by events only.
 *
 * The *slot* of a turn is free when Hermes has ended it, the *lane* at its terminal commit.
 */
export class Scheduler {
  private readonly lanes = new Map<string, Lane>();
  private readonly claims = new Map<string, RunningClaim>();
  private readonly rests = new Set<ClockTimer>();
  private readonly dispatching = new Set<Promise<void>>();
  private readonly rings: Readonly<Record<WorkKind, Lane[]>> = { ordinary: [], control: [], urgent: [] };
  private readonly slots: Record<WorkKind, number> = { ordinary: 0, control: 0, urgent: 0 };
  private readonly capacity: Record<WorkKind, number>;
  private open = false;
  private paused = false;
  private stopped = false;
  private runner: TurnRunner | undefined;
  private idleWaiters: (() => void)[] = [];

  constructor(
    private readonly store: LedgerStore,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
    capacities: Capacities = { control: 8, urgent: 32 },
  ) {
    this.capacity = { ordinary: 1, ...capacities };
  }

  /** Names the runner; once, before the dispatch opens. */
  setRunner(runner: TurnRunner): void {
    this.runner = runner;
  }

  /** Rebuilds the lanes from the ledger. Claims of an earlier process occupy their lanes until they are settled. */
  restore(snapshots: readonly LaneSnapshot[]): void {
    for (const snapshot of snapshots) {
      const lane = this.lane(snapshot.lane);
      for (const { ingestSeq, dispatchClass } of snapshot.pending) lane.push(ingestSeq, dispatchClass);
      for (const leftover of snapshot.leftovers) {
        const { ingestSeq, state, claim, dispatchClass } = leftover;
        if (state === 'quarantined' || claim === null) lane.setBlock(ingestSeq, 'quarantined');
        else this.occupy(lane, { claim, ingestSeq, dispatchClass, inDoubt: state === 'in_doubt' });
      }
      this.enlist(lane);
    }
  }

  /** A receipt was committed and waits. */
  admitted(laneKey: string, ingestSeq: number, dispatchClass: DispatchClass): void {
    const lane = this.lane(laneKey);
    lane.push(ingestSeq, dispatchClass);
    this.enlist(lane);
    this.pump();
  }

  /** A receipt that waits got its class. */
  reclassified(laneKey: string, ingestSeq: number, dispatchClass: DispatchClass): void {
    const lane = this.lane(laneKey);
    lane.reclassify(ingestSeq, dispatchClass);
    this.enlist(lane);
    this.pump();
  }

  /**
   * Opens or closes the dispatch; running turns are not touched.
   * @param capacity ordinary turns at once over all lanes
   */
  setDispatch(open: boolean, capacity: number = this.capacity.ordinary): void {
    this.open = open;
    this.capacity.ordinary = capacity;
    this.pump();
  }

  /** The operator pauses or resumes all dispatch (OPS-5). */
  setPaused(paused: boolean): void {
    this.paused = paused;
    this.pump();
  }

  /** The operator pauses or resumes one lane (OPS-5); resumed, it gives out what was held, too. */
  setLanePaused(laneKey: string, paused: boolean): void {
    const lane = this.lane(laneKey);
    lane.setPaused(paused);
    if (!paused) lane.letGo();
    this.enlist(lane);
    this.discardIdle(lane);
    this.pump();
  }

  /**
   * Holds what waits in the lanes up to a number; what runs is not touched (OPS-5).
   * @returns how many lanes wait for the operator now
   */
  hold(throughSeq: number): number {
    for (const lane of this.lanes.values()) lane.hold(throughSeq);
    return [...this.lanes.values()].filter((lane) => lane.held).length;
  }

  /** Hermes has the ordinary turn: control work of its session may bypass it from now on. */
  activated(claim: string): void {
    const running = this.claims.get(claim);
    if (running?.kind !== 'ordinary' || !running.holdsSlot) return;
    const lane = this.lane(running.lane);
    lane.setActive(true);
    this.enlist(lane);
    this.pump();
  }

  /** Hermes says that no turn of that session runs: nothing bypasses its line until the next turn begins (SCH-3). */
  deactivated(laneKey: string): void {
    this.lane(laneKey).setActive(false);
  }

  /** Hermes has ended the turn; its lane stays taken until the terminal commit. */
  slotFreed(claim: string): void {
    const running = this.claims.get(claim);
    if (running?.holdsSlot !== true) return;
    running.holdsSlot = false;
    this.slots[running.kind] -= 1;
    if (running.kind === 'ordinary') this.lane(running.lane).setActive(false);
    this.pump();
  }

  /** The receipt is terminal: the lane is free. */
  ended(claim: string): void {
    const lane = this.forget(claim);
    if (lane !== undefined) this.enlist(lane);
    this.pump();
  }

  /**
   * The receipt is pending again and has its old place in its lane.
   * @param delayMs how long the lane rests before it is claimed again
   */
  released(claim: string, delayMs: number): void {
    const running = this.claims.get(claim);
    const lane = this.forget(claim, true);
    if (running === undefined || lane === undefined) return;
    lane.giveBack(running.kind, running);
    if (delayMs > 0) this.rest(lane, delayMs);
    this.enlist(lane);
    this.pump();
  }

  /** The receipt is in doubt or quarantined: its lane takes no further ordinary turn (INB-6). */
  blocked(claim: string, block: LaneBlock): void {
    const running = this.claims.get(claim);
    if (running === undefined) return;
    this.lane(running.lane).setBlock(running.ingestSeq, block);
    running.inDoubt = true;
    if (block === 'quarantined') this.forget(claim);
    else this.slotFreed(claim);
    this.pump();
  }

  /** The operator has decided, but the reset of the session is still due: the lane stays blocked (INB-5). */
  resetDue(laneKey: string, ingestSeq: number): void {
    this.lane(laneKey).setBlock(ingestSeq, 'reset_due');
  }

  /** The operator has decided about a quarantined receipt. `requeued`: it waits again, in front of its lane. */
  unblocked(laneKey: string, ingestSeq: number, requeued: { readonly dispatchClass: DispatchClass } | null): void {
    const lane = this.lane(laneKey);
    lane.clearBlock(ingestSeq);
    if (requeued !== null) lane.requeue({ ingestSeq, ...requeued });
    this.enlist(lane);
    this.discardIdle(lane);
    this.pump();
  }

  /** Waits until no claim is between its commit and its handover; call it with the dispatch closed. */
  async quiesce(): Promise<void> {
    while (this.dispatching.size > 0) await Promise.all(this.dispatching);
  }

  /** Lane of a claim that is not terminal yet, else null. */
  laneOf(claim: string): string | null {
    return this.claims.get(claim)?.lane ?? null;
  }

  /** Claims that are not terminal yet. */
  runningClaims(): readonly RunningClaim[] {
    return [...this.claims.values()];
  }

  /** Lanes that are blocked, with what waits behind. */
  blockedLanes(): { lane: string; block: LaneBlock; waiting: number }[] {
    return [...this.lanes.values()].flatMap((lane) =>
      lane.block === null ? [] : [{ lane: lane.key, block: lane.block, waiting: lane.depth }],
    );
  }

  /** Every lane that is not idle. */
  view(): LaneView[] {
    const running = Map.groupBy(this.claims.values(), ({ lane }) => lane);
    return [...this.lanes.values()].map((lane) => ({
      lane: lane.key,
      waiting: lane.depth,
      block: lane.block,
      blockers: lane.blockers,
      paused: lane.paused,
      held: lane.held,
      head: lane.head,
      running: (running.get(lane.key) ?? []).map(({ ingestSeq, kind }) => ({ ingestSeq, kind })),
    }));
  }

  /** Closes the dispatch for good; resolves when every turn that runs has ended (the caller bounds the wait). */
  async drain(): Promise<void> {
    this.stopped = true;
    for (const rest of this.rests) rest.cancel();
    if (this.claims.size === 0) return;
    await new Promise<void>((resolve) => this.idleWaiters.push(resolve));
  }

  private pump(): void {
    for (const kind of KINDS) this.pumpKind(kind);
  }

  private pumpKind(kind: WorkKind): void {
    while (this.dispatchOpen && this.slots[kind] < this.capacity[kind] && this.runner !== undefined) {
      const lane = this.rings[kind].shift();
      if (lane === undefined) return;
      lane.enlisted.delete(kind);
      if (!lane.ready(kind)) continue;
      this.slots[kind] += 1;
      const dispatch = this.dispatch(lane, kind, lane.take(kind), this.runner);
      this.dispatching.add(dispatch);
      void dispatch.finally(() => this.dispatching.delete(dispatch));
    }
  }

  private get dispatchOpen(): boolean {
    return this.open && !this.paused && !this.stopped;
  }

  /** Claims a receipt of a lane and hands it to the runner. */
  private async dispatch(lane: Lane, kind: WorkKind, taken: TakenReceipt, runner: TurnRunner): Promise<void> {
    const claim = newClaimToken();
    const { ingestSeq } = taken;
    this.claims.set(claim, { ...taken, claim, lane: lane.key, kind, holdsSlot: true, inDoubt: false });
    let receipt: ClaimedReceipt | null;
    try {
      receipt = await this.store.claim(ingestSeq, claim);
    } catch (error) {
      this.telemetry.emit('error.unexpected', { where: 'scheduler.claim', code: codeOf(error), ids: { ingestSeq } });
      this.released(claim, CLAIM_RETRY_MS);
      return;
    }
    if (receipt === null) {
      this.ended(claim);
      return;
    }
    this.telemetry.emit('receipt.claimed', { ingestSeq, messageId: receipt.messageId, lane: lane.key, claim });
    await runner.run(receipt, () => this.open && !this.stopped, kind);
  }

  private occupy(lane: Lane, leftover: Pick<RunningClaim, 'claim' | 'ingestSeq' | 'dispatchClass' | 'inDoubt'>): void {
    const kind = lane.occupied('ordinary') ? (bypassOf(leftover.dispatchClass) ?? 'ordinary') : 'ordinary';
    lane.occupy(kind);
    if (leftover.inDoubt) lane.setBlock(leftover.ingestSeq, 'in_doubt');
    else this.slots[kind] += 1;
    this.claims.set(leftover.claim, { ...leftover, lane: lane.key, kind, holdsSlot: !leftover.inDoubt });
  }

  private rest(lane: Lane, delayMs: number): void {
    lane.setResting(true);
    const timer = this.clock.schedule(delayMs, () => {
      this.rests.delete(timer);
      lane.setResting(false);
      this.enlist(lane);
      this.pump();
    });
    this.rests.add(timer);
  }

  /** Takes a claim out of the books and vacates its lane. @param keepLane the caller puts something back into it */
  private forget(claim: string, keepLane = false): Lane | undefined {
    const running = this.claims.get(claim);
    if (running === undefined) return undefined;
    this.claims.delete(claim);
    if (running.holdsSlot) this.slots[running.kind] -= 1;
    const lane = this.lane(running.lane);
    lane.vacate(running.kind);
    if (!keepLane) this.discardIdle(lane);
    if (this.claims.size === 0) for (const resolve of this.idleWaiters.splice(0)) resolve();
    return lane;
  }

  private discardIdle(lane: Lane): void {
    if (lane.idle) this.lanes.delete(lane.key);
  }

  private enlist(lane: Lane): void {
    for (const kind of KINDS) {
      if (!lane.ready(kind) || lane.enlisted.has(kind)) continue;
      lane.enlisted.add(kind);
      this.rings[kind].push(lane);
    }
  }

  private lane(key: string): Lane {
    let lane = this.lanes.get(key);
    if (lane === undefined) {
      lane = new Lane(key);
      this.lanes.set(key, lane);
    }
    return lane;
  }
}
