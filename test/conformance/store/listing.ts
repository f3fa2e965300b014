// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../../../src/common/errors.js';
import type { ReceiptQuery } from '../../../src/modules/inbox/store/index.js';
import { newReceipt } from '../../support/store.js';
import { COMPLETED, type MakeStore, StoreWorld } from './store-world.js';

/** Receipts as the operator sees them. */
export function describeListing(make: MakeStore): void {
  let world: StoreWorld;
  beforeEach(async () => {
    world = new StoreWorld(make);
    await world.open();
  });
  afterEach(() => world.end());

  const list = async (query: Partial<ReceiptQuery> = {}): Promise<number[]> =>
    (await world.store.listReceipts({ limit: 200, ...query })).map(({ ingestSeq }) => ingestSeq);

  /** Twelve receipts in two lanes: every state, every class. */
  const fill = async (): Promise<void> => {
    const lane = (index: number): string => (index % 2 === 0 ? 'a' : 'b');
    const classes = ['ordinary', 'control', 'urgent_stop'] as const;
    for (let index = 0; index < 12; index += 1) {
      const [id, dispatchClass] = [`m_${index + 1}`, classes[index % 3] ?? 'ordinary'];
      const changes = { lane: lane(index), dispatchClass, receivedAt: 1_000 + index };
      if (index < 2) await world.completed(id, changes);
      else if (index < 4) await world.quarantined(id, changes);
      else if (index < 8) await world.admit(id, changes);
      else await world.claimed(id, changes);
    }
    await world.store.endClaim('claim-m_9', { ...COMPLETED, to: 'failed', errorCode: ErrorCode.ModelFailed });
    await world.store.markInDoubt('claim-m_10');
  };

  describe('[ADM-1] a page of receipts', () => {
    it('[ADM-1] shows the newest first, and goes on from its last one', async () => {
      await fill();
      expect(await list()).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
      expect(await list({ limit: 5 })).toEqual([12, 11, 10, 9, 8]);
      expect(await list({ limit: 5, before: 8 })).toEqual([7, 6, 5, 4, 3]);
      expect(await list({ limit: 5, before: 1 })).toEqual([]);
    });

    it.each<[Partial<ReceiptQuery>, number[]]>([
      [{ state: 'completed' }, [2, 1]],
      [{ state: 'quarantined' }, [4, 3]],
      [{ state: 'pending' }, [8, 7, 6, 5]],
      [{ state: 'processing' }, [12, 11]],
      [{ state: 'in_doubt' }, [10]],
      [{ state: 'failed' }, [9]],
      [{ lane: 'a' }, [11, 9, 7, 5, 3, 1]],
      [{ lane: 'nowhere' }, []],
      [{ dispatchClass: 'control' }, [11, 8, 5, 2]],
      [{ dispatchClass: 'unclassified' }, []],
      [{ state: 'pending', dispatchClass: 'ordinary' }, [7]],
      [{ lane: 'b', state: 'pending' }, [8, 6]],
      [{ lane: 'b', state: 'pending', dispatchClass: 'control' }, [8]],
      [{ messageId: 'm_5' }, [5]],
      [{ messageId: 'm_5', lane: 'b' }, []],
      [{ messageId: 'm_5', state: 'pending' }, [5]],
      [{ receivedBefore: 1_003 }, [3, 2, 1]],
      [{ receivedBefore: 1_010, state: 'processing' }, []],
      [{ receivedBefore: 1_010, lane: 'a', before: 9, limit: 2 }, [7, 5]],
      [{ state: 'pending', before: 8, limit: 2 }, [7, 6]],
    ])('[ADM-1] narrowed by %j shows %j', async (query, expected) => {
      await fill();
      expect(await list(query)).toEqual(expected);
    });

    it('[ADM-1] finds single ones far apart in a long history, past what was removed', async () => {
      const admitted = [];
      for (let index = 0; index < 21_000; index += 1) {
        const rare = index % 7_000 === 5;
        admitted.push(world.store.admit(newReceipt(`m_${index}`, rare ? { messageId: 'rare', lane: 'rare' } : {})));
      }
      await Promise.all(admitted);
      const found = [14_006, 7_006, 6];
      expect(await list({ messageId: 'rare' })).toEqual(found);
      expect(await list({ messageId: 'rare', limit: 2 })).toEqual(found.slice(0, 2));
      expect(await list({ messageId: 'rare', limit: 2, before: 7_006 })).toEqual([6]);
      expect(await list({ lane: 'rare' })).toEqual(found);
      expect(await list({ lane: 'rare', state: 'completed' })).toEqual([]);
    });

    it('[ADM-1] tells all but the content', async () => {
      await world.claimed('m_1', { dispatchClass: 'control', receivedAt: 7 });
      await world.store.admit(newReceipt('m_1', { evidence: Buffer.alloc(16, 1) }));
      const startedAt = world.clock.now();
      await world.apply({ kind: 'started', claim: 'claim-m_1' });
      world.clock.advance(10);
      const failed = { ...COMPLETED, to: 'failed', outcome: 'model_failed', errorCode: ErrorCode.ModelFailed } as const;
      await world.store.endClaim('claim-m_1', failed);
      expect(await world.store.listReceipts({ limit: 1 })).toEqual([
        {
          ingestSeq: 1,
          state: 'failed',
          kind: 'message',
          lane: 'lane-1',
          dispatchClass: 'control',
          channelId: 'ch_1',
          messageId: 'm_1',
          authorId: 'u_1',
          attempt: 1,
          sightings: 2,
          receivedAt: 7,
          startedAt,
          endedAt: startedAt + 10,
          outcome: 'model_failed',
          errorCode: 'model_failed',
        },
      ]);
    });

    it.each([0, 201])('[ADM-1] of %i receipts is impossible', async (limit) => {
      await expect(world.store.listReceipts({ limit })).rejects.toMatchObject({ code: 'internal' });
    });
  });

  describe('[ADM-1] one receipt', () => {
    it('[ADM-1] shows its writes, and its text only when that is asked for', async () => {
      await world.claimed('m_1', { body: 'b', sourceBody: 's' });
      await world.apply({ kind: 'send', claim: 'claim-m_1', handle: 'h', replyTo: null, parts: ['one', 'two'] });
      await world.store.takeOutbox(1);
      await world.store.settleOutbox(1, 'uncertain', ErrorCode.ActionTimeout);
      const detail = await world.store.showReceipt(1, true);
      expect(detail).toMatchObject({
        ingestSeq: 1,
        state: 'processing',
        history: [],
        blocks: 0,
        outbox: [
          { id: 1, kind: 'send', state: 'uncertain', code: 'action_timeout' },
          { id: 2, kind: 'send', state: 'queued', code: null },
        ],
        content: { authorName: 'Ada', body: 'b', sourceBody: 's' },
      });
      expect((await world.store.showReceipt(1, false))?.content).toBeNull();
      expect(await world.store.showReceipt(2, true)).toBeNull();
    });

    it('[ADM-1] [INB-6] says how many receipts of its lane wait behind it', async () => {
      await world.quarantined('m_1');
      for (const id of ['m_2', 'm_3', 'm_4']) await world.admit(id);
      await world.admit('elsewhere', { lane: 'lane-2' });
      await world.store.claim(4, 'claim-m_4');
      expect(await world.store.showReceipt(1, false)).toMatchObject({ state: 'quarantined', blocks: 2 });
      expect(await world.store.showReceipt(2, false)).toMatchObject({ state: 'pending', blocks: 0 });
    });
  });

  describe('[INB-6] the quarantined receipts of a lane', () => {
    it('[INB-6] are told oldest first', async () => {
      for (const id of ['m_1', 'm_2', 'm_3']) await world.quarantined(id, { lane: id === 'm_2' ? 'b' : 'a' });
      await world.admit('m_4', { lane: 'a' });
      expect(await world.store.quarantinedOf('a')).toEqual([1, 3]);
      expect(await world.store.quarantinedOf('c')).toEqual([]);
    });
  });
}
