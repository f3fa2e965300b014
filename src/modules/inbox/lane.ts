// SPDX-License-Identifier: Apache-2.0
import type { DispatchClass } from './dispatch-class.js';

/** Why a lane takes no turn although receipts wait in it. `reset_due`: decided, but Hermes was away and its session is not reset yet (INB-5). */
export type LaneBlock = 'quarantined' | 'in_doubt' | 'reset_due';

/** Kinds of work that a lane gives out; each has a capacity of its own (SCH-2). */
export type WorkKind = 'ordinary' | 'control' | 'urgent';

/** A receipt that was taken out of its lane. */
export interface TakenReceipt {
  readonly ingestSeq: number;
  readonly dispatchClass: DispatchClass;
}

/**
 * The waiting receipts of one Hermes session, by ingest number, and what stands in their way (SCH-1, SCH-2).
 *
 * *Ordinary* work is the head of the line, whatever its class: it is given out while nothing of the lane runs and nothing blocks it.
 * *Control* and *urgent* work bypasses the line: the oldest receipt of that class, only while an ordinary turn of the lane is active in Hermes,
 * one of each kind at a time, past any block and any backlog. When that turn has ended meanwhile, it waits for its place in the line.
 *
 * A lane may also be *paused* by the operator (gives out nothing), *held* (its head waited through an outage: no ordinary work until the operator
 * says so, OPS-5) or *resting* (a released head waits for its delay).
 */
export class Lane {
  private readonly line: number[] = [];
  private first = 0;
  /** Receipts that bypass the line now, or did: the head skips them. */
  private readonly gone = new Set<number>();
  private readonly bypassing: Readonly<Record<Exclude<WorkKind, 'ordinary'>, number[]>> = { control: [], urgent: [] };
  /** Classes of waiting receipts that are not ordinary. */
  private readonly classes = new Map<number, DispatchClass>();
  private readonly blocks = new Map<number, LaneBlock>();
  private readonly running = new Set<WorkKind>();
  private turnActive = false;
  private resting = false;
  private isPaused = false;
  /** Receipts up to here are held. */
  private heldThrough = 0;
  /** The operator let receipts up to here go: no later outage holds them again. */
  private releasedThrough = 0;
  /** Receipts that the operator requeued; nothing holds them. */
  private readonly requeued = new Set<number>();
  /** Kinds for which the lane stands in the scheduler's ring of that kind. */
  readonly enlisted = new Set<WorkKind>();

  constructor(readonly key: string) {}

  /** Receipts that wait. */
  get depth(): number {
    return this.line.length - this.first - this.gone.size;
  }

  /** The oldest reason that blocks the lane, or null. */
  get block(): LaneBlock | null {
    return this.blocks.values().next().value ?? null;
  }

  get paused(): boolean {
    return this.isPaused;
  }

  /** The receipt that is the next in the line, or null. */
  get head(): number | null {
    for (let at = this.first; at < this.line.length; at += 1) {
      const ingestSeq = this.line[at];
      if (ingestSeq !== undefined && !this.gone.has(ingestSeq)) return ingestSeq;
    }
    return null;
  }

  /** True while the head of the line waits for the operator because of its age. */
  get held(): boolean {
    const { head } = this;
    return head !== null && head <= this.heldThrough && !this.requeued.has(head);
  }

  /** Everything that blocks the lane. */
  get blockers(): { ingestSeq: number; block: LaneBlock }[] {
    return [...this.blocks].map(([ingestSeq, block]) => ({ ingestSeq, block }));
  }

  /** True while an ordinary turn runs in Hermes: from its handover to its end. */
  get active(): boolean {
    return this.turnActive;
  }

  /** True when nothing is left to remember. */
  get idle(): boolean {
    return this.running.size === 0 && !this.resting && !this.isPaused && this.blocks.size === 0 && this.depth === 0;
  }

  /** True when work of that kind may be claimed now. */
  ready(kind: WorkKind): boolean {
    if (this.isPaused) return false;
    if (kind === 'ordinary') {
      return this.running.size === 0 && !this.resting && this.blocks.size === 0 && this.mayTakeHead();
    }
    if (!this.turnActive || this.running.has('urgent')) return false;
    return !this.running.has(kind) && this.bypassing[kind].length > 0;
  }

  /** Adds a receipt behind all others. */
  push(ingestSeq: number, dispatchClass: DispatchClass): void {
    this.line.push(ingestSeq);
    this.remember(ingestSeq, dispatchClass, 'push');
  }

