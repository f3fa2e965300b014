// SPDX-License-Identifier: Apache-2.0
import { type MakeStore, StoreWorld } from './store-world.js';

/** What the operator pauses. */
export function describePauses(make: MakeStore): void {
  let world: StoreWorld;
  beforeEach(async () => {
    world = new StoreWorld(make);
    await world.open();
  });
  afterEach(() => world.end());

  describe('[OPS-5] a pause', () => {
    it('[OPS-5] holds over restarts until it is ended', async () => {
      expect((await world.open()).pauses).toEqual([]);
      expect(await world.store.setPause('dispatch', true, 'ada')).toEqual(['dispatch']);
      expect(await world.store.setPause('lane:a', true, 'ada')).toEqual(['dispatch', 'lane:a']);
      expect((await world.open()).pauses).toEqual(['dispatch', 'lane:a']);
      expect(await world.store.setPause('dispatch', false, 'ada')).toEqual(['lane:a']);
      expect((await world.open()).pauses).toEqual(['lane:a']);
    });

    it('[OPS-5] [OPS-2] that is set twice is one, and keeps who set it and who ended it', async () => {
      const since = world.clock.now();
      await world.store.setPause('intake', true, 'ada');
      world.clock.advance(1_000);
      expect(await world.store.setPause('intake', true, 'bob')).toEqual(['intake']);
      expect(await world.store.setPause('intake', false, 'cy')).toEqual([]);
      expect(await world.store.setPause('intake', false, 'dan')).toEqual([]);
      await world.store.setPause('intake', true, 'eve');
      const until = since + 1_000;
      expect(await world.rows('SELECT name, since, actor, ended_at, ended_by FROM pauses')).toEqual([
        { name: 'intake', since, actor: 'ada', ended_at: until, ended_by: 'cy' },
        { name: 'intake', since: until, actor: 'eve', ended_at: null, ended_by: null },
      ]);
    });
  });
}
