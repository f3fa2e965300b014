// SPDX-License-Identifier: Apache-2.0
import type { Effect, MakeStore } from './store-world.js';
import { COMPLETED, RELEASED, StoreWorld } from './store-world.js';

/** Questions of Hermes: open while somebody may answer them. */
export function describeQuestions(make: MakeStore): void {
  let world: StoreWorld;
  const claim = 'claim-m_1';
  beforeEach(async () => {
    world = new StoreWorld(make);
    await world.open();
    await world.claimed('m_1');
  });
  afterEach(() => world.end());

  const question = (questionId: string, changes: Partial<Extract<Effect, { kind: 'question' }>> = {}): Effect => ({
    kind: 'question',
    claim,
    questionId,
    questionKind: 'clarify',
    answered: false,
    notice: ['It asks', 'something.'],
    ...changes,
  });
  const lanes = (): Promise<readonly string[]> => world.store.lanesWithQuestions();
  const states = () =>
    world.rows<{ id: string; state: number; closed: number | null }>(
      'SELECT id, state, closed_at AS closed FROM questions ORDER BY id',
    );
  const [OPEN, RESOLVED, DEAD] = [0, 2, 3];

  describe('[INB-7] a question', () => {
    it('[INB-7] opens its lane until its claim ends, over restarts too', async () => {
      expect(await lanes()).toEqual([]);
      expect(await world.applyOne(question('q_1'))).toMatchObject({ status: 'applied', ended: null, go: false });
      await world.open();
      expect(await lanes()).toEqual(['lane-1']);
      await world.applyOne({ kind: 'end', claim, end: COMPLETED });
      expect(await lanes()).toEqual([]);
      expect(await states()).toEqual([{ id: 'q_1', state: DEAD, closed: world.clock.now() }]);
    });

    it('[INB-7] that the shim has answered already opens nothing', async () => {
      const { queued } = await world.applyOne(question('q_1', { answered: true }));
      expect(queued).toHaveLength(2);
      expect(await lanes()).toEqual([]);
      expect(await states()).toEqual([{ id: 'q_1', state: RESOLVED, closed: world.clock.now() }]);
    });

    it('[INB-7] is told once for each claim and kind, without a reply', async () => {
      const results = await world.apply(
        question('q_1'),
        question('q_2', { answered: true }),
        question('q_3', { questionKind: 'approval', notice: ['It wants to act.'] }),
      );
      expect(results.map(({ queued }) => queued.length)).toEqual([2, 0, 1]);
      expect(await world.store.takeOutbox(1)).toMatchObject({ kind: 'send', content: 'It asks', replyTo: null });
      await world.store.endClaim(claim, RELEASED);
      await world.store.claim(1, 'second');
      expect((await world.applyOne(question('q_4', { claim: 'second' }))).queued).toHaveLength(2);
    });

    it('[INB-7] that is told again is the same one; its answer resolves it and nothing opens it again', async () => {
      await world.apply(question('q_1'), question('q_1'));
      await world.applyOne(question('q_1', { answered: true }));
      await world.applyOne(question('q_1'));
      expect(await lanes()).toEqual([]);
      expect(await states()).toEqual([{ id: 'q_1', state: RESOLVED, closed: world.clock.now() }]);
    });

    it.each([
      ['released', (): Promise<unknown> => world.store.endClaim(claim, RELEASED)],
      ['failed', (): Promise<unknown> => world.store.endClaim(claim, { ...COMPLETED, to: 'failed' })],
      ['in doubt', (): Promise<unknown> => world.store.markInDoubt(claim)],
    ])('[INB-7] dies when its receipt is %s', async (_name, end) => {
      await world.applyOne(question('q_1'));
      await end();
      expect(await lanes()).toEqual([]);
    });

    it('[INB-7] of a claim that is no longer in processing is stale', async () => {
      await world.store.endClaim(claim, COMPLETED);
      const results = await world.apply(question('q_1'), question('q_2', { claim: 'nobody' }));
      expect(results).toMatchObject(results.map(() => ({ status: 'stale', queued: [] })));
      expect(await lanes()).toEqual([]);
    });
  });

  describe('[INB-7] the questions of a Hermes process', () => {
    const ask = (instance: string, questionId: string) =>
      world.store.applyHostEffects(instance, 1, [{ ...question(questionId), seq: 1 }]);

    it('[INB-7] die with it, and only with it', async () => {
      await world.claimed('m_2', { lane: 'lane-2' });
      await ask('old', 'q_1');
      await ask('older', 'q_1');
      await world.store.applyHostEffects('new', 1, [{ ...question('q_1', { claim: 'claim-m_2' }), seq: 1 }]);
      expect([...(await lanes())].sort()).toEqual(['lane-1', 'lane-2']);
      expect(await world.store.closeQuestions('new')).toBe(2);
      expect(await world.store.closeQuestions('new')).toBe(0);
      expect(await lanes()).toEqual(['lane-2']);
      expect((await states()).map(({ state }) => state).sort()).toEqual([OPEN, DEAD, DEAD]);
    });
  });
}
