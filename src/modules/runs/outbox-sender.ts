// SPDX-License-Identifier: Apache-2.0
import type { Clock, ClockTimer } from '../../common/clock.js';
import { codeOf, ErrorCode } from '../../common/errors.js';
import type { Telemetry } from '../../common/telemetry.js';
import { SendError, type ChatServer } from '../gateway/index.js';
import type { LedgerStore, OutboxDispatch, OutboxTicket } from '../inbox/index.js';

/** Rows that are written at once over all channels; the rest waits in the ledger. */
const MAX_IN_FLIGHT = 64;
/** Wait before a row is tried again although the server is online (ledger or action table full), in ms. */
const RETRY_MS = 500;

/** How often a change of a message is written again whose result was lost. */
const MAX_REPEATS = 5;

/** What became of one row: it is done with, or its channel has to wait. */
type Attempt = 'done' | 'wait';

/**
 * Writes the outbox to the chat server: in the order of the ledger within a channel, channels beside each other. Every row is committed as
 * `sent` before its first write. A new message is written at most once; only one whose frame certainly never left goes back to `queued`, and
 * so does a change whose result was lost, which says the same when it is said again (architecture 6). Texts are read from the ledger when they are due, so that an edit that came meanwhile is part of the first write.
 */
export class OutboxSender {
  private readonly channels = new Map<string, OutboxTicket[]>();
  /** Rows not settled, by receipt. */
  private readonly unsettled = new Map<number, number>();
  private readonly drained = new Map<number, (() => void)[]>();
  private ready: string[] = [];
  /** How often a change was written again, by row. */
  private readonly repeats = new Map<number, number>();
  private readonly busy = new Set<string>();
  private readonly waiting = new Set<string>();
  private stopped = false;
  private retry: ClockTimer | undefined;
  private readonly stopOnline: () => void;

  constructor(
    private readonly store: LedgerStore,
    private readonly chat: ChatServer,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
  ) {
    this.stopOnline = chat.onOnlineChange((online) => {
      if (online) this.wake();
    });
  }

  /** Takes over rows that were just committed as queued, in their order. */
  enqueue(tickets: readonly OutboxTicket[]): void {
    for (const ticket of tickets) {
      this.unsettled.set(ticket.ingestSeq, (this.unsettled.get(ticket.ingestSeq) ?? 0) + 1);
      const queue = this.channels.get(ticket.channelId);
      if (queue === undefined) {
        this.channels.set(ticket.channelId, [ticket]);
        this.ready.push(ticket.channelId);
      } else queue.push(ticket);
    }
    this.pump();
  }

  /** Resolves when no row of the receipt waits for the chat server any more. */
  whenDrained(ingestSeq: number): Promise<void> {
    if (!this.unsettled.has(ingestSeq)) return Promise.resolve();
    return new Promise((resolve) => {
      const waiters = this.drained.get(ingestSeq);
      if (waiters === undefined) this.drained.set(ingestSeq, [resolve]);
      else waiters.push(resolve);
    });
  }

  /** Resolves when nothing waits for the chat server any more. */
  whenEmpty(): Promise<void> {
    return Promise.all([...this.unsettled.keys()].map((ingestSeq) => this.whenDrained(ingestSeq))).then(
      () => undefined,
    );
  }

  /** Takes no further row; those in flight settle by themselves. */
  stop(): void {
    this.stopped = true;
    this.retry?.cancel();
    this.stopOnline();
  }

  private wake(): void {
    this.ready.push(...this.waiting);
    this.waiting.clear();
    this.pump();
  }

  private wakeLater(): void {
    this.retry ??= this.clock.schedule(RETRY_MS, () => {
      this.retry = undefined;
      this.wake();
    });
  }

  private pump(): void {
    while (!this.stopped && this.busy.size < MAX_IN_FLIGHT) {
      const channelId = this.ready.shift();
      if (channelId === undefined) return;
      if (!this.chat.online) {
        this.waiting.add(channelId);
        continue;
      }
      this.busy.add(channelId);
      void this.serve(channelId);
    }
  }

  /** Writes the rows of one channel, one after another, until it is empty or has to wait. */
  private async serve(channelId: string): Promise<void> {
    const queue = this.channels.get(channelId) ?? [];
    for (let ticket = queue[0]; ticket !== undefined && !this.stopped; ticket = queue[0]) {
      if ((await this.attempt(ticket)) === 'wait') {
        this.waiting.add(channelId);
        break;
      }
      queue.shift();
      this.settled(ticket.ingestSeq);
    }
    this.busy.delete(channelId);
    if (queue.length === 0) this.channels.delete(channelId);
    if (this.waiting.has(channelId) && this.chat.online) this.wakeLater();
    this.pump();
  }

  private async attempt(ticket: OutboxTicket): Promise<Attempt> {
    if (!this.chat.online) return 'wait';
    try {
      const row = await this.store.takeOutbox(ticket.id);
      if (row === null) return 'done';
      return await this.write(row);
    } catch (error) {
      this.telemetry.emit('error.unexpected', { where: 'outbox', code: codeOf(error), ids: { outboxId: ticket.id } });
      return 'wait';
    }
  }

  private async write(row: OutboxDispatch): Promise<Attempt> {
    let messageId: string | null;
    this.telemetry.emit('outbox.writing', { outboxId: row.id });
    try {
      messageId = await this.perform(row);
    } catch (error) {
      return this.failed(row, error);
    }
    await this.store.confirmOutbox(row.id, messageId);
    this.repeats.delete(row.id);
    this.telemetry.emit('outbox.settled', { outboxId: row.id, state: 'confirmed', code: null });
    return 'done';
  }

  /** @returns the id of a new message, null for a change */
  private async perform(row: OutboxDispatch): Promise<string | null> {
    if (row.kind === 'send') {
      return this.chat.sendMessage({ channelId: row.channelId, content: row.content, replyToId: row.replyTo });
    }
    if (row.targetMessageId === null) throw new SendError('refused', ErrorCode.TargetUnsettled);
    if (row.kind === 'edit') await this.chat.editMessage({ messageId: row.targetMessageId, content: row.content });
    else await this.chat.deleteMessage(row.targetMessageId);
    return null;
  }

  private async failed(row: OutboxDispatch, error: unknown): Promise<Attempt> {
    const { outcome, code } =
      error instanceof SendError ? error : { outcome: 'uncertain' as const, code: codeOf(error) };
    const outboxId = row.id;
    const state = outcome === 'not_sent' || (outcome === 'uncertain' && this.mayRepeat(row)) ? 'queued' : outcome;
    await this.store.settleOutbox(outboxId, state, code);
    if (state === 'queued') return 'wait';
    this.repeats.delete(outboxId);
    this.telemetry.emit('outbox.settled', { outboxId, state, code });
    return 'done';
  }

  /** A change of a message says the same when it is said again; a new message could appear twice. */
  private mayRepeat(row: OutboxDispatch): boolean {
    if (row.kind === 'send') return false;
    const repeats = (this.repeats.get(row.id) ?? 0) + 1;
    this.repeats.set(row.id, repeats);
    return repeats <= MAX_REPEATS;
  }

  private settled(ingestSeq: number): void {
    const left = (this.unsettled.get(ingestSeq) ?? 1) - 1;
    if (left > 0) {
      this.unsettled.set(ingestSeq, left);
      return;
    }
    this.unsettled.delete(ingestSeq);
    for (const resolve of this.drained.get(ingestSeq) ?? []) resolve();
    this.drained.delete(ingestSeq);
  }
}
