// SPDX-License-Identifier: Apache-2.0
import { type MakeStore, StoreWorld } from './store-world.js';

/** Receipts that came before any table of commands was known. */
export function describeClassification(make: MakeStore): void {
  let world: StoreWorld;
  beforeEach(async () => {
    world = new StoreWorld(make);
    await world.open();
  });
  afterEach(() => world.end());

  const unclassified = (id: string, body = `/${id}`): Promise<number> =>
    world.admit(id, { dispatchClass: 'unclassified', body });
  const contentOf = async (ingestSeq: number) => (await world.store.showReceipt(ingestSeq, true))?.content;

  describe('[D-12] receipts without a class', () => {
    it('[D-12] are told oldest first, as many as asked for, and only while they are pending', async () => {
      await world.admit('m_1');
      await unclassified('m_2');
      const claimed = await unclassified('m_3');
      await unclassified('m_4');
      await world.store.claim(claimed, 'claim-3');
      expect(await world.store.unclassified(10)).toEqual([
        { ingestSeq: 2, lane: 'lane-1', body: '/m_2' },
        { ingestSeq: 4, lane: 'lane-1', body: '/m_4' },
      ]);
      expect(await world.store.unclassified(1)).toMatchObject([{ ingestSeq: 2 }]);
    });

    it('[D-12] get their class and the text that runs, and keep the text as it came', async () => {
      const [stop, queue] = [await unclassified('stop', '/stop'), await unclassified('queue', '/queue later')];
      await world.store.reclassify([
        { ingestSeq: stop, dispatchClass: 'urgent_stop', body: '/stop' },
        { ingestSeq: queue, dispatchClass: 'ordinary', body: 'later' },
      ]);
      expect(await world.store.unclassified(10)).toEqual([]);
      expect(await contentOf(stop)).toMatchObject({ body: '/stop', sourceBody: null });
      expect(await contentOf(queue)).toMatchObject({ body: 'later', sourceBody: '/queue later' });
      expect((await world.open()).lanes[0]?.pending).toEqual([
        { ingestSeq: stop, dispatchClass: 'urgent_stop' },
        { ingestSeq: queue, dispatchClass: 'ordinary' },
      ]);
    });

    it('[D-12] are classified once; what is claimed or has a class is left alone', async () => {
      const known = await world.admit('m_1', { dispatchClass: 'control', body: '/status' });
      const gone = await unclassified('m_2');
      await world.store.claim(gone, 'claim-2');
      const rows = [known, gone, 99].map((ingestSeq) => ({ ingestSeq, dispatchClass: 'ordinary' as const, body: 'x' }));
      await world.store.reclassify(rows);
      expect(await world.store.findClaimed('claim-2')).toMatchObject({ dispatchClass: 'unclassified', body: '/m_2' });
      expect(await world.store.claim(known, 'claim-1')).toMatchObject({ dispatchClass: 'control', body: '/status' });
    });
  });
}
