// SPDX-License-Identifier: Apache-2.0
import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Clock, ClockTimer } from '../../../common/clock.js';
import type { LinkLimits } from './link-options.js';

/** Why a command stream ended. */
export type StreamEnd = 'closed' | 'stalled' | 'replaced' | 'bridge_closing';

/** Lines of one tick leave in pieces of about this many characters, so that one write stays small enough to be judged by its time. */
const PIECE_CHARACTERS = 64 * 1024;

const ALIVE = '{"op":"alive"}\n';

/**
 * The one long response that carries the commands to the shim (docs/link.md, section 4).
 *
 * Lines of one tick leave together. After a write that the socket did not take at once, nothing more is written before it has drained; a shim
 * that does not take it within `link_silence_timeout_ms` is gone or frozen, and the stream ends. Price: a shim that is merely stopped for
 * that long attaches anew.
 */
export class CommandStream {
  private readonly lines: string[] = [];
  private flushScheduled = false;
  private stall: ClockTimer | undefined;
  private alive: ClockTimer;
  private lastWrite: number;
  private open = true;

  /**
   * Starts the response with the line `hello`.
   * @param socket under the response
   * @param onEnd called once, synchronously, when the stream has ended, whichever side ended it
   */
  constructor(
    socket: EventEmitter,
    private readonly response: ServerResponse,
    epoch: number,
    private readonly clock: Clock,
    private readonly limits: LinkLimits,
    private readonly onEnd: (reason: StreamEnd) => void,
  ) {
    const closed = (): void => this.end('closed');
    // A socket of an HTTP server stays half-open after the peer's FIN: `end` is the peer's end too.
    socket.once('end', closed);
    response.once('close', closed);
    response.on('error', closed);
    response.writeHead(200, { 'content-type': 'application/x-ndjson', connection: 'close' });
    this.lastWrite = clock.monotonic();
    this.alive = this.scheduleAlive(limits.link_alive_interval_ms);
    this.write(`${JSON.stringify({ op: 'hello', epoch })}\n`);
  }

  /**
   * Queues one line; the lines of one tick share a write.
   * @param line JSON without a line end
   */
  send(line: string): void {
    if (!this.open) return;
    this.lines.push(line);
    if (this.flushScheduled) return;
    this.flushScheduled = true;
    process.nextTick(() => {
      this.flushScheduled = false;
      this.flush();
    });
  }

  /** Ends the stream and its socket; any number of times. */
  end(reason: StreamEnd): void {
    if (!this.open) return;
    this.open = false;
    this.stall?.cancel();
    this.alive.cancel();
    this.lines.length = 0;
    // At an orderly stop the shim sees the response end; in all other cases nobody is left who would read it.
    if (reason === 'bridge_closing') this.response.end();
    else this.response.destroy();
    this.onEnd(reason);
  }

  private flush(): void {
    while (this.open && this.stall === undefined && this.lines.length > 0) this.write(this.takePiece());
  }

  /** Takes whole lines off the queue, at least one. */
  private takePiece(): string {
    let count = 0;
    let characters = 0;
    for (const line of this.lines) {
      if (count > 0 && characters + line.length > PIECE_CHARACTERS) break;
      characters += line.length + 1;
      count += 1;
    }
    return `${this.lines.splice(0, count).join('\n')}\n`;
  }

  private write(text: string): void {
    this.lastWrite = this.clock.monotonic();
    if (this.response.write(text)) return;
    this.stall = this.clock.schedule(this.limits.link_silence_timeout_ms, () => this.end('stalled'));
    this.response.once('drain', () => {
      this.stall?.cancel();
      this.stall = undefined;
      this.flush();
    });
  }

  private scheduleAlive(delayMs: number): ClockTimer {
    return this.clock.schedule(delayMs, () => {
      const wait = this.lastWrite + this.limits.link_alive_interval_ms - this.clock.monotonic();
      if (wait <= 0 && this.stall === undefined) this.write(ALIVE);
      this.alive = this.scheduleAlive(wait > 0 ? wait : this.limits.link_alive_interval_ms);
    });
  }
}
