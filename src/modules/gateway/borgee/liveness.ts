// SPDX-License-Identifier: Apache-2.0
import type { Clock, ClockTimer } from '../../../common/clock.js';
import type { ClientOptions } from './client-options.js';

/** What the liveness of a connection acts on. */
export interface LivenessActions {
  /** Sends a WebSocket ping. @param payload comes back in its pong */
  ping(payload: string): void;
  /** Sends the application heartbeat. */
  heartbeat(): void;
  /** The peer missed its pongs. */
  dead(): void;
  /** A pong answered this ping: everything that was written before it has arrived. */
  confirmed(ping: number): void;
}

/**
 * Keeps one online connection alive and finds out when it is not (bpp 1.6): heartbeats for the server's watchdog, WebSocket pings for ours. A
 * ping is missed when neither its pong nor anything else came in time; the next one then follows at once.
 */
export class Liveness {
  private pings = 0;
  private awaiting = false;
  private missed = 0;
  private suspended = false;
  private heartbeatTimer: ClockTimer | undefined;
  private pingTimer: ClockTimer | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly options: Pick<ClientOptions, 'heartbeatMs' | 'pingMs' | 'pongMs' | 'missedPongs'>,
    private readonly actions: LivenessActions,
  ) {}

  /** Number that the next ping will have. */
  get nextPing(): number {
    return this.pings + 1;
  }

  /** The connection is online. */
  start(): void {
    this.scheduleHeartbeat();
    this.schedulePing(this.options.pingMs);
  }

  stop(): void {
    this.heartbeatTimer?.cancel();
    this.pingTimer?.cancel();
  }

  /** Reading is paused: pongs cannot be seen. Heartbeats go on. */
  suspend(): void {
    this.suspended = true;
    this.pingTimer?.cancel();
  }

  /** Reading goes on. */
  resume(): void {
    this.suspended = false;
    this.alive();
    this.schedulePing(this.options.pingMs);
  }

  /** Something came from the peer. */
  alive(): void {
    this.awaiting = false;
    this.missed = 0;
  }

  /** A pong came. @param payload ours, or that of an unsolicited one */
  pong(payload: string): void {
    this.alive();
    if (/^\d{1,15}$/.test(payload)) this.actions.confirmed(Number(payload));
  }

  /** Sends a ping now, beside the regular ones. */
  pingNow(): void {
    this.pings += 1;
    this.actions.ping(String(this.pings));
  }

  private scheduleHeartbeat(): void {
    this.heartbeatTimer = this.clock.schedule(this.options.heartbeatMs, () => {
      this.actions.heartbeat();
      this.scheduleHeartbeat();
    });
  }

  private schedulePing(delayMs: number): void {
    if (this.suspended) return;
    this.pingTimer = this.clock.schedule(delayMs, () => {
      this.pingNow();
      this.awaiting = true;
      this.pingTimer = this.clock.schedule(this.options.pongMs, () => this.judge());
    });
  }

  private judge(): void {
    if (!this.awaiting) return this.schedulePing(this.options.pingMs - this.options.pongMs);
    this.missed += 1;
    if (this.missed >= this.options.missedPongs) this.actions.dead();
    else this.schedulePing(0);
  }
}