  /** Takes the next work of a kind. @throws Error when there is none */
  take(kind: WorkKind): TakenReceipt {
    if (!this.ready(kind)) throw new Error('the lane has nothing to take');
    const ingestSeq = kind === 'ordinary' ? this.takeHead() : this.bypassing[kind].shift();
    if (ingestSeq === undefined) throw new Error('the lane has nothing to take');
    if (kind !== 'ordinary') this.gone.add(ingestSeq);
    this.running.add(kind);
    const dispatchClass = this.classes.get(ingestSeq) ?? 'ordinary';
    this.classes.delete(ingestSeq);
    return { ingestSeq, dispatchClass };
  }

  /** Puts a receipt that was taken back where it was. */
  giveBack(kind: WorkKind, { ingestSeq, dispatchClass }: TakenReceipt): void {
    if (kind === 'ordinary') this.putHead(ingestSeq);
    else this.gone.delete(ingestSeq);
    this.remember(ingestSeq, dispatchClass, 'unshift');
  }

  /** Takes up a receipt that the operator requeued, in its old place. */
  requeue(receipt: TakenReceipt): void {
    this.requeued.add(receipt.ingestSeq);
    this.giveBack('ordinary', receipt);
  }

  /** Holds receipts up to a number until `letGo()`. */
  hold(throughSeq: number): void {
    if (throughSeq > this.releasedThrough) this.heldThrough = throughSeq;
  }

  /** The operator lets go what is held. */
  letGo(): void {
    this.releasedThrough = Math.max(this.releasedThrough, this.heldThrough);
    this.heldThrough = 0;
  }

  /** Changes the class of a receipt that waits. */
  reclassify(ingestSeq: number, dispatchClass: DispatchClass): void {
    this.classes.delete(ingestSeq);
    this.remember(ingestSeq, dispatchClass, 'push');
  }

  /** Makes the lane busy for a claim of an earlier process. */
  occupy(kind: WorkKind): void {
    this.running.add(kind);
  }

  /** True while work of that kind runs. */
  occupied(kind: WorkKind): boolean {
    return this.running.has(kind);
  }

  /** The ordinary turn runs in Hermes, or no longer does. */
  setActive(active: boolean): void {
    this.turnActive = active;
  }

  /** Work of a kind has ended. */
  vacate(kind: WorkKind): void {
    this.running.delete(kind);
    if (kind === 'ordinary') this.turnActive = false;
  }

  setResting(resting: boolean): void {
    this.resting = resting;
  }

  setPaused(paused: boolean): void {
    this.isPaused = paused;
  }

  setBlock(ingestSeq: number, block: LaneBlock): void {
    this.blocks.set(ingestSeq, block);
  }

  clearBlock(ingestSeq: number): void {
    this.blocks.delete(ingestSeq);
  }

  /** True when something waits that is not held and whose class is known: an unclassified head is never given out (D-12). */
  private mayTakeHead(): boolean {
    const { head } = this;
    return head !== null && !this.held && this.classes.get(head) !== 'unclassified';
  }

  private remember(ingestSeq: number, dispatchClass: DispatchClass, end: 'push' | 'unshift'): void {
    if (dispatchClass === 'ordinary') return;
    this.classes.set(ingestSeq, dispatchClass);
    const kind = bypassOf(dispatchClass);
    if (kind !== null) this.bypassing[kind][end](ingestSeq);
  }

  private takeHead(): number | undefined {
    for (let head = this.line[this.first]; head !== undefined; head = this.line[this.first]) {
      this.first += 1;
      this.compact();
      if (this.gone.delete(head)) continue;
      this.requeued.delete(head);
      const bypass = bypassOf(this.classes.get(head) ?? 'ordinary');
      if (bypass !== null) this.bypassing[bypass].splice(this.bypassing[bypass].indexOf(head), 1);
      return head;
    }
    return undefined;
  }

  /** Puts a receipt in front, or behind the few that are older: two receipts of a lane can come back in any order. */
  private putHead(ingestSeq: number): void {
    if (this.first > 0) {
      this.first -= 1;
      this.line[this.first] = ingestSeq;
    } else this.line.unshift(ingestSeq);
    for (let at = this.first; ; at += 1) {
      const next = this.line[at + 1];
      if (next === undefined || next > ingestSeq) return;
      this.line[at] = next;
      this.line[at + 1] = ingestSeq;
    }
  }

  private compact(): void {
    if (this.first <= 1024 || this.first * 2 <= this.line.length) return;
    this.line.splice(0, this.first);
    this.first = 0;
  }
}

/** The kind of work as which a class may bypass the line, or null. */
export function bypassOf(dispatchClass: DispatchClass): Exclude<WorkKind, 'ordinary'> | null {
  switch (dispatchClass) {
    case 'control':
      return 'control';
    case 'urgent_stop':
      return 'urgent';
    case 'ordinary':
    case 'unclassified':
      return null;
  }
}
