// SPDX-License-Identifier: Apache-2.0
import type { Clock, ClockTimer } from '../../../common/clock.js';
import { codeOf, ErrorCode } from '../../../common/errors.js';
import type { Telemetry } from '../../../common/telemetry.js';
import type { InboundEvent, InboundHandler } from '../chat-server.js';
import type { ClientOptions } from './client-options.js';
import type { Counters } from './counters.js';

/** Bounds that come from the platform settings. */
export interface IntakeBounds {
  /** Bytes read and not committed, at which reading pauses. */
  readonly maxBytes: number;
  /** Time without any commit at that bound, after which the store counts as stalled, ms. */
  readonly stallMs: number;
}

/** What the intake tells about itself. */
export interface IntakeListener {
  /** Reading has to pause, or may go on. */
  paused(paused: boolean): void;
  /** The store has not moved for `stallMs` while reading was paused. */
  stalled(): void;
}

interface Entry {
  readonly order: number;
  event: InboundEvent;
  readonly bytes: number;
  readonly committed: (() => void) | undefined;
  /** Commits of other events when it was given or rejected last. */
  commitsSeen: number;
  /** Rejections while other events were committed: the event itself may be the reason. */
  suspicions: number;
}

/** Errors that say something about the ledger and nothing about the event. */
const LEDGER_ERRORS: ReadonlySet<ErrorCode> = new Set([
  ErrorCode.LedgerWriteFailed,
  ErrorCode.LedgerClosed,
  ErrorCode.LedgerCorrupt,
  ErrorCode.LedgerNotDurable,
]);
/** Rejections beside a ledger that takes other events, after which an event counts as poison. */
const MAX_SUSPICIONS = 3;

/**
 * The way of events from the socket into the ledger (INB-13): each is given to the handler at once and in order, without waiting for the one
 * before, so that the ledger can commit them in groups. Bytes that are not committed yet are bounded; at the bound reading pauses until half of
 * them are. When the handler rejects, nothing more is given, a probe is repeated until the ledger takes writes again, and everything that is
 * left is given once more in its order. The buffer belongs to the process, not to a connection: what was read is committed (bpp rule 6).
 */
export class Intake {
  private order = 0;
  private inFlight = 0;
  private rejected: Entry[] = [];
  private waiting: Entry[] = [];
  private recovering = false;
  private failures = 0;
  private commits = 0;
  private bytes = 0;
  private isPaused = false;
  private lastProgress = 0;
  private stallTimer: ClockTimer | undefined;
  private readonly stopper = new AbortController();
  private readonly changes = new Set<() => void>();

  constructor(
    private readonly handler: InboundHandler,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
    private readonly counters: Counters,
    private readonly options: Pick<ClientOptions, 'storeRetryFirstMs' | 'storeRetryMaxMs' | 'closeHandoverMs'>,
    private readonly bounds: () => IntakeBounds,
    private readonly listener: IntakeListener,
  ) {}

  /** Bytes read and not yet committed. */
  get queuedBytes(): number {
    return this.bytes;
  }

  /** True while reading has to pause. */
  get paused(): boolean {
    return this.isPaused;
  }

  /**
   * Takes an event over.
   * @param bytes size of its frame
   * @param committed called once when its receipt is on disk
   */
  offer(event: InboundEvent, bytes: number, committed?: () => void): void {
    const entry: Entry = {
      order: (this.order += 1),
      event,
      bytes,
      committed,
      commitsSeen: this.commits,
      suspicions: 0,
    };
    this.bytes += bytes;
    this.counters.add('events_received');
    if (this.recovering) this.waiting.push(entry);
    else this.give(entry);
    if (!this.isPaused && this.bytes >= this.bounds().maxBytes) this.pause();
  }

