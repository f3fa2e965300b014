// SPDX-License-Identifier: Apache-2.0
import { AngeliaError, codeOf, ErrorCode } from '../../common/errors.js';
import { newClaimToken } from '../../common/ids.js';
import type { Telemetry } from '../../common/telemetry.js';
import type { Scheduler } from './scheduler.js';
import type { DueReset, LedgerStore, RemediationOrder } from './store/index.js';

/** Resets Hermes sessions; implemented over the link. */
export interface SessionReset {
  /**
   * Forgets the history of a session, so that its next turn begins a new one.
   * @param reason unique for each attempt: the answer to a repeated one comes from memory
   * @returns whether the session existed
   * @throws AngeliaError `link_detached` when Hermes is away or went away meanwhile, another code when it refuses
   */
  resetSession(sessionKey: string, reason: string): Promise<{ existed: boolean }>;
}

/** Who decides, and why. */
export type Decision = Pick<RemediationOrder, 'actor' | 'reason'>;

/** What became of one receipt. */
export interface Remediated {
  readonly ingestSeq: number;
  readonly lane: string;
  readonly action: RemediationOrder['action'];
  /** False: Hermes is away; the lane opens after the reset, which the next attach brings. */
  readonly sessionReset: boolean;
}

/** Errors that leave a due reset due. */
const NOT_NOW: ReadonlySet<ErrorCode> = new Set([ErrorCode.LaneBusy, ErrorCode.SessionResetRefused]);

/** A reset that is due, and whether the receipt stands in its lane already. */
interface Due extends DueReset {
  readonly inLine: boolean;
}

/**
 * The operator's decisions about quarantined receipts (INB-5).
 *
 * | Hermes | the session of the lane | the decision |
 * | --- | --- | --- |
 * | attached, resets it (or it does not exist) | reset first | committed, acts at once |
 * | attached, refuses | as it was | nothing is committed, `session_reset_refused` |
 * | away | as it was | committed as `reset_pending`; the lane stays blocked until the reset at the next attach |
 *
 * A discarded receipt never runs. A requeued one runs again, and what its first turn did before it died may happen twice. Only one process
 * decides: between the look at the state and the commit the ledger is asked again, so that of two decisions the second one is refused.
 */
export class Remediation {
  private readonly due = new Map<number, Due>();

  constructor(
    private readonly store: LedgerStore,
    private readonly scheduler: Scheduler,
    private readonly sessions: SessionReset,
    private readonly telemetry: Telemetry,
  ) {}

  /** Takes over resets that an earlier process left due. Their requeued receipts stand in the lanes already. */
  restore(resets: readonly DueReset[]): void {
    for (const reset of resets) {
      this.due.set(reset.remediationId, { ...reset, inLine: true });
      this.scheduler.resetDue(reset.lane, reset.ingestSeq);
    }
  }

  /** Decisions whose reset is still due, oldest first. */
  get dueResets(): readonly DueReset[] {
    return [...this.due.values()];
  }

  /**
   * Ends a quarantined receipt without running it.
   * @throws AngeliaError `receipt_unknown`, `receipt_not_quarantined` naming its state, `lane_busy`, `session_reset_refused`
   */
  discard(ingestSeq: number, decision: Decision): Promise<Remediated> {
    return this.decide(ingestSeq, 'discard', decision);
  }

  /**
   * Lets a quarantined receipt run again, in its old place.
   * @param confirmed the operator knows that what the first turn did may happen twice
   * @throws AngeliaError `confirmation_missing`, and those of `discard`
   */
  async requeue(ingestSeq: number, decision: Decision, confirmed: boolean): Promise<Remediated> {
    if (!confirmed) throw new AngeliaError(ErrorCode.ConfirmationMissing);
    return this.decide(ingestSeq, 'requeue', decision);
  }

  /**
   * Discards all quarantined receipts of a lane.
   * @throws AngeliaError `lane_not_quarantined`, `lane_busy`, `session_reset_refused`
   */
  async discardLane(lane: string, decision: Decision): Promise<readonly Remediated[]> {
    const receipts = await this.store.quarantinedOf(lane);
    if (receipts.length === 0) throw new AngeliaError(ErrorCode.LaneNotQuarantined, { lane });
    const sessionReset = await this.reset(lane);
    const done: Remediated[] = [];
    for (const ingestSeq of receipts) {
      const remediated = await this.commit(ingestSeq, { ...decision, action: 'discard', sessionReset });
      if (remediated !== null) done.push(remediated);
    }
    return done;
  }

