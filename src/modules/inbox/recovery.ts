// SPDX-License-Identifier: Apache-2.0
import { codeOf } from '../../common/errors.js';
import type { Telemetry } from '../../common/telemetry.js';
import type { RunningClaim, Scheduler } from './scheduler.js';
import type { LedgerStore } from './store/index.js';

/** Suspends Hermes sessions; implemented over the link. */
export interface SessionControl {
  /** @returns whether the session existed. @throws AngeliaError when Hermes is away or refuses */
  suspendSession(sessionKey: string, reason: string): Promise<{ existed: boolean }>;
}

/** What one reconciliation did with the claims that were open. */
export interface Reconciliation {
  readonly carriedOn: number;
  readonly released: number;
  readonly quarantined: number;
  /** Claims whose session could not be suspended; they stay in doubt, their lanes blocked, until the next attach. */
  readonly inDoubt: number;
}

/**
 * Settles what the ledger and a freshly attached Hermes process disagree about (INB-3, INB-12, D-13, D-19; architecture 4):
 *
 * | the process knows the claim | `started` is committed | then |
 * | --- | --- | --- |
 * | yes | - | carry on: its events come by themselves |
 * | no | no | pending again: no model request was possible |
 * | no | yes | in doubt, its session suspended, quarantined; never run again by itself (INB-4) |
 *
 * A missing session needs no suspension; its receipt is quarantined all the same. Nothing is discarded.
 */
export class Recovery {
  constructor(
    private readonly store: LedgerStore,
    private readonly scheduler: Scheduler,
    private readonly telemetry: Telemetry,
  ) {}

  /**
   * Call it with the dispatch closed.
   * @param known claims that the Hermes process has in its memory
   * @param sessions suspends sessions in that process
   * @param onQuarantined told of each claim that was quarantined, after the commit
   */
  async reconcile(
    known: ReadonlySet<string>,
    sessions: SessionControl,
    onQuarantined: (running: RunningClaim) => void = () => undefined,
  ): Promise<Reconciliation> {
    await this.scheduler.quiesce();
    const totals = { carriedOn: 0, released: 0, quarantined: 0, inDoubt: 0 };
    for (const running of this.scheduler.runningClaims()) {
      const carriesOn = known.has(running.claim);
      if (carriesOn) this.scheduler.activated(running.claim);
      const verdict = carriesOn ? 'carriedOn' : await this.settle(running, sessions);
      if (verdict !== null) totals[verdict] += 1;
      if (verdict === 'quarantined') onQuarantined(running);
    }
    return totals;
  }

  /** Settles a claim that the Hermes process does not know. @returns what was done, null when it had settled itself */
  async settle(running: RunningClaim, sessions: SessionControl): Promise<keyof Reconciliation | null> {
    if (!running.inDoubt) {
      const receipt = await this.store.findClaimed(running.claim);
      if (receipt === null) return null;
      if (receipt.startedAt === null) return this.release(running);
      if (!(await this.store.markInDoubt(running.claim))) return null;
      this.scheduler.blocked(running.claim, 'in_doubt');
    }
    return this.quarantine(running, sessions);
  }

  private async release(running: RunningClaim): Promise<keyof Reconciliation | null> {
    const result = await this.store.endClaim(running.claim, {
      to: 'pending',
      outcome: 'never_started',
      disproved: false,
    });
    if (result.status !== 'applied') return null;
    this.telemetry.emit('receipt.released', { ...idsOf(running), reason: 'never_started' });
    this.scheduler.released(running.claim, 0);
    return 'released';
  }

  private async quarantine(running: RunningClaim, sessions: SessionControl): Promise<keyof Reconciliation> {
    let existed: boolean;
    try {
      ({ existed } = await sessions.suspendSession(running.lane, running.claim));
    } catch (error) {
      this.telemetry.emit('error.unexpected', {
        where: 'recovery.suspend',
        code: codeOf(error),
        ids: { ingestSeq: running.ingestSeq },
      });
      return 'inDoubt';
    }
    const outcome = existed ? 'quarantined_after_session_suspension' : 'quarantined_without_existing_session';
    await this.store.quarantine(running.claim, outcome);
    this.telemetry.emit('receipt.quarantined', { ingestSeq: running.ingestSeq, lane: running.lane, outcome });
    this.scheduler.blocked(running.claim, 'quarantined');
    return 'quarantined';
  }
}

function idsOf(running: RunningClaim): { ingestSeq: number; lane: string; claim: string } {
  return { ingestSeq: running.ingestSeq, lane: running.lane, claim: running.claim };
}
