// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../../../common/clock.js';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import type {
  AdmitResult,
  ClaimedReceipt,
  HostEffect,
  HostEffectResult,
  LedgerIdentity,
  LedgerStatistics,
  LedgerStore,
  NewReceipt,
  OpenedLedger,
  OutboxDispatch,
  TurnEnd,
} from './ledger-store.js';
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
