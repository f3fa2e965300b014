// SPDX-License-Identifier: Apache-2.0

/** Why a lane takes no turn although receipts wait in it. */
export type LaneBlock = 'quarantined' | 'in_doubt';

/**
 * The waiting receipts of one Hermes session, by ingest number, and what stands in their way (SCH-1).
 *
 * A lane is `free` (nothing runs, nothing blocks), `busy` (one claim, until its terminal commit), `blocked` (an in-doubt or quarantined
 * receipt, until the operator decides) or `resting` (a released receipt waits for its delay). Receipts may be added in every state.
 */
export class Lane {
  private readonly waiting: number[] = [];
  private first = 0;
  private readonly blocks = new Map<number, LaneBlock>();
  private running = false;
  private resting = false;
  /** True while the lane stands in the scheduler's ring of ready lanes. */
  enlisted = false;

  constructor(readonly key: string) {}

  /** Receipts that wait. */
  get depth(): number {
    return this.waiting.length - this.first;
  }

  get busy(): boolean {
    return this.running;
  }

  /** The oldest reason that blocks the lane, or null. */
  get block(): LaneBlock | null {
    return this.blocks.values().next().value ?? null;
  }

  /** True when the head may be claimed now. */
  get ready(): boolean {
    return !this.running && !this.resting && this.blocks.size === 0 && this.depth > 0;
  }

  /** True when nothing is left to remember. */
  get idle(): boolean {
    return !this.running && !this.resting && this.blocks.size === 0 && this.depth === 0;
  }

  /** Adds a receipt behind all others. */
  push(ingestSeq: number): void {
    this.waiting.push(ingestSeq);
  }

  /** Puts a released receipt back in front. */
  pushFront(ingestSeq: number): void {
    if (this.first > 0) {
      this.first -= 1;
      this.waiting[this.first] = ingestSeq;
    } else this.waiting.unshift(ingestSeq);
  }

  /** Takes the head and makes the lane busy. @throws Error when the lane is not ready */
  take(): number {
    const head = this.waiting[this.first];
    if (head === undefined || !this.ready) throw new Error('the lane has nothing to take');
    this.first += 1;
    if (this.first > 1024 && this.first * 2 > this.waiting.length) {
      this.waiting.splice(0, this.first);
      this.first = 0;
    }
    this.running = true;
    return head;
  }

  /** Makes the lane busy for a claim of an earlier process. */
  occupy(): void {
    this.running = true;
  }

  /** The claim has ended. */
  vacate(): void {
    this.running = false;
  }

  setResting(resting: boolean): void {
    this.resting = resting;
  }

  setBlock(ingestSeq: number, block: LaneBlock): void {
    this.blocks.set(ingestSeq, block);
  }

  clearBlock(ingestSeq: number): void {
    this.blocks.delete(ingestSeq);
  }
}
