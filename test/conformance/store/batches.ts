// SPDX-License-Identifier: Apache-2.0
import { AngeliaError } from '../../../src/common/errors.js';
import { newReceipt } from '../../support/store.js';
import { COMPLETED, type MakeStore, StoreWorld } from './store-world.js';

/** Many steps at once: they share commits, and nothing else. */
export function describeBatches(make: MakeStore): void {
  let world: StoreWorld;
  beforeEach(async () => {
    world = new StoreWorld(make);
    await world.open();
  });
  afterEach(() => world.end());

  const impossible = (id: string): ReturnType<typeof newReceipt> => newReceipt(id, { dedupeKey: Buffer.from('short') });

  describe('[INB-13] [K1] steps that are submitted together', () => {
    it('[INB-13] fail alone', async () => {
      const settled = await Promise.allSettled([
        world.store.admit(newReceipt('m_1')),
        world.store.admit(impossible('m_2')),
        world.store.admit(newReceipt('m_3')),
      ]);
      expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      const [, failed] = settled;
      expect(failed).toMatchObject({
        reason: { code: 'internal', details: { step: 'admit', reason: 'SQLITE_CONSTRAINT_CHECK' } },
      });
      expect(failed.status === 'rejected' && failed.reason instanceof AngeliaError).toBe(true);
      const rows = await world.rows('SELECT message_id AS id FROM receipts ORDER BY 1');
      expect(rows).toEqual([{ id: 'm_1' }, { id: 'm_3' }]);
    });

    it('[INB-13] are undone whole when they fail in their middle', async () => {
      await world.claimed('m_1');
      const effects = [
        { seq: 1, kind: 'send', claim: 'claim-m_1', handle: 'h', replyTo: null, parts: ['one'] },
        { seq: 2, kind: 'send', claim: 'claim-m_1', handle: 'h', replyTo: null, parts: [null as unknown as string] },
      ] as const;
      const [failed, admitted] = await Promise.allSettled([
        world.store.applyHostEffects('a', 2, effects),
        world.store.admit(newReceipt('m_2')),
      ]);
      expect([failed.status, admitted.status]).toEqual(['rejected', 'fulfilled']);
      expect(await world.store.watermark('a')).toBe(0);
      expect(await world.rows('SELECT 1 FROM outbox')).toEqual([]);
    });

    it('[K1] [F-43] never lose what was acknowledged, however many others fail among them', async () => {
      const submit = (index: number): Promise<unknown> => {
        const id = `m_${index}`;
        return world.store.admit(index % 7 === 3 ? impossible(id) : newReceipt(id));
      };
      const settled = await Promise.allSettled(Array.from({ length: 2_000 }, (_, index) => submit(index)));
      const stored = settled.filter(({ status }) => status === 'fulfilled').length;
      expect(stored).toBe(2_000 - 286);
      expect(await world.rows('SELECT 1 FROM receipts')).toHaveLength(stored);
    });

    it('[K1] run in the order in which they were submitted, across commits', async () => {
      const steps = Array.from({ length: 1_500 }, async (_, index) => {
        const id = `m_${index}`;
        const admitted = world.store.admit(newReceipt(id));
        const claimed = world.store.claim(index + 1, `claim-${id}`);
        const ended = world.store.endClaim(`claim-${id}`, COMPLETED);
        return [(await admitted).ingestSeq, (await claimed)?.messageId, (await ended).status];
      });
      const results = await Promise.all(steps);
      expect(results).toEqual(results.map((_, index) => [index + 1, `m_${index}`, 'applied']));
    });

    it('[INB-9] reject one by one without leaving a rejection that nobody can catch', async () => {
      const steps = Array.from({ length: 50 }, (_, index) => world.store.admit(impossible(`m_${index}`)));
      const settled = await Promise.allSettled(steps);
      expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
      await world.store.probe();
    });
  });
}
