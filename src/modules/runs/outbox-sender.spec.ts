// SPDX-License-Identifier: Apache-2.0
import { FakeChatServer } from '../../../test/support/fake-chat-server.js';
import { InlineLedgerStore } from '../../../test/support/inline-ledger-store.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { ledgerFolder, newReceipt, type LedgerFolder } from '../../../test/support/store.js';
import { Telemetry } from '../../common/telemetry.js';
import type { HostEffect, OutboxTicket } from '../inbox/index.js';
import { OutboxSender } from './outbox-sender.js';

type Draft = HostEffect extends infer E ? (E extends { seq: number } ? Omit<E, 'seq'> : never) : never;

describe('OutboxSender', () => {
  let folder: LedgerFolder;
  let store: InlineLedgerStore;
  let chat: FakeChatServer;
  let clock: ManualClock;
  let outbox: OutboxSender;
  let telemetry: Telemetry;
  let seq: number;

  beforeEach(async () => {
    folder = ledgerFolder();
    store = new InlineLedgerStore({ path: folder.path });
    await store.open();
    chat = new FakeChatServer();
    clock = new ManualClock();
    telemetry = new Telemetry();
    outbox = new OutboxSender(store, chat, clock, telemetry);
    seq = 0;
  });

  afterEach(async () => {
    outbox.stop();
    await store.close();
    folder.remove();
  });

  /** A claimed receipt of a channel; its claim is the channel's id, filled up. */
  async function claimed(channelId: string): Promise<number> {
    const { ingestSeq } = await store.admit(newReceipt(channelId, { channelId, lane: channelId }));
    await store.claim(ingestSeq, channelId.padEnd(32, '0'));
    return ingestSeq;
  }

  async function commit(...drafts: Draft[]): Promise<OutboxTicket[]> {
    const effects = drafts.map((draft) => ({ ...draft, seq: (seq += 1) }));
    const results = await store.applyHostEffects('i', seq, effects);
    return results.flatMap(({ queued }) => queued);
  }

  const send = (channelId: string, handle: string, text: string): Draft => ({
    kind: 'send',
    claim: channelId.padEnd(32, '0'),
    handle,
    replyTo: null,
    parts: [text],
  });
  const edit = (channelId: string, handle: string, text: string): Draft => ({
    kind: 'edit',
    claim: channelId.padEnd(32, '0'),
    handle,
    parts: [text],
  });
  const contents = (): string[] => chat.writes.map((write) => ('content' in write ? write.content : write.kind));

  it('[BPP-4] writes send, edit and delete in their order and confirms them', async () => {
    const ingestSeq = await claimed('ch');
    outbox.enqueue(await commit(send('ch', 'h1', 'preview')));
    await outbox.whenDrained(ingestSeq);
    outbox.enqueue(await commit(edit('ch', 'h1', 'final')));
    await outbox.whenDrained(ingestSeq);
    outbox.enqueue(await commit({ kind: 'delete', claim: 'ch'.padEnd(32, '0'), handle: 'h1' }));
    await outbox.whenDrained(ingestSeq);
    expect(chat.writes).toEqual([
      { kind: 'send', channelId: 'ch', content: 'preview', replyToId: null },
      { kind: 'edit', messageId: 'msg_1', content: 'final' },
      { kind: 'delete', messageId: 'msg_1' },
    ]);
    expect((await store.statistics()).outbox).toMatchObject({ confirmed: 3, queued: 0, sent: 0 });
  });

  it('waits for the server, and then writes the newest text only', async () => {
    const ingestSeq = await claimed('ch');
    chat.setOnline(false);
    outbox.enqueue(await commit(send('ch', 'h1', 'one')));
    outbox.enqueue(await commit(edit('ch', 'h1', 'one two')));
    outbox.enqueue(await commit(edit('ch', 'h1', 'one two three')));
    expect(chat.writes).toEqual([]);
    chat.setOnline(true);
    await outbox.whenDrained(ingestSeq);
    expect(contents()).toEqual(['one two three']);
  });

  it('keeps the order of a channel and lets no channel wait for another', async () => {
    const first = await claimed('a');
    const second = await claimed('b');
    outbox.enqueue(await commit(send('a', 'h1', 'a1'), send('a', 'h2', 'a2'), send('b', 'h3', 'b1')));
    await Promise.all([outbox.whenDrained(first), outbox.whenDrained(second)]);
    expect(contents().filter((text) => text.startsWith('a'))).toEqual(['a1', 'a2']);
    expect(contents().indexOf('b1')).toBeLessThan(2);
  });

  it('writes a row again only when its frame certainly never left', async () => {
    const ingestSeq = await claimed('ch');
    chat.failures.push('not_sent');
    const tried = new Promise<void>((resolve) => {
      chat.onWrite = resolve;
    });
    outbox.enqueue(await commit(send('ch', 'h1', 'text')));
    await tried;
    chat.onWrite = () => undefined;
    while (clock.pending === 0) await store.probe();
    expect(chat.writes).toEqual([]);
    clock.advance(500);
    await outbox.whenDrained(ingestSeq);
    expect(contents()).toEqual(['text']);
  });

  it.each(['uncertain', 'refused'] as const)('never repeats a write that ended %s', async (outcome) => {
    const ingestSeq = await claimed('ch');
    chat.failures.push(outcome);
    outbox.enqueue(await commit(send('ch', 'h1', 'text'), send('ch', 'h2', 'next')));
    await outbox.whenDrained(ingestSeq);
    expect(contents()).toEqual(['text', 'next']);
    expect((await store.statistics()).outbox).toMatchObject({ [outcome]: 1, confirmed: 1 });
  });

  it('refuses an edit of a message that was never confirmed, visibly', async () => {
    const ingestSeq = await claimed('ch');
    chat.failures.push('uncertain');
    const settled: unknown[] = [];
    telemetry.on('outbox.settled', (event) => settled.push(event.state, event.code));
    outbox.enqueue(await commit(send('ch', 'h1', 'preview')));
    await outbox.whenDrained(ingestSeq);
    outbox.enqueue(await commit(edit('ch', 'h1', 'final')));
    await outbox.whenDrained(ingestSeq);
    expect(contents()).toEqual(['preview']);
    expect(settled).toEqual(['uncertain', 'connection_lost', 'refused', 'target_unsettled']);
  });

  it('writes a change again whose result was lost, and gives up in the end, visibly', async () => {
    const ingestSeq = await claimed('ch');
    outbox.enqueue(await commit(send('ch', 'h1', 'preview')));
    await outbox.whenDrained(ingestSeq);
    chat.failures.push('uncertain');
    outbox.enqueue(await commit(edit('ch', 'h1', 'final')));
    while (clock.pending === 0) await store.probe();
    clock.advance(500);
    await outbox.whenDrained(ingestSeq);
    expect(contents()).toEqual(['preview', 'final', 'final']);
    chat.failures.push(...Array.from({ length: 6 }, () => 'uncertain' as const));
    outbox.enqueue(await commit(edit('ch', 'h1', 'last')));
    const drained = outbox.whenDrained(ingestSeq);
    for (let retry = 0; retry < 5; retry += 1) {
      while (clock.pending === 0) await store.probe();
      clock.advance(500);
    }
    await drained;
    expect((await store.statistics()).outbox).toMatchObject({ uncertain: 1, queued: 0 });
  });

  it('resolves at once for a receipt without rows', async () => {
    await expect(outbox.whenDrained(42)).resolves.toBeUndefined();
    await expect(outbox.whenEmpty()).resolves.toBeUndefined();
  });
});
