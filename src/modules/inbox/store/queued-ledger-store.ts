// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../../../common/clock.js';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import type { DispatchClass } from '../dispatch-class.js';
import type { HostEffect, HostEffectResult, TurnEnd } from './host-effect-types.js';
import type { LedgerStore } from './ledger-store.js';
import type { LedgerIdentity, OpenedLedger } from './opened-types.js';
import type {
  LedgerStatistics,
  Pause,
  ReceiptDetail,
  ReceiptQuery,
  ReceiptSummary,
  RemediationOrder,
  RemediationResult,
  RetentionResult,
  RetentionRules,
} from './operator-types.js';
import type { OutboxDispatch } from './outbox-types.js';
import type { AdmitResult, ClaimedReceipt, NewReceipt } from './receipt-types.js';
import type { LedgerTransport } from './ledger-transport.js';
import { MAX_BATCH_STEPS } from './options.js';
import { StepQueue } from './step-queue.js';
import type { StepArguments, StepName, StepResult } from './steps.js';
import { packReceipt, unpackAdmitResult } from './wire.js';

/**
 * The near side of the ledger: the caller's thread submits steps and never waits for the disk. Its life: new, opening (steps wait), open,
 * closed; `close()` from any of them, a failed `open()` closes as well.
 */
export class QueuedLedgerStore implements LedgerStore {
  private readonly queue: StepQueue;
  private opening: Promise<OpenedLedger> | null = null;
  private closing: Promise<void> | null = null;
  private accepting = false;

  /**
   * @param transport the way to the database
   * @param clock stamps every batch
   * @param maxBatchSteps most steps of one commit
   */
  constructor(
    private readonly transport: LedgerTransport,
    private readonly clock: Clock,
    maxBatchSteps = MAX_BATCH_STEPS,
  ) {
    this.queue = new StepQueue(maxBatchSteps, (steps) => transport.run({ now: this.clock.now(), steps }));
  }

  open(): Promise<OpenedLedger> {
    if (this.closing !== null) return Promise.reject(closed());
    this.opening ??= this.openOnce();
    return this.opening;
  }

  close(): Promise<void> {
    this.closing ??= this.closeOnce();
    return this.closing;
  }

  bindIdentity(identity: LedgerIdentity): Promise<void> {
    return this.submit('bindIdentity', [identity]);
  }

  keepSettings(settings: string): Promise<void> {
    return this.submit('keepSettings', [settings]);
  }

  async admit(receipt: NewReceipt): Promise<AdmitResult> {
    return unpackAdmitResult(await this.submitPacked('admit', packReceipt(receipt)));
  }

  claim(ingestSeq: number, claim: string): Promise<ClaimedReceipt | null> {
    return this.submit('claim', [ingestSeq, claim]);
  }

  markStarted(claim: string): Promise<boolean> {
    return this.submit('markStarted', [claim]);
  }

  findClaimed(claim: string): Promise<ClaimedReceipt | null> {
    return this.submit('findClaimed', [claim]);
  }

  endClaim(claim: string, end: TurnEnd): Promise<HostEffectResult> {
    return this.submit('endClaim', [claim, end]);
  }

  markInDoubt(claim: string): Promise<boolean> {
    return this.submit('markInDoubt', [claim]);
  }

  quarantine(claim: string, outcome: string): Promise<boolean> {
    return this.submit('quarantine', [claim, outcome]);
  }

  watermark(instance: string): Promise<number> {
    return this.submit('watermark', [instance]);
  }

  applyHostEffects(
    instance: string,
    throughSeq: number,
    effects: readonly HostEffect[],
  ): Promise<readonly HostEffectResult[]> {
    return this.submit('applyHostEffects', [instance, throughSeq, effects]);
  }

  takeOutbox(id: number): Promise<OutboxDispatch | null> {
    return this.submit('takeOutbox', [id]);
  }

  confirmOutbox(id: number, messageId: string | null): Promise<void> {
    return this.submit('confirmOutbox', [id, messageId]);
  }

  settleOutbox(id: number, state: 'uncertain' | 'refused' | 'queued', code: ErrorCode): Promise<void> {
    return this.submit('settleOutbox', [id, state, code]);
  }

  rememberOutbound(messageId: string, channelId: string): Promise<void> {
    return this.submit('rememberOutbound', [messageId, channelId]);
  }

  closeTask(ingestSeq: number): Promise<void> {
    return this.submit('closeTask', [ingestSeq]);
  }

  keepCommands(commands: string): Promise<void> {
    return this.submit('keepCommands', [commands]);
  }

  unclassified(
    limit: number,
  ): Promise<readonly { readonly ingestSeq: number; readonly lane: string; readonly body: string }[]> {
    return this.submit('unclassified', [limit]);
  }

  reclassify(
    rows: readonly { readonly ingestSeq: number; readonly dispatchClass: DispatchClass; readonly body: string }[],
  ): Promise<void> {
    return this.submit('reclassify', [rows]);
  }

  lanesWithQuestions(): Promise<readonly string[]> {
    return this.submit('lanesWithQuestions', []);
  }

  closeQuestions(livingInstance: string): Promise<number> {
    return this.submit('closeQuestions', [livingInstance]);
  }

  remediate(ingestSeq: number, order: RemediationOrder): Promise<RemediationResult | null> {
    return this.submit('remediate', [ingestSeq, order]);
  }

  confirmReset(remediationId: number): Promise<void> {
    return this.submit('confirmReset', [remediationId]);
  }

  async listReceipts(query: ReceiptQuery): Promise<readonly ReceiptSummary[]> {
    const found: ReceiptSummary[] = [];
    for (let rest = query; ;) {
      const { receipts, next } = await this.submit('scanReceipts', [rest]);
      found.push(...receipts);
      if (next === null || found.length >= query.limit) return found;
      rest = { ...query, before: next, limit: query.limit - found.length };
    }
  }

  showReceipt(ingestSeq: number, withContent: boolean): Promise<ReceiptDetail | null> {
    return this.submit('showReceipt', [ingestSeq, withContent]);
  }

  quarantinedOf(lane: string): Promise<readonly number[]> {
    return this.submit('quarantinedOf', [lane]);
  }

  setPause(pause: Pause, on: boolean, actor: string): Promise<readonly Pause[]> {
    return this.submit('setPause', [pause, on, actor]);
  }

  retain(rules: RetentionRules): Promise<RetentionResult> {
    return this.submit('retain', [rules]);
  }

  probe(): Promise<void> {
    return this.submit('probe', []);
  }

  statistics(): Promise<LedgerStatistics> {
    return this.submit('statistics', []);
  }

  private async openOnce(): Promise<OpenedLedger> {
    this.accepting = true;
    try {
      const opened = await this.transport.open(this.clock.now());
      this.queue.begin();
      return opened;
    } catch (error) {
      this.accepting = false;
      this.queue.fail(error);
      throw error;
    }
  }

  private async closeOnce(): Promise<void> {
    this.accepting = false;
    await this.opening?.catch(() => undefined);
    await this.queue.settled();
    await this.transport.close();
  }

  private submit<N extends StepName>(name: N, args: StepArguments<N>): Promise<StepResult<N>> {
    return this.submitPacked(name, args) as Promise<StepResult<N>>;
  }

  private submitPacked(name: StepName, args: readonly unknown[]): Promise<unknown> {
    return this.accepting ? this.queue.submit(name, args) : Promise.reject(closed());
  }
}

function closed(): AngeliaError {
  return new AngeliaError(ErrorCode.LedgerClosed);
}
