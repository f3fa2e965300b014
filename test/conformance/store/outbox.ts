// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../../../src/common/errors.js';
import type { OutboxDispatch } from '../../../src/modules/inbox/store/index.js';
import { type Effect, type MakeStore, StoreWorld } from './store-world.js';

/** Outbox rows: texts of Hermes, their changes, and what the chat server said to them. */
export function describeOutbox(make: MakeStore): void {
  let world: StoreWorld;
  const claim = 'claim-m_1';
  beforeEach(async () => {
    world = new StoreWorld(make);
    await world.open();
    await world.claimed('m_1');
  });
  afterEach(() => world.end());

  const run = async (effect: Effect): Promise<number[]> => (await world.applyOne(effect)).queued.map(({ id }) => id);
  const send = (handle: string, ...parts: string[]): Promise<number[]> =>
    run({ kind: 'send', claim, handle, replyTo: 'm_1', parts });
  const edit = (handle: string, ...parts: string[]): Promise<number[]> => run({ kind: 'edit', claim, handle, parts });
  const remove = (handle: string): Promise<number[]> => run({ kind: 'delete', claim, handle });
  const take = (id: number): Promise<OutboxDispatch | null> => world.store.takeOutbox(id);
  const written = async (id: number, messageId: string | null): Promise<void> => {
    expect(await take(id)).not.toBeNull();
    await world.store.confirmOutbox(id, messageId);
  };

  describe('[BPP-9] a send', () => {
    it('[BPP-9] is one row for each part, in order, of which the first one replies', async () => {
      expect(await send('h', 'one', 'two')).toEqual([1, 2]);
      const common = { kind: 'send', channelId: 'ch_1', targetMessageId: null };
      expect(await take(1)).toEqual({ ...common, id: 1, replyTo: 'm_1', content: 'one' });
      expect(await take(2)).toEqual({ ...common, id: 2, replyTo: null, content: 'two' });
    });

    it('[BPP-9] is taken once', async () => {
      await send('h', 'one');
      const taken = await Promise.all([take(1), take(1)]);
      expect(taken.map((dispatch) => dispatch?.id)).toEqual([1, undefined]);
      expect(await take(99)).toBeNull();
    });

    it('[BPP-9] that certainly never left waits again', async () => {
      await send('h', 'one');
      await take(1);
      await world.store.settleOutbox(1, 'queued', ErrorCode.NotOnline);
      expect((await world.open()).queued).toEqual([{ id: 1, channelId: 'ch_1', ingestSeq: 1 }]);
      expect(await take(1)).toMatchObject({ content: 'one' });
    });

    it.each([['uncertain'], ['refused']] as const)('[BPP-9] that is %s stays so', async (state) => {
      await send('h', 'one');
      await take(1);
      await world.store.settleOutbox(1, state, ErrorCode.MessageRefused);
      await world.store.settleOutbox(1, 'queued', ErrorCode.NotOnline);
      await world.store.confirmOutbox(1, 'late_1');
      expect(await take(1)).toBeNull();
      expect((await world.store.statistics()).outbox[state]).toBe(1);
      expect(await world.rows('SELECT code, message_id AS id FROM outbox')).toEqual([
        { code: 'message_refused', id: null },
      ]);
      expect(await world.rows('SELECT message_id AS id FROM outbound_ids')).toEqual([{ id: 'late_1' }]);
    });

    it('[BPP-9] that an earlier process left under way is uncertain, never repeated', async () => {
      await send('h', 'one', 'two');
      await take(1);
      expect((await world.open()).queued.map(({ id }) => id)).toEqual([2]);
      expect(await take(1)).toBeNull();
      expect((await world.store.statistics()).outbox).toMatchObject({ uncertain: 1, queued: 1, sent: 0 });
    });

    it('[HST-11] that only changes a message is written again, in its place', async () => {
      await send('h', 'one');
      await take(1);
      await world.store.confirmOutbox(1, 'msg_1');
      await edit('h', 'two');
      await take(2);
      const { queued } = await world.open();
      expect(queued.map(({ id }) => id)).toEqual([2]);
      expect(await take(2)).toMatchObject({ kind: 'edit', content: 'two', targetMessageId: 'msg_1' });
    });
  });

  describe('[BPP-9] an edit', () => {
    it('[BPP-9] changes a send that still waits, in its place', async () => {
      await send('h', 'draft');
      expect(await edit('h', 'final')).toEqual([]);
      expect(await take(1)).toMatchObject({ kind: 'send', content: 'final', replyTo: 'm_1' });
    });

    it('[BPP-9] of a written send is a row that names the message', async () => {
      await send('h', 'draft');
      await written(1, 'own_1');
      expect(await edit('h', 'better')).toEqual([2]);
      expect(await take(2)).toEqual({
        id: 2,
        kind: 'edit',
        channelId: 'ch_1',
        replyTo: null,
        content: 'better',
        targetMessageId: 'own_1',
      });
    });

    it('[BPP-9] merges with one that still waits, and follows one that is under way', async () => {
      await send('h', 'draft');
      await written(1, 'own_1');
      expect(await edit('h', 'second')).toEqual([2]);
      expect(await edit('h', 'third')).toEqual([]);
      expect(await take(2)).toMatchObject({ content: 'third' });
      expect(await edit('h', 'fourth')).toEqual([3]);
    });

    it('[BPP-9] that says what the message says already is none', async () => {
      await send('h', 'draft');
      expect(await edit('h', 'draft')).toEqual([]);
      await written(1, 'own_1');
      expect(await edit('h', 'draft')).toEqual([]);
      expect(await edit('h', 'final')).toEqual([2]);
      await written(2, null);
      expect(await edit('h', 'final')).toEqual([]);
      expect(await edit('h', '')).toEqual([]);
      expect(await edit('h')).toEqual([]);
    });

    it('[BPP-9] is tried again when the one before was refused', async () => {
      await send('h', 'draft');
      await written(1, 'own_1');
      await edit('h', 'final');
      await take(2);
      await world.store.settleOutbox(2, 'refused', ErrorCode.ActionRefused);
      expect(await edit('h', 'final')).toEqual([3]);
    });

    it('[BPP-9] that makes the text longer sends the new part', async () => {
      await send('h', 'one');
      await written(1, 'own_1');
      expect(await edit('h', 'one!', 'two')).toEqual([2, 3]);
      expect(await take(2)).toMatchObject({ kind: 'edit', content: 'one!', targetMessageId: 'own_1' });
      expect(await take(3)).toMatchObject({ kind: 'send', content: 'two', replyTo: null });
    });

    it('[BPP-9] that makes the text shorter removes the parts that are left over, and can bring them back', async () => {
      await send('h', 'one', 'two', 'three');
      await written(1, 'own_1');
      await written(2, 'own_2');
      expect(await edit('h', 'one')).toEqual([4]);
      expect(await take(3)).toBeNull();
      expect(await take(4)).toMatchObject({ kind: 'delete', targetMessageId: 'own_2' });
      expect(await edit('h', 'one', 'again', 'more')).toEqual([5, 6]);
      expect(await take(5)).toMatchObject({ kind: 'send', content: 'again' });
      expect(await take(6)).toMatchObject({ kind: 'send', content: 'more' });
    });

    it('[BPP-9] has no target when the send was never confirmed', async () => {
      await send('h', 'draft');
      await take(1);
      await world.store.settleOutbox(1, 'uncertain', ErrorCode.ActionTimeout);
      expect(await edit('h', 'final')).toEqual([2]);
      expect(await take(2)).toMatchObject({ kind: 'edit', targetMessageId: null });
    });

    it('[BPP-9] never reaches a message of another channel, whatever the handle', async () => {
      await send('h', 'here');
      await written(1, 'own_1');
      await world.claimed('m_2', { channelId: 'ch_2' });
      expect(await run({ kind: 'edit', claim: 'claim-m_2', handle: 'h', parts: ['there'] })).toEqual([2]);
      expect(await take(2)).toMatchObject({ kind: 'send', channelId: 'ch_2', targetMessageId: null });
    });
  });

  describe('[BPP-9] a delete', () => {
    it('[BPP-9] keeps a send that still waits from ever being written', async () => {
      await send('h', 'one', 'two');
      expect(await remove('h')).toEqual([]);
      expect([await take(1), await take(2)]).toEqual([null, null]);
      expect((await world.store.statistics()).outbox.refused).toBe(2);
    });

    it('[BPP-9] of written sends is one row for each part, once', async () => {
      await send('h', 'one', 'two');
      await written(1, 'own_1');
      await take(2);
      expect(await remove('h')).toEqual([3, 4]);
      await world.store.confirmOutbox(2, 'own_2');
      expect(await take(3)).toMatchObject({ kind: 'delete', targetMessageId: 'own_1', content: '' });
      expect(await take(4)).toMatchObject({ kind: 'delete', targetMessageId: 'own_2' });
      expect(await remove('h')).toEqual([]);
    });

    it('[BPP-9] makes an edit that still waits needless', async () => {
      await send('h', 'draft');
      await written(1, 'own_1');
      await edit('h', 'final');
      expect(await remove('h')).toEqual([3]);
      expect(await take(2)).toBeNull();
    });

    it('[BPP-9] of an unknown handle is nothing', async () => {
      expect(await remove('unknown')).toEqual([]);
    });
  });
}
