// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../../common/clock.js';
import { shortHash } from '../../common/ids.js';
import type { Telemetry } from '../../common/telemetry.js';
import type { InboundEvent, InboundHandler } from '../gateway/index.js';
import type { Classifier } from './classifier.js';
import type { Classified } from './dispatch-class.js';
import { laneKey } from './lane-key.js';
import type { Scheduler } from './scheduler.js';
import type { LedgerStore, NewReceipt } from './store/index.js';

/** Kinds that start a turn; their identity is the message itself (INB-15). */
const TURN_KINDS: ReadonlySet<string> = new Set(['message', 'mention']);

/** Turns events of the chat server into committed receipts and wakes the scheduler (INB-1). */
export class Intake implements InboundHandler {
  constructor(
    private readonly store: LedgerStore,
    private readonly scheduler: Scheduler,
    private readonly classifier: Classifier,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
  ) {}

  /** Stores one event; resolves when its receipt is committed. @throws AngeliaError when the ledger cannot be written */
  async receive(event: InboundEvent): Promise<void> {
    const receipt = this.receiptOf(event);
    const result = await this.store.admit(receipt);
    const terminal = result.state === 'completed' || result.state === 'failed';
    this.telemetry.emit('receipt.committed', {
      ingestSeq: result.ingestSeq,
      messageId: event.messageId,
      lane: receipt.lane,
      duplicate: result.duplicate,
      terminal,
    });
    if (result.duplicate || result.state !== 'pending') return;
    this.scheduler.admitted(receipt.lane, result.ingestSeq, receipt.dispatchClass);
  }

  /** One write that proves the ledger can be written again. */
  probe(): Promise<void> {
    return this.store.probe();
  }

  /** Keeps the id of a message that the gateway sent by itself, for the echo filter (bpp 3.6). */
  rememberOutbound(messageId: string, channelId: string): Promise<void> {
    return this.store.rememberOutbound(messageId, channelId);
  }

  private receiptOf(event: InboundEvent): NewReceipt {
    const startsTurn = event.ignored === null;
    const lane = laneKey(event.channelType, event.channelId);
    const { dispatchClass, body }: Classified = startsTurn
      ? this.classifier.classify(event.body, lane)
      : { dispatchClass: 'ordinary', body: event.body };
    return {
      dedupeKey: TURN_KINDS.has(event.kind)
        ? shortHash('turn', event.channelId, event.messageId)
        : shortHash(event.kind, event.channelId, event.messageId, event.evidence.toString('hex')),
      evidence: event.evidence,
      kind: event.kind,
      lane,
      channelId: event.channelId,
      channelType: event.channelType,
      messageId: event.messageId,
      authorId: event.authorId,
      authorName: event.authorName,
      body,
      sourceBody: body === event.body ? null : event.body,
      dispatchClass,
      context: event.context,
      sourceCreatedAt: event.sourceCreatedAt,
      receivedAt: this.clock.now(),
      terminal:
        event.ignored === null
          ? null
          : { state: event.ignored === 'undecodable' ? 'failed' : 'completed', outcome: event.ignored },
      checkEcho: startsTurn,
    };
  }
}
