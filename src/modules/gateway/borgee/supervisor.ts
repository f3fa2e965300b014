// SPDX-License-Identifier: Apache-2.0
import type { Clock, ClockTimer } from '../../../common/clock.js';
import { ErrorCode } from '../../../common/errors.js';
import type { BorgeeSettings } from '../../../config/index.js';
import { longestDelay, type Random, reconnectDelay } from './backoff.js';
import type { ClientOptions } from './client-options.js';
import type { Connection, ConnectionTarget } from './connection.js';
import { type ConnectionEnd, type ForeignEnd, type Reaction, reactTo, retryAfterMs } from './connection-end.js';
import type { ConnectionState } from './connection-state.js';
import type { Intake } from './intake.js';
import { socketUrl } from './socket-url.js';

/** Which server to serve, with which key. */
export interface Target {
  readonly settings: BorgeeSettings;
  readonly apiKey: string;
}

/** What the supervisor needs of its owner. */
export interface SupervisorHooks {
  /** Makes the next connection. */
  open(target: ConnectionTarget): Connection;
  /** The connection is gone. */
  ended(end: ConnectionEnd): void;
}

/** Close code for an end that is nobody's fault. */
const NORMAL = 1000;

/**
 * Keeps one connection to the configured server, forever (BPP-9): dials, waits for the end, decides by the table of `connection-end.ts` what to wait
 * for, dials again. The old socket is always gone before the next one is dialed, for the server knows one connection per agent (bpp 7.3). It
 * stops only for a refused key or a wrong configuration, says so, and asks again later.
 */
export class Supervisor {
  private target: Target | null = null;
  private connection: Connection | null = null;
  private reaction: Reaction | null = null;
  private wasOnline = false;
  private paused = false;
  private stableTimer: ClockTimer | undefined;
  private waking = new AbortController();
  private readonly closing = new AbortController();
  private loop: Promise<void> | null = null;

  constructor(
    private readonly hooks: SupervisorHooks,
    private readonly state: ConnectionState,
    private readonly intake: Intake,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly options: ClientOptions,
  ) {}

  /** Serves this target from now on; the connection to the last one is ended first. */
  serve(target: Target): void {
    if (this.isClosing()) return;
    this.target = target;
    this.reaction = null;
    this.wasOnline = false;
    this.state.attempt = 0;
    if (!this.paused) this.state.set('connecting');
    this.interrupt();
    this.loop ??= this.run();
  }

  /** Ends the connection and dials no more until it is resumed; what still waits to be dialed again is given up. */
  setPaused(paused: boolean): void {
    this.paused = paused;
    if (paused) this.interrupt();
    else this.waking.abort();
  }

  /** Ends a wait for the server; the ledger is waited for all the same. */
  retryNow(): void {
    this.waking.abort();
  }

  /** The connection is online. */
  wentOnline(): void {
    this.wasOnline = true;
    this.reaction = null;
    this.stableTimer = this.clock.schedule(this.options.stableMs, () => (this.state.attempt = 0));
  }

  /** State while there is no connection and nothing stands against one. */
  get dialing(): 'connecting' | 'reconnecting' {
    return this.wasOnline ? 'reconnecting' : 'connecting';
  }

  /** Ends the connection and dials no more. */
  async close(): Promise<void> {
    this.closing.abort();
    this.interrupt();
    await this.loop;
  }

  private isClosing(): boolean {
    return this.closing.signal.aborted;
  }

  private interrupt(): void {
    this.connection?.close(NORMAL, { cause: 'own' });
    this.waking.abort();
  }

  private async run(): Promise<void> {
    for (let target = this.target; target !== null && !this.isClosing(); target = this.target) {
      if (this.paused) {
        await this.untilResumed();
        continue;
      }
      const end = await this.connect(target);
      if (end.cause !== 'own' && target === this.target && !this.isClosing()) await this.wait(target, end);
    }
  }

  /** Waits for the operator; other commands wake it, too. */
  private async untilResumed(): Promise<void> {
    this.waking = new AbortController();
    this.reaction = null;
    this.wasOnline = false;
    this.state.attempt = 0;
    this.state.set('paused', ErrorCode.IntakePaused);
    await aborted(this.waking.signal);
    if (!this.paused) this.state.set('connecting');
  }

  private async connect({ settings, apiKey }: Target): Promise<ConnectionEnd> {
    const url = dialable(settings);
    if (url === null || !isHeaderValue(apiKey)) return { cause: 'config_invalid' };
    this.state.attempt += 1;
    if (this.reaction === null && this.state.state !== this.dialing) this.state.set(this.dialing, this.state.reason);
    const connection = this.hooks.open({ url, apiKey, maxFrameBytes: settings.max_inbound_frame_bytes });
    this.connection = connection;
    const end = await connection.ended;
    this.connection = null;
    this.stableTimer?.cancel();
    this.hooks.ended(end);
    return end;
  }

  private async wait(target: Target, end: ForeignEnd): Promise<void> {
    this.waking = new AbortController();
    const reaction = reactTo(end);
    this.reaction = reaction.state === null ? null : reaction;
    const system = end.cause === 'unreachable' ? end.system : '';
    this.state.set(reaction.state ?? this.dialing, reaction.reason, reaction.code, system);
    const header = end.cause === 'http' ? end.retryAfter : null;
    const atLeast = retryAfterMs(header, this.clock.now(), this.options.retryAfterMaxMs);
    await this.waitFor(target, reaction, atLeast);
    if (reaction.wait === 'store') this.reaction = null;
    await this.intake.untilRoom(this.closing.signal);
  }

  private async waitFor(target: Target, { wait }: Reaction, atLeastMs: number): Promise<void> {
    const sleep = (ms: number): Promise<void> => this.clock.sleep(Math.max(ms, atLeastMs), this.waking.signal);
    switch (wait) {
      case 'backoff':
        return sleep(reconnectDelay(this.state.attempt, this.random, this.options));
      case 'longest':
        return sleep(longestDelay(this.random, this.options));
      case 'slow':
        return sleep(this.options.slowRetryMs);
      case 'probe':
        return sleep(target.settings.auth_probe_interval_seconds * 1_000);
      case 'store':
        return this.intake.untilWritable(this.closing.signal);
      case 'command':
        return aborted(this.waking.signal);
    }
  }
}

/** @returns null when the settings hold no address that may be dialed */
function dialable(settings: BorgeeSettings): string | null {
  try {
    return socketUrl(settings.base_url, settings.allow_insecure_loopback);
  } catch {
    return null;
  }
}

/** A key with other characters can stand in no header. */
function isHeaderValue(apiKey: string): boolean {
  return /^[\x21-\x7e]+$/.test(apiKey);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
