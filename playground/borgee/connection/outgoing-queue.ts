// SPDX-License-Identifier: Apache-2.0
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';

/** Bytes that may wait in the process below a socket before the writer pauses; the kernel's buffers come on top. */
const HIGH_WATER_BYTES = 64 * 1024;

/** A frame on its way out. */
export interface OutgoingFrame {
  readonly data: string | Buffer;
  /** The decoded frame, or null for raw data. */
  readonly frame: Readonly<Record<string, unknown>> | null;
}

/** What the queue reports. */
export interface OutgoingQueueListener {
  written(frame: OutgoingFrame): void;
  dropped(frame: OutgoingFrame): void;
}

/**
 * The outgoing buffer of one connection with its own writer, as the real server has it: frames wait while the socket is full, and
 * behind `dropBehind` waiting ones a new frame is dropped without a word (bpp 7.3).
 */
export class OutgoingQueue {
  private readonly waiting: OutgoingFrame[] = [];
  private readonly drains = new Set<() => void>();
  private ended = false;
  /** Frames that fell out. */
  drops = 0;

  /** @param dropBehind most frames that wait; Infinity: none is dropped */
  constructor(
    private readonly ws: WebSocket,
    private readonly socket: Duplex,
    private readonly dropBehind: number,
    private readonly listener: OutgoingQueueListener,
  ) {}

  /** Frames that wait for the socket. */
  get length(): number {
    return this.waiting.length;
  }

  /** Takes a frame. @returns false when it fell out or the connection is over */
  offer(frame: OutgoingFrame): boolean {
    if (this.ended || this.ws.readyState !== WebSocket.OPEN) return false;
    if (this.waiting.length >= this.dropBehind) {
      this.drops += 1;
      this.listener.dropped(frame);
      return false;
    }
    this.waiting.push(frame);
    this.pump();
    return true;
  }

  /** Resolves when nothing waits any more, at the end of the connection, or after a time. @param timeoutMs milliseconds */
  drained(timeoutMs: number): Promise<void> {
    if (this.waiting.length === 0 || this.ended) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.drains.delete(done);
        resolve();
      };
      const timer = Number.isFinite(timeoutMs) ? setTimeout(done, timeoutMs) : undefined;
      this.drains.add(done);
    });
  }

  /** The connection is over: what waits is gone. */
  end(): void {
    this.ended = true;
    this.waiting.length = 0;
    this.wake();
  }

  private readonly pump = (): void => {
    while (!this.ended && this.waiting.length > 0 && this.socket.writableLength < HIGH_WATER_BYTES) {
      if (this.ws.readyState !== WebSocket.OPEN) return;
      const next = this.waiting.shift();
      if (next === undefined) return;
      this.ws.send(next.data, { binary: typeof next.data !== 'string' }, this.pump);
      this.listener.written(next);
    }
    if (this.waiting.length === 0) this.wake();
  };

  private wake(): void {
    for (const done of [...this.drains]) done();
  }
}
