// SPDX-License-Identifier: Apache-2.0
import type { Clock, ClockTimer } from '../../common/clock.js';
import { codeOf } from '../../common/errors.js';
import { newClaimToken } from '../../common/ids.js';
import type { Telemetry } from '../../common/telemetry.js';
import { Lane, type LaneBlock } from './lane.js';
import type { ClaimedReceipt, LaneSnapshot, LedgerStore } from './store/index.js';

/** Runs a claimed turn; implemented by runs. */
export interface TurnRunner {
  /**
   * Hands a claimed receipt to Hermes. Resolves when that is done; how the turn ends comes later, through the scheduler's methods.
   * Never rejects: what cannot be handed over is settled by the runner or at the next attach.
   * @param mayHandOver false once the dispatch has closed: the claim is then left for the next reconciliation
   */
  run(receipt: ClaimedReceipt, mayHandOver: () => boolean): Promise<void>;
}

/** A claim that is not terminal yet. */
export interface RunningClaim {
  readonly claim: string;
  readonly ingestSeq: number;
  readonly lane: string;
  /** False from the end in Hermes on: its slot is free, its lane not yet. */
  holdsSlot: boolean;
  /** Its receipt is in doubt. */
  inDoubt: boolean;
}

/** How long the scheduler waits before it claims again after a failed write, in ms. */
const CLAIM_RETRY_MS = 1000;

/**
 * Chooses which receipt runs next: first in, first out within a lane, at most `capacity` turns over all lanes (SCH-1). Its cost does not
 * depend on the backlog: it holds the numbers of waiting receipts in memory and is woken by events only.
 *
 * The *slot* of a turn is free when Hermes has ended it, the *lane* at its terminal commit.
 */
export class Scheduler {
  private readonly lanes = new Map<string, Lane>();
  private readonly claims = new Map<string, RunningClaim>();
  private readonly rests = new Set<ClockTimer>();
  private readonly dispatching = new Set<Promise<void>>();
  private ring: Lane[] = [];
  private slots = 0;
  private open = false;
  private stopped = false;
  private capacity = 1;
  private runner: TurnRunner | undefined;
  private idleWaiters: (() => void)[] = [];

  constructor(
    private readonly store: LedgerStore,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
  ) {}

  /** Names the runner; once, before the dispatch opens. */
  setRunner(runner: TurnRunner): void {
    this.runner = runner;
  }

  /** Rebuilds the lanes from the ledger. Claims of an earlier process occupy their lanes until they are settled. */
  restore(snapshots: readonly LaneSnapshot[]): void {
    for (const snapshot of snapshots) {
      const lane = this.lane(snapshot.lane);
      for (const ingestSeq of snapshot.pending) lane.push(ingestSeq);
      for (const leftover of snapshot.leftovers) {
        if (leftover.state === 'quarantined') lane.setBlock(leftover.ingestSeq, 'quarantined');
        else if (leftover.claim !== null)
          this.occupy(lane, leftover.claim, leftover.ingestSeq, leftover.state === 'in_doubt');
      }
      this.enlist(lane);
    }
  }

  /** A receipt was committed and waits. */
  admitted(laneKey: string, ingestSeq: number): void {
    const lane = this.lane(laneKey);
    lane.push(ingestSeq);
    this.enlist(lane);
    this.pump();
  }

  /**
   * Opens or closes the dispatch; running turns are not touched.
   * @param capacity turns at once over all lanes
   */
  setDispatch(open: boolean, capacity: number = this.capacity): void {
    this.open = open;
    this.capacity = capacity;
    this.pump();
  }

  /** Hermes has ended the turn; its lane stays taken until the terminal commit. */
  slotFreed(claim: string): void {
    const running = this.claims.get(claim);
    if (running?.holdsSlot !== true) return;
    running.holdsSlot = false;
    this.slots -= 1;
    this.pump();
  }

  /** The receipt is terminal: the lane is free. */
  ended(claim: string): void {
    const lane = this.forget(claim);
    if (lane !== undefined) this.enlist(lane);
    this.pump();
  }

  /**
   * The receipt is pending again and goes back in front of its lane.
   * @param delayMs how long the lane rests before it is claimed again
   */
  released(claim: string, delayMs: number): void {
    const running = this.claims.get(claim);
    const lane = this.forget(claim);
    if (running === undefined || lane === undefined) return;
    lane.pushFront(running.ingestSeq);
    if (delayMs > 0) this.rest(lane, delayMs);
    this.enlist(lane);
    this.pump();
  }

  /** The receipt is in doubt or quarantined: its lane takes no further turn (INB-6). */
  blocked(claim: string, block: LaneBlock): void {
    const running = this.claims.get(claim);
    if (running === undefined) return;
    this.lane(running.lane).setBlock(running.ingestSeq, block);
    running.inDoubt = true;
    if (block === 'quarantined') this.forget(claim);
    else this.slotFreed(claim);
    this.pump();
  }

  /** Waits until no claim is between its commit and its handover; call it with the dispatch closed. */
  async quiesce(): Promise<void> {
    while (this.dispatching.size > 0) await Promise.all(this.dispatching);
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

  /** Closes the dispatch for good; resolves when every turn that runs has ended (the caller bounds the wait). */
  async drain(): Promise<void> {
    this.stopped = true;
    for (const rest of this.rests) rest.cancel();
    if (this.claims.size === 0) return;
    await new Promise<void>((resolve) => this.idleWaiters.push(resolve));
  }

  private pump(): void {
    while (this.open && !this.stopped && this.slots < this.capacity && this.runner !== undefined) {
      const lane = this.ring.shift();
      if (lane === undefined) return;
      lane.enlisted = false;
      if (!lane.ready) continue;
      this.slots += 1;
      const dispatch = this.dispatch(lane, lane.take(), this.runner);
      this.dispatching.add(dispatch);
      void dispatch.finally(() => this.dispatching.delete(dispatch));
    }
  }

  /** Claims the head of a lane and hands it to the runner. */
  private async dispatch(lane: Lane, ingestSeq: number, runner: TurnRunner): Promise<void> {
    const claim = newClaimToken();
    this.claims.set(claim, { claim, ingestSeq, lane: lane.key, holdsSlot: true, inDoubt: false });
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
    await runner.run(receipt, () => this.open && !this.stopped);
  }

  private occupy(lane: Lane, claim: string, ingestSeq: number, inDoubt: boolean): void {
    lane.occupy();
    if (inDoubt) lane.setBlock(ingestSeq, 'in_doubt');
    else this.slots += 1;
    this.claims.set(claim, { claim, ingestSeq, lane: lane.key, holdsSlot: !inDoubt, inDoubt });
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

  /** Takes a claim out of the books and vacates its lane. */
  private forget(claim: string): Lane | undefined {
    const running = this.claims.get(claim);
    if (running === undefined) return undefined;
    this.claims.delete(claim);
    if (running.holdsSlot) this.slots -= 1;
    const lane = this.lane(running.lane);
    lane.vacate();
    if (lane.idle) this.lanes.delete(lane.key);
    if (this.claims.size === 0) for (const resolve of this.idleWaiters.splice(0)) resolve();
    return lane;
  }

  private enlist(lane: Lane): void {
    if (!lane.ready || lane.enlisted) return;
    lane.enlisted = true;
    this.ring.push(lane);
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
