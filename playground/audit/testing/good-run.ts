// SPDX-License-Identifier: Apache-2.0
import type { AuditRecords, ChatEvent, ModelRequest, OutboxRow, ReceiptRow } from '../records.js';

/** Records whose parts a test bends before it hands them to the auditor. */
export interface Bendable extends AuditRecords {
  readonly chat: ChatEvent[];
  readonly model: ModelRequest[];
  readonly ledger: { readonly receipts: ReceiptRow[]; readonly outbox: OutboxRow[] };
}

/** A message of the run below; `n` counts from 1 over all channels. */
interface Said {
  readonly n: number;
  readonly channel: string;
  readonly at: number;
}

const SAID: readonly Said[] = [
  { n: 1, channel: 'general', at: 1_000 },
  { n: 2, channel: 'random', at: 1_010 },
  { n: 3, channel: 'general', at: 1_020 },
];

/**
 * A run in which everything holds: three messages in two channels over one connection, each answered by a preview, an edit and the end
 * of its task. The second message of `general` waits for the first.
 */
export function goodRun(): Bendable {
  const run: Bendable = { chat: [], model: [], ledger: { receipts: [], outbox: [] } };
  for (const { n, channel, at } of SAID) {
    run.chat.push({
      type: 'delivered',
      at,
      connection: 1,
      messageId: `m${n}`,
      channelId: channel,
      authorId: 'mira',
      text: `question ${n}`,
    });
  }
  for (const said of SAID) turn(run, said, said.n === 3 ? 2_000 : said.at + 10);
  run.chat.sort((a, b) => a.at - b.at);
  run.chat.push({ type: 'closed', at: 9_000, connection: 1 });
  return run;
}

function turn(run: Bendable, { n, channel, at }: Said, startedAt: number): void {
  const taskId = `borgee-${n}-00000000000${n}`;
  const place = { messageId: `a${n}`, channelId: channel };
  run.chat.push(
    { type: 'task_started', at: startedAt + 1, taskId, channelId: channel },
    { type: 'posted', at: startedAt + 20, ...place, replyTo: `m${n}`, text: 'ans' },
    { type: 'edited', at: startedAt + 30, messageId: `a${n}`, text: `answer ${n}` },
    { type: 'task_finished', at: startedAt + 50, taskId, channelId: channel, outcome: 'completed' },
  );
  run.model.push({
    at: startedAt + 5,
    system: `prompt of ${channel}, turn ${n}`,
    userText: `[Mira] question ${n}`,
    first: true,
    answered: true,
    reply: `answer ${n}`,
  });
  run.ledger.receipts.push({
    ingestSeq: n,
    messageId: `m${n}`,
    channelId: channel,
    lane: `agent:main:borgee:channel:${channel}`,
    state: 'completed',
    outcome: 'completed',
    ordinary: true,
    attempt: 1,
    receivedAt: at + 1,
    startedAt,
    endedAt: startedAt + 40,
  });
  run.ledger.outbox.push({ id: n, ingestSeq: n, kind: 'send', state: 'confirmed', code: null, messageId: `a${n}` });
}

/** Replaces the receipt of a message. */
export function bendReceipt(run: Bendable, messageId: string, change: Partial<ReceiptRow>): void {
  const index = run.ledger.receipts.findIndex((row) => row.messageId === messageId);
  const row = run.ledger.receipts[index];
  if (row === undefined) throw new Error(`No receipt of ${messageId}.`);
  run.ledger.receipts[index] = { ...row, ...change };
}

/** Takes out the receipt of a message. */
export function withoutReceipt(run: Bendable, messageId: string): void {
  run.ledger.receipts.splice(0, Infinity, ...run.ledger.receipts.filter((row) => row.messageId !== messageId));
}
