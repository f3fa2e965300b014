// SPDX-License-Identifier: Apache-2.0
import type { ClientOptions, LaneBounds } from './client-options.js';

/** Where frames go: the socket. */
export interface FrameSink {
  /** False once the socket is closing: whatever is handed to it now certainly does not leave. */
  readonly writable: boolean;
  /** @param done called once: `true` when the system has taken the bytes, `false` when the socket has failed */
  send(text: string, done: (taken: boolean) => void): void;
}

/** `reserved`: short answers of the protocol itself; `regular`: everything else. */
export type Lane = 'regular' | 'reserved';

/** What becomes of a frame. */
export interface FrameFate {
  /** The frame was handed to the socket: from now on the server may have it. */
  written?(): void;
  /** The system has taken its bytes, or the socket has failed with them. */
  flushed?(): void;
  /** The connection ended before the frame was handed to the socket: the server certainly has not got it. */
  dropped?(): void;
}

/** A frame in the writer's hands. */
export interface QueuedFrame {
  /** Takes the frame back. @returns false when it was written already */
  withdraw(): boolean;
}

interface Entry {
  readonly text: string;
  readonly bytes: number;
  readonly fate: FrameFate;
  state: 'queued' | 'left' | 'gone';
}

/** Frames of the reserved lane in a row before one of the regular lane passes (bpp 1.10). */
const RESERVED_RUN = 8;

/**
 * Writes frames in the order of two bounded lanes. Frames are handed to the socket only while it is not clogged; there is no write time limit,
 * a slow socket holds frames back in their lanes, where they can still be withdrawn (bpp rule 3).
 */
export class FrameWriter {
  private readonly lanes: Record<Lane, { queue: Entry[]; bytes: number; readonly bounds: LaneBounds }>;
  private unflushed = 0;
  private reservedInARow = 0;
  private stopped = false;
  /** A write has failed: the socket is lost, although its end has not been reported yet. */
  private broken = false;

  constructor(
    private readonly sink: FrameSink,
    private readonly options: Pick<ClientOptions, 'writeWindowBytes' | 'regularLane' | 'reservedLane'>,
  ) {
    this.lanes = {
      regular: { queue: [], bytes: 0, bounds: options.regularLane },
      reserved: { queue: [], bytes: 0, bounds: options.reservedLane },
    };
  }

  /** Takes a frame over. @returns null when its lane is full or the connection has ended: the frame is not sent */
  offer(lane: Lane, text: string, fate: FrameFate = {}): QueuedFrame | null {
    if (this.stopped) return null;
    const { queue, bounds } = this.lanes[lane];
    const bytes = Buffer.byteLength(text);
    if (queue.length >= bounds.frames || this.lanes[lane].bytes + bytes > bounds.bytes) return null;
    const entry: Entry = { text, bytes, fate, state: 'queued' };
    queue.push(entry);
    this.lanes[lane].bytes += bytes;
    this.pump();
    return { withdraw: () => this.withdraw(lane, entry) };
  }

  /** Ends the writer: what was not handed to the socket is dropped. */
  stop(): void {
    if (this.stopped) return;
    this.stopped = true;
    const left = [...this.lanes.reserved.queue, ...this.lanes.regular.queue];
    for (const lane of [this.lanes.reserved, this.lanes.regular]) {
      lane.queue = [];
      lane.bytes = 0;
    }
    for (const entry of left) {
      entry.state = 'gone';
      entry.fate.dropped?.();
    }
  }

  private withdraw(lane: Lane, entry: Entry): boolean {
    if (entry.state === 'left') return false;
    if (entry.state === 'gone') return true;
    entry.state = 'gone';
    const { queue } = this.lanes[lane];
    queue.splice(queue.indexOf(entry), 1);
    this.lanes[lane].bytes -= entry.bytes;
    return true;
  }

  private pump(): void {
    while (this.mayWrite()) {
      const entry = this.next();
      if (entry === undefined) return;
      this.write(entry);
    }
  }

  private mayWrite(): boolean {
    const free = this.unflushed < this.options.writeWindowBytes;
    return free && !this.stopped && !this.broken && this.sink.writable;
  }

  private next(): Entry | undefined {
    const { regular, reserved } = this.lanes;
    const regularsTurn =
      reserved.queue.length === 0 || (this.reservedInARow >= RESERVED_RUN && regular.queue.length > 0);
    this.reservedInARow = regularsTurn ? 0 : this.reservedInARow + 1;
    const lane = regularsTurn ? regular : reserved;
    const entry = lane.queue.shift();
    if (entry !== undefined) lane.bytes -= entry.bytes;
    return entry;
  }

  private write(entry: Entry): void {
    entry.state = 'left';
    this.unflushed += entry.bytes;
    this.sink.send(entry.text, (taken) => {
      this.unflushed -= entry.bytes;
      this.broken ||= !taken;
      entry.fate.flushed?.();
      this.pump();
    });
    entry.fate.written?.();
  }
}
