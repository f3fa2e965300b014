// SPDX-License-Identifier: Apache-2.0
import type { Telemetry } from '../../common/telemetry.js';
import type { Scheduler } from './scheduler.js';
import type { LedgerStore, Pause } from './store/index.js';

/** The connection to the chat server, as far as the operator closes and opens it. */
export interface PausableIntake {
  setPaused(paused: boolean): void;
}

const LANE = 'lane:';

/**
 * What the operator has paused (OPS-5). It is committed before it acts and holds over restarts.
 *
 * - *intake*: the connection to the chat server is closed in good order. Borgee's wire has no replay: what people write meanwhile never arrives.
 * - *dispatch*: no turn starts; messages are stored all the while, running turns go on.
 * - *lane*: the same for one conversation.
 */
export class Pauses {
  private current: ReadonlySet<Pause> = new Set();

  constructor(
    private readonly store: LedgerStore,
    private readonly scheduler: Scheduler,
    private readonly intake: PausableIntake,
    private readonly telemetry: Telemetry,
  ) {}

  /** What is paused now. */
  get active(): readonly Pause[] {
    return [...this.current].sort();
  }

  /** Takes over the pauses of an earlier process; call it before the chat server is configured. */
  restore(pauses: readonly Pause[]): void {
    this.current = new Set(pauses);
    for (const pause of pauses) this.act(pause, true);
  }

  /**
   * Pauses or resumes. Resuming a lane lets its held messages go, too.
   * @param actor who says so
   * @returns what is paused now
   * @throws AngeliaError when the ledger cannot be written: nothing has changed then
   */
  async set(pause: Pause, on: boolean, actor: string): Promise<readonly Pause[]> {
    this.current = new Set(await this.store.setPause(pause, on, actor));
    this.act(pause, on);
    const lane = laneOf(pause);
    this.telemetry.emit('pause.changed', { what: lane === null ? (pause as 'intake' | 'dispatch') : 'lane', lane, on });
    return this.active;
  }

  private act(pause: Pause, on: boolean): void {
    const lane = laneOf(pause);
    if (lane !== null) this.scheduler.setLanePaused(lane, on);
    else if (pause === 'dispatch') this.scheduler.setPaused(on);
    else this.intake.setPaused(on);
  }
}

/** @returns the lane that a pause is about, or null */
function laneOf(pause: Pause): string | null {
  return pause.startsWith(LANE) ? pause.slice(LANE.length) : null;
}