  /**
   * Does the resets that are due; call it with Hermes attached. A session that cannot be reset now stays due and its lane blocked, visibly.
   * @throws AngeliaError when the ledger cannot be written
   */
  async runDueResets(): Promise<void> {
    for (const lane of new Set([...this.due.values()].map((due) => due.lane))) {
      try {
        await this.reset(lane);
      } catch (error) {
        if (!NOT_NOW.has(codeOf(error))) throw error;
        this.telemetry.emit('error.unexpected', { where: 'remediation.reset', code: codeOf(error), ids: { lane } });
      }
    }
  }

  private async decide(ingestSeq: number, action: RemediationOrder['action'], decision: Decision): Promise<Remediated> {
    const { lane } = await this.quarantined(ingestSeq);
    const sessionReset = await this.reset(lane);
    return (await this.commit(ingestSeq, { ...decision, action, sessionReset })) ?? this.refuse(ingestSeq);
  }

  private async quarantined(ingestSeq: number): Promise<{ lane: string }> {
    const receipt = await this.store.showReceipt(ingestSeq, false);
    if (receipt === null) throw new AngeliaError(ErrorCode.ReceiptUnknown, { ingest_seq: ingestSeq });
    if (receipt.state !== 'quarantined') {
      throw new AngeliaError(ErrorCode.ReceiptNotQuarantined, { ingest_seq: ingestSeq, state: receipt.state });
    }
    return receipt;
  }

  /** Another decision was faster. @throws AngeliaError with the state that the receipt has now */
  private async refuse(ingestSeq: number): Promise<never> {
    await this.quarantined(ingestSeq);
    throw new AngeliaError(ErrorCode.Internal, { ingest_seq: ingestSeq });
  }

  /**
   * Resets the session of a lane, and with it what was due there.
   * @returns false when Hermes is away
   * @throws AngeliaError `lane_busy`, `session_reset_refused`
   */
  private async reset(lane: string): Promise<boolean> {
    const busy = this.scheduler.runningClaims().find((running) => running.lane === lane && !running.inDoubt);
    if (busy !== undefined) throw new AngeliaError(ErrorCode.LaneBusy, { lane, running: busy.ingestSeq });
    let existed: boolean;
    try {
      ({ existed } = await this.sessions.resetSession(lane, newClaimToken()));
    } catch (error) {
      if (codeOf(error) === ErrorCode.LinkDetached) return false;
      throw new AngeliaError(ErrorCode.SessionResetRefused, { lane, cause: codeOf(error) }, error);
    }
    for (const due of [...this.due.values()].filter((one) => one.lane === lane)) await this.settle(due, existed);
    return true;
  }

  private async commit(ingestSeq: number, order: RemediationOrder): Promise<Remediated | null> {
    const { action, sessionReset } = order;
    const result = await this.store.remediate(ingestSeq, order);
    if (result === null) return null;
    const { lane, remediationId, dispatchClass } = result;
    const requeued = action === 'requeue' ? { dispatchClass } : null;
    if (sessionReset) this.scheduler.unblocked(lane, ingestSeq, requeued);
    else {
      this.due.set(remediationId, { remediationId, ingestSeq, lane, requeued, inLine: false });
      this.scheduler.resetDue(lane, ingestSeq);
    }
    this.telemetry.emit('receipt.remediated', { ingestSeq, lane, action, reset: sessionReset });
    return { ingestSeq, lane, action, sessionReset };
  }

  /** The session is reset: the decision acts. */
  private async settle(due: Due, existed: boolean): Promise<void> {
    const { remediationId, ingestSeq, lane, requeued, inLine } = due;
    await this.store.confirmReset(remediationId);
    if (!this.due.delete(remediationId)) return;
    this.telemetry.emit('session.reset', { ingestSeq, lane, existed });
    this.scheduler.unblocked(lane, ingestSeq, inLine ? null : requeued);
  }
}