  /** Resolves when a write to the ledger has succeeded; repeats it until then. @param signal ends the wait early */
  async untilWritable(signal: AbortSignal): Promise<void> {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        await this.handler.probe();
        return;
      } catch {
        this.counters.add('intake_failures');
      }
      await this.clock.sleep(this.retryDelay(attempt), signal);
    }
  }

  /** Resolves when reading may go on. @param signal ends the wait early */
  async untilRoom(signal: AbortSignal): Promise<void> {
    await this.until(() => !this.isPaused, signal);
  }

  /** Waits for everything that was read, at most `closeHandoverMs`; what is left then is reported and lost to this process. */
  async close(): Promise<void> {
    const limit = new AbortController();
    const timer = this.clock.schedule(this.options.closeHandoverMs, () => limit.abort());
    await this.until(() => this.bytes === 0 && this.inFlight === 0 && !this.recovering, limit.signal);
    timer.cancel();
    this.stallTimer?.cancel();
    this.stopper.abort();
    const left = this.inFlight + this.rejected.length + this.waiting.length;
    if (left === 0) return;
    this.telemetry.emit('error.unexpected', {
      where: 'gateway.intake.close',
      code: ErrorCode.LedgerWriteFailed,
      ids: { events: left },
    });
  }

  private give(entry: Entry): void {
    this.inFlight += 1;
    void this.receive(entry).then((failure) => {
      this.inFlight -= 1;
      if (failure === null) this.settle(entry);
      else this.reject(entry, failure);
      if (this.recovering && this.inFlight === 0) void this.recover();
      this.changed();
    });
  }

  /** @returns null when the receipt is committed, else the code of the rejection */
  private async receive(entry: Entry): Promise<ErrorCode | null> {
    try {
      await this.handler.receive(entry.event);
      return null;
    } catch (error) {
      return codeOf(error);
    }
  }

  private settle(entry: Entry): void {
    this.bytes -= entry.bytes;
    this.failures = 0;
    this.commits += 1;
    this.lastProgress = this.clock.monotonic();
    this.counters.add('events_committed');
    if (this.isPaused && this.bytes < this.bounds().maxBytes / 2) this.resume();
    entry.committed?.();
  }

  private reject(entry: Entry, code: ErrorCode): void {
    this.counters.add('intake_failures');
    this.recovering = true;
    this.rejected.push(entry);
    if (LEDGER_ERRORS.has(code) || this.commits === entry.commitsSeen) return;
    entry.commitsSeen = this.commits;
    entry.suspicions += 1;
    if (entry.suspicions < MAX_SUSPICIONS || entry.event.ignored === 'undecodable') return;
    this.telemetry.emit('error.unexpected', {
      where: 'gateway.intake',
      code,
      ids: { messageId: entry.event.messageId },
    });
    this.counters.add('events_undecodable');
    entry.event = { ...entry.event, kind: 'undecodable', body: '', context: null, ignored: 'undecodable' };
  }

  /** Nothing is in flight: waits for the ledger, then gives everything that is left in its order. */
  private async recover(): Promise<void> {
    this.failures += 1;
    if (this.failures > 1) await this.clock.sleep(this.retryDelay(this.failures - 1), this.stopper.signal);
    await this.untilWritable(this.stopper.signal);
    if (this.stopper.signal.aborted) return;
    const again = [...this.rejected.sort((a, b) => a.order - b.order), ...this.waiting];
    this.rejected = [];
    this.waiting = [];
    this.recovering = false;
    for (const entry of again) this.give(entry);
  }

  private retryDelay(attempt: number): number {
    const { storeRetryFirstMs, storeRetryMaxMs } = this.options;
    return Math.min(storeRetryMaxMs, storeRetryFirstMs * 2 ** Math.min(attempt - 1, 20));
  }

  private pause(): void {
    this.isPaused = true;
    this.lastProgress = this.clock.monotonic();
    this.counters.add('intake_pauses');
    this.watchStall(this.bounds().stallMs);
    this.listener.paused(true);
  }

  private resume(): void {
    this.isPaused = false;
    this.stallTimer?.cancel();
    this.listener.paused(false);
  }

  private watchStall(delayMs: number): void {
    this.stallTimer = this.clock.schedule(delayMs, () => {
      const { stallMs } = this.bounds();
      const silent = this.clock.monotonic() - this.lastProgress;
      if (silent < stallMs) return this.watchStall(stallMs - silent);
      this.counters.add('intake_stalls');
      this.listener.stalled();
    });
  }

  private until(holds: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds() && !signal.aborted) return;
        this.changes.delete(look);
        signal.removeEventListener('abort', look);
        resolve();
      };
      this.changes.add(look);
      signal.addEventListener('abort', look);
      look();
    });
  }

  private changed(): void {
    for (const look of [...this.changes]) look();
  }
}
