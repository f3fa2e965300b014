// SPDX-License-Identifier: Apache-2.0
import { COMPLETED, type MakeStore, RELEASED, StoreWorld } from './store-world.js';

/** Opening and closing, and what one process leaves to the next. */
export function describeLife(make: MakeStore): void {
  let world: StoreWorld;
  beforeEach(() => {
    world = new StoreWorld(make);
  });
  afterEach(() => world.end());

  describe('[INB-9] open and close', () => {
    it('[INB-9] settles everything that was submitted before it closes', async () => {
      await world.open();
      const admitted = Promise.all(Array.from({ length: 600 }, (_, index) => world.admit(`m_${index}`)));
      const closed = world.store.close();
      expect(new Set(await admitted).size).toBe(600);
      await closed;
      expect(await world.rows('SELECT 1 FROM receipts')).toHaveLength(600);
    });

    it('[INB-9] can be closed any number of times, in every phase', async () => {
      const never = world.create();
      await Promise.all([never.close(), never.close()]);
      const opening = world.create();
      const opened = opening.open();
      const closed = opening.close();
      expect((await opened).epoch).toBe(1);
      await Promise.all([closed, opening.close()]);
    });

    it('[INB-9] accepts nothing before it is opened and after it is closed', async () => {
      const store = world.create();
      await expect(store.probe()).rejects.toMatchObject({ code: 'ledger_closed' });
      await store.open();
      await store.close();
      await expect(store.probe()).rejects.toMatchObject({ code: 'ledger_closed' });
      await expect(store.open()).rejects.toMatchObject({ code: 'ledger_closed' });
    });

    it('[INB-9] lets steps wait while it opens, and opens once', async () => {
      const store = world.create();
      const first = store.open();
      const second = store.open();
      const settings = store.keepSettings('{}');
      expect(await first).toBe(await second);
      await settings;
      await store.close();
      expect((await world.open()).settings).toBe('{}');
    });
  });

  describe('[D-12] the command table', () => {
    it('[D-12] is kept beside the settings, the newest one', async () => {
      expect(await world.open()).toMatchObject({ commands: null });
      await world.store.keepSettings('{"a":1}');
      await world.store.keepCommands('{"version":"0.18.2"}');
      await world.store.keepCommands('{"version":"0.19.0"}');
      expect(await world.open()).toMatchObject({ settings: '{"a":1}', commands: '{"version":"0.19.0"}' });
    });
  });

  describe('[HST-9] the epoch', () => {
    it('[HST-9] is counted up by every open', async () => {
      const epochs = [await world.open(), await world.open(), await world.open()].map(({ epoch }) => epoch);
      expect(epochs).toEqual([1, 2, 3]);
    });
  });

  describe('[INB-1] the owner of a ledger', () => {
    const owner = { origin: 'https://chat.example.com', agentId: 'ag_1' };

    it('[INB-1] is bound once and found again', async () => {
      expect((await world.open()).identity).toBeNull();
      await world.store.bindIdentity(owner);
      await world.store.bindIdentity({ ...owner });
      expect((await world.open()).identity).toEqual(owner);
    });

    it.each([
      ['origin', { ...owner, origin: 'https://other.example.com' }],
      ['agent', { ...owner, agentId: 'ag_2' }],
    ])('[INB-1] is never changed to another %s', async (_name, other) => {
      await world.open();
      await world.store.bindIdentity(owner);
      await expect(world.store.bindIdentity(other)).rejects.toMatchObject({
        code: 'ledger_identity_mismatch',
        details: {
          ledger_origin: owner.origin,
          ledger_agent_id: owner.agentId,
          origin: other.origin,
          agent_id: other.agentId,
        },
      });
      expect((await world.open()).identity).toEqual(owner);
    });
  });

  describe('[INB-3] what an earlier process left', () => {
    it('[INB-3] is told lane by lane, each in ingest order', async () => {
      await world.open();
      await world.claimed('a1', { lane: 'a' });
      const doubtful = await world.claimed('b1', { lane: 'b', channelId: 'ch_b', dispatchClass: 'urgent_stop' });
      await world.claimed('c1', { lane: 'c' });
      for (const id of ['a2', 'b2', 'a3', 'd1']) await world.admit(id, { lane: id.charAt(0) });
      const startedAt = world.clock.now();
      await world.apply({ kind: 'started', claim: 'claim-a1' }, { kind: 'started', claim: doubtful.claim });
      await world.store.markInDoubt(doubtful.claim);
      await world.store.endClaim('claim-c1', COMPLETED);
      const opened = await world.open();
      expect(opened.lanes).toEqual([
        {
          lane: 'a',
          pending: [
            { ingestSeq: 4, dispatchClass: 'ordinary' },
            { ingestSeq: 6, dispatchClass: 'ordinary' },
          ],
          leftovers: [
            {
              ingestSeq: 1,
              dispatchClass: 'ordinary',
              state: 'processing',
              claim: 'claim-a1',
              startedAt,
              messageId: 'a1',
              channelId: 'ch_1',
            },
          ],
        },
        {
          lane: 'b',
          pending: [{ ingestSeq: 5, dispatchClass: 'ordinary' }],
          leftovers: [
            {
              ingestSeq: 2,
              dispatchClass: 'urgent_stop',
              state: 'in_doubt',
              claim: 'claim-b1',
              startedAt,
              messageId: 'b1',
              channelId: 'ch_b',
            },
          ],
        },
        { lane: 'd', pending: [{ ingestSeq: 7, dispatchClass: 'ordinary' }], leftovers: [] },
      ]);
      await world.store.quarantine(doubtful.claim, 'session_suspended');
      expect((await world.open()).lanes[1]?.leftovers).toMatchObject([{ state: 'quarantined', claim: null }]);
    });

    it('[INB-3] [SCH-2] keeps its class and its place, whatever the classes of its neighbours', async () => {
      await world.open();
      const classes = ['control', 'ordinary', 'urgent_stop', 'unclassified', 'ordinary', 'control'] as const;
      for (const [index, dispatchClass] of classes.entries()) await world.admit(`m_${index}`, { dispatchClass });
      const { lanes } = await world.open();
      expect(lanes.map(({ pending }) => pending)).toEqual([
        classes.map((dispatchClass, index) => ({ ingestSeq: index + 1, dispatchClass })),
      ]);
    });

    it('[INB-12] has no start in force where the barrier gave way', async () => {
      await world.open();
      await world.claimed('m_1');
      await world.apply({ kind: 'started', claim: 'claim-m_1' }, { kind: 'withdrawn', claim: 'claim-m_1' });
      expect((await world.open()).lanes[0]?.leftovers).toMatchObject([{ startedAt: null }]);
    });
  });

  describe('[BPP-9] tasks that people may see as running', () => {
    const openTasks = async () => (await world.open()).openTasks;

    it('[BPP-9] are the started receipts whose end was not yet told', async () => {
      await world.open();
      await world.claimed('m_1');
      await world.claimed('m_2', { channelId: 'ch_2' });
      await world.claimed('m_3');
      const startedAt = world.clock.now();
      await world.apply({ kind: 'started', claim: 'claim-m_1' }, { kind: 'started', claim: 'claim-m_3' });
      await world.store.markStarted('claim-m_2');
      expect(await openTasks()).toEqual([]);
      world.clock.advance(50);
      for (const id of ['m_1', 'm_2']) await world.store.endClaim(`claim-${id}`, COMPLETED);
      const task = (ingestSeq: number, channelId: string) => ({
        ingestSeq,
        claim: `claim-m_${ingestSeq}`,
        channelId,
        startedAt,
        state: 'completed',
        outcome: 'completed',
      });
      expect(await openTasks()).toEqual([task(1, 'ch_1'), task(2, 'ch_2')]);
      await world.store.closeTask(1);
      await world.store.closeTask(1);
      expect(await openTasks()).toEqual([task(2, 'ch_2')]);
    });

    it('[BPP-9] [INB-6] are quarantined ones too, as failed, until that was told', async () => {
      await world.open();
      await world.claimed('m_1');
      await world.apply({ kind: 'started', claim: 'claim-m_1' });
      await world.store.markInDoubt('claim-m_1');
      expect(await openTasks()).toEqual([]);
      await world.store.quarantine('claim-m_1', 'session_suspended');
      expect(await openTasks()).toMatchObject([{ ingestSeq: 1, claim: 'claim-m_1', state: 'failed' }]);
      await world.store.closeTask(1);
      expect(await openTasks()).toEqual([]);
    });

    it('[BPP-9] are those of quarantined receipts too, which nobody will ever finish', async () => {
      await world.open();
      await world.claimed('m_1');
      const startedAt = world.clock.now();
      await world.applyOne({ kind: 'started', claim: 'claim-m_1' });
      await world.store.markInDoubt('claim-m_1');
      expect(await openTasks()).toEqual([]);
      await world.store.quarantine('claim-m_1', 'session_suspended');
      const task = { ingestSeq: 1, claim: 'claim-m_1', channelId: 'ch_1', startedAt, outcome: 'session_suspended' };
      expect(await openTasks()).toEqual([{ ...task, state: 'failed' }]);
      await world.store.closeTask(1);
      expect(await openTasks()).toEqual([]);
    });

    it('[BPP-9] never were for a receipt that did not start, and are no more after its release', async () => {
      await world.open();
      await world.claimed('m_1');
      await world.store.endClaim('claim-m_1', COMPLETED);
      await world.claimed('m_2');
      await world.apply({ kind: 'started', claim: 'claim-m_2' }, { kind: 'withdrawn', claim: 'claim-m_2' });
      await world.store.endClaim('claim-m_2', RELEASED);
      expect(await openTasks()).toEqual([]);
      await world.store.claim(2, 'second');
      await world.store.endClaim('second', COMPLETED);
      expect(await openTasks()).toEqual([]);
    });
  });

  describe('[U-4] figures', () => {
    it('[U-4] count every state, the oldest of the open ones and the lanes that wait for somebody', async () => {
      await world.open();
      const receivedAt = world.clock.now();
      const lanes = { a: 'processing', b: 'in_doubt', c: 'quarantined', d: 'completed', e: 'failed' };
      for (const lane of Object.keys(lanes)) await world.claimed(lane, { lane, receivedAt });
      await world.admit('f', { lane: 'f', receivedAt: receivedAt + 10 });
      await world.admit('g', { lane: 'c', receivedAt: receivedAt + 20, dispatchClass: 'control' });
      for (const lane of ['b', 'c']) await world.store.markInDoubt(`claim-${lane}`);
      await world.store.quarantine('claim-c', 'x');
      await world.store.endClaim('claim-d', { ...COMPLETED, notice: ['one', 'two'] });
      await world.store.endClaim('claim-e', { to: 'failed', outcome: 'x', errorCode: null, notice: null });
      await world.store.takeOutbox(1);
      await world.store.confirmOutbox(1, 'own_1');
      world.clock.advance(100);
      expect(await world.store.statistics()).toEqual({
        receipts: { pending: 2, processing: 1, in_doubt: 1, quarantined: 1, completed: 1, failed: 1 },
        oldestOpen: { pending: 90, processing: 100, in_doubt: 100, quarantined: 100 },
        openByClass: { ordinary: 4, control: 1, urgent_stop: 0, unclassified: 0 },
        oldestByClass: { ordinary: 100, control: 80 },
        outbox: { queued: 1, sent: 0, confirmed: 1, uncertain: 0, refused: 0 },
        blockedLanes: 2,
        walBytes: expect.any(Number),
      });
      expect((await world.store.statistics()).walBytes).toBeGreaterThan(0);
    });

    it('[U-4] of an empty ledger are all zero', async () => {
      await world.open();
      expect(await world.store.statistics()).toMatchObject({
        receipts: { pending: 0, processing: 0, in_doubt: 0, quarantined: 0, completed: 0, failed: 0 },
        oldestOpen: {},
        openByClass: { ordinary: 0, control: 0, urgent_stop: 0, unclassified: 0 },
        oldestByClass: {},
        blockedLanes: 0,
      });
    });
  });
}
