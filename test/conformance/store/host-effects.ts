// SPDX-License-Identifier: Apache-2.0
import { COMPLETED, type MakeStore, RELEASED, StoreWorld } from './store-world.js';

/** Events of a Hermes process and the watermark. */
export function describeHostEffects(make: MakeStore): void {
  let world: StoreWorld;
  const claim = 'claim-m_1';
  beforeEach(async () => {
    world = new StoreWorld(make);
    await world.open();
    await world.claimed('m_1');
  });
  afterEach(() => world.end());

  describe('[HST-11] the watermark', () => {
    it('[HST-11] is kept for each Hermes process and never goes back', async () => {
      expect(await world.store.watermark('a')).toBe(0);
      await world.store.applyHostEffects('a', 7, [{ seq: 7, kind: 'none' }]);
      await world.store.applyHostEffects('b', 3, []);
      await world.store.applyHostEffects('a', 5, []);
      await world.open();
      expect([await world.store.watermark('a'), await world.store.watermark('b')]).toEqual([7, 3]);
    });

    it('[HST-11] lets no event act twice, in whatever company it comes again', async () => {
      const send = { seq: 1, kind: 'send', claim, handle: 'h', replyTo: null, parts: ['one'] } as const;
      const first = await world.store.applyHostEffects('a', 1, [send]);
      expect(first).toMatchObject([{ seq: 1, status: 'applied', queued: [{ id: 1 }] }]);
      const second = await world.store.applyHostEffects('a', 2, [send, { seq: 2, kind: 'end', claim, end: COMPLETED }]);
      expect(second).toMatchObject([
        { seq: 1, status: 'repeated', queued: [] },
        { seq: 2, status: 'applied', ended: { state: 'completed' } },
      ]);
      expect(await world.rows('SELECT id FROM outbox')).toHaveLength(1);
    });

    it('[HST-11] of one process says nothing about another', async () => {
      const none = { seq: 1, kind: 'none' } as const;
      await world.store.applyHostEffects('a', 1, [none]);
      expect(await world.store.applyHostEffects('b', 1, [none])).toMatchObject([{ status: 'applied' }]);
    });

    it('[HST-11] lets several effects of one event act', async () => {
      const results = await world.store.applyHostEffects('a', 1, [
        { seq: 1, kind: 'send', claim, handle: 'h', replyTo: null, parts: ['one'] },
        { seq: 1, kind: 'end', claim, end: COMPLETED },
      ]);
      expect(results.map(({ status }) => status)).toEqual(['applied', 'applied']);
    });
  });

  describe('[INB-12] the start barrier', () => {
    it('[INB-12] opens for a claim in processing, and says what the announcement needs', async () => {
      const startedAt = world.clock.now();
      expect(await world.applyOne({ kind: 'started', claim })).toEqual({
        seq: 1,
        status: 'applied',
        go: true,
        started: { ingestSeq: 1, messageId: 'm_1', channelId: 'ch_1', startedAt },
        ended: null,
        queued: [],
      });
      expect((await world.store.findClaimed(claim))?.startedAt).toBe(startedAt);
    });

    it('[INB-12] answers a repeat from the ledger as it stands', async () => {
      const started = [{ seq: 1, kind: 'started', claim }] as const;
      const go = async () => (await world.store.applyHostEffects('a', 1, started))[0];
      expect(await go()).toMatchObject({ status: 'applied', go: true });
      expect(await go()).toMatchObject({ status: 'repeated', go: true, started: { ingestSeq: 1 } });
      await world.store.endClaim(claim, COMPLETED);
      expect(await go()).toMatchObject({ status: 'repeated', go: false, started: null });
    });

    it('[INB-12] stays shut for a released, ended, doubtful or unknown claim', async () => {
      await world.claimed('m_2');
      await world.claimed('m_3');
      await world.store.endClaim(claim, RELEASED);
      await world.store.endClaim('claim-m_2', COMPLETED);
      await world.store.markInDoubt('claim-m_3');
      const claims = [claim, 'claim-m_2', 'claim-m_3', 'nobody'];
      const results = await world.apply(...claims.map((each) => ({ kind: 'started', claim: each }) as const));
      expect(results.map(({ status, go }) => [status, go])).toEqual(claims.map(() => ['stale', false]));
    });

    it('[INB-12] that gave way counts as not started, whenever the start comes', async () => {
      const withdrawn = { kind: 'withdrawn', claim } as const;
      await world.applyOne({ kind: 'started', claim });
      expect(await world.applyOne(withdrawn)).toMatchObject({ status: 'applied', go: false });
      expect((await world.store.findClaimed(claim))?.startedAt).toBeNull();
      expect(await world.applyOne({ kind: 'started', claim })).toMatchObject({ status: 'applied', go: false });
      expect(await world.store.markStarted(claim)).toBe(false);
      expect(await world.store.endClaim(claim, RELEASED)).toMatchObject({ status: 'applied' });
      expect(await world.store.claim(1, 'second')).toMatchObject({ attempt: 2, released: true });
      expect(await world.applyOne({ kind: 'started', claim: 'second' })).toMatchObject({ go: true });
      expect(await world.applyOne({ kind: 'withdrawn', claim: 'nobody' })).toMatchObject({ status: 'stale' });
    });

    it('[INB-12] that gave way before the start was committed stays shut', async () => {
      await world.applyOne({ kind: 'withdrawn', claim });
      expect(await world.applyOne({ kind: 'started', claim })).toMatchObject({ go: false, started: null });
    });
  });

  describe('[INB-2] an end', () => {
    it('[INB-2] stands behind the texts of its turn, in one commit with the watermark', async () => {
      const results = await world.apply(
        { kind: 'started', claim },
        { kind: 'send', claim, handle: 'h', replyTo: 'm_1', parts: ['answer'] },
        { kind: 'end', claim, end: { ...COMPLETED, notice: ['a notice'] } },
      );
      expect(results.map(({ queued }) => queued.map(({ id }) => id))).toEqual([[], [1], [2]]);
      expect(await world.store.watermark('hermes-1')).toBe(3);
    });

    it('[INB-4] that would release a started claim is stale', async () => {
      await world.applyOne({ kind: 'started', claim });
      expect(await world.applyOne({ kind: 'end', claim, end: RELEASED })).toMatchObject({ status: 'stale' });
    });

    it('[INB-2] of an unknown claim is stale', async () => {
      expect(await world.applyOne({ kind: 'end', claim: 'nobody', end: COMPLETED })).toMatchObject({
        status: 'stale',
        ended: null,
      });
    });
  });

  describe('[BPP-9] output of a claim that is no longer in processing', () => {
    const output = [
      { kind: 'send', claim, handle: 'late', replyTo: null, parts: ['late'] },
      { kind: 'edit', claim, handle: 'h', parts: ['corrected'] },
      { kind: 'delete', claim, handle: 'gone' },
    ] as const;

    it.each([
      ['ended', (): Promise<unknown> => world.store.endClaim(claim, COMPLETED)],
      ['doubtful', (): Promise<unknown> => world.store.markInDoubt(claim)],
    ])('[BPP-9] is stored all the same when it is %s', async (_name, finish) => {
      const [first, gone] = await world.apply(
        { kind: 'send', claim, handle: 'h', replyTo: null, parts: ['first'] },
        { kind: 'send', claim, handle: 'gone', replyTo: null, parts: ['gone'] },
      );
      for (const ticket of [...(first?.queued ?? []), ...(gone?.queued ?? [])]) await world.store.takeOutbox(ticket.id);
      await finish();
      const results = await world.apply(...output);
      expect(results.map(({ status, queued }) => [status, queued.length])).toEqual(output.map(() => ['stale', 1]));
    });

    it('[BPP-9] is dropped when nobody knows the claim, and when the claim was released', async () => {
      await world.store.endClaim(claim, RELEASED);
      const results = await world.apply(...output, { ...output[0], claim: 'nobody' });
      expect(results.map(({ status, queued }) => [status, queued.length])).toEqual(results.map(() => ['stale', 0]));
    });
  });
}
