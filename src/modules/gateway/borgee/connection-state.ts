// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../../../common/clock.js';
import type { ErrorCode } from '../../../common/errors.js';
import type { Telemetry } from '../../../common/telemetry.js';
import type { ChatServerState } from '../chat-server.js';

/** The state of the connection as health shows it; every change is reported (bpp rule 18). */
export class ConnectionState {
  private current: ChatServerState = 'unconfigured';
  private currentReason: ErrorCode | null = null;
  private currentCode: number | null = null;
  private currentSince: number;
  private reportedAttempt = 0;
  /** Dials since the last stable connection. */
  attempt = 0;

  constructor(
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
  ) {
    this.currentSince = clock.now();
  }

  get state(): ChatServerState {
    return this.current;
  }

  get reason(): ErrorCode | null {
    return this.currentReason;
  }

  /** Unix ms of the last change of the state itself. */
  get since(): number {
    return this.currentSince;
  }

  /**
   * Sets state and reason and reports them, unless nothing has changed (another failed attempt is a change).
   * @param code HTTP status or close code behind it
   * @param system name of the system's error behind it
   */
  set(state: ChatServerState, reason: ErrorCode | null = null, code: number | null = null, system = ''): void {
    const sameEnd = reason === this.currentReason && code === this.currentCode && this.attempt === this.reportedAttempt;
    const same = state === this.current && sameEnd;
    if (state !== this.current) this.currentSince = this.clock.now();
    this.current = state;
    this.currentReason = reason;
    this.currentCode = code;
    this.reportedAttempt = this.attempt;
    if (same) return;
    const event = { state, reason, code, attempt: this.attempt };
    this.telemetry.emit('gateway.state', system === '' ? event : { ...event, system });
  }
}
