// SPDX-License-Identifier: Apache-2.0
import type { Clock, ClockTimer } from '../../common/clock.js';
import { codeOf } from '../../common/errors.js';
import type { Telemetry } from '../../common/telemetry.js';
import type { HermesHost } from '../hermes/index.js';
import type { ClaimedReceipt, LedgerStore, Scheduler } from '../inbox/index.js';

/**
 * Bounds control and urgent work in time (SCH-4): when it has not ended by then, its slot is freed, its session suspended if it exists, and its
 * receipt quarantined. What settled itself meanwhile is left alone.
 */
export class ControlDeadlines {
  private readonly timers = new Map<string, ClockTimer>();

  /** @param timeoutMs from the handover on */
  constructor(
    private readonly store: LedgerStore,
    private readonly scheduler: Scheduler,
    private readonly host: HermesHost,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
    private readonly timeoutMs: number,
  ) {}

  /** Begins the time of a control. */
  watch(receipt: ClaimedReceipt): void {
    this.timers.set(
      receipt.claim,
      this.clock.schedule(this.timeoutMs, () => {
        this.timers.delete(receipt.claim);
        void this.expire(receipt);
      }),
    );
  }

  /** The control has ended. */
  clear(claim: string): void {
    this.timers.get(claim)?.cancel();
    this.timers.delete(claim);
  }

  /** Ends every watch. */
  stop(): void {
    for (const claim of [...this.timers.keys()]) this.clear(claim);
  }

  private async expire({ claim, ingestSeq, lane }: ClaimedReceipt): Promise<void> {
    try {
      if (!(await this.store.markInDoubt(claim))) return;
      this.scheduler.blocked(claim, 'in_doubt');
      const { existed } = await this.host.suspendSession(lane, claim, true);
      const outcome = existed ? 'control_timeout_after_session_suspension' : 'control_timeout_without_existing_session';
      await this.store.quarantine(claim, outcome);
      this.scheduler.blocked(claim, 'quarantined');
      this.telemetry.emit('receipt.quarantined', { ingestSeq, lane, outcome });
    } catch (error) {
      this.telemetry.emit('error.unexpected', { where: 'control.deadline', code: codeOf(error), ids: { ingestSeq } });
    }
  }
}
