// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../../../src/common/errors.js';
import { COMPLETED, type MakeStore, RELEASED, StoreWorld } from './store-world.js';

/** Claims and how they end. */
export function describeClaims(make: MakeStore): void {
  let world: StoreWorld;
  beforeEach(async () => {
    world = new StoreWorld(make);
    await world.open();
  });
  afterEach(() => world.end());

  const start = (claim: string) => world.applyOne({ kind: 'started', claim });
  const end = (claim: string) => world.store.endClaim(claim, COMPLETED);

  describe('[INB-2] a claim', () => {
    it('[INB-2] is taken once', async () => {
      const seq = await world.admit('m_1');
      const [first, second] = await Promise.all([world.store.claim(seq, 'a'), world.store.claim(seq, 'b')]);
      expect([first?.claim, second]).toEqual(['a', null]);
      expect(await world.store.findClaimed('b')).toBeNull();
      expect(await world.store.claim(seq + 1, 'c')).toBeNull();
    });

    it('[INB-2] is found while it is in processing, and only then', async () => {
      const receipt = await world.claimed('m_1');
      expect(await world.store.findClaimed('claim-m_1')).toEqual(receipt);
      await end('claim-m_1');
      expect(await world.store.findClaimed('claim-m_1')).toBeNull();
      expect(await world.store.findClaimed('nobody')).toBeNull();
    });

    it('[INB-2] that ended can never end again', async () => {
      await world.claimed('m_1');
      const failed = { to: 'failed', outcome: 'model_failed', errorCode: ErrorCode.ModelFailed, notice: null } as const;
      expect(await world.store.endClaim('claim-m_1', failed)).toEqual({
        seq: 0,
        status: 'applied',
        go: false,
        started: null,
        ended: { ingestSeq: 1, messageId: 'm_1', lane: 'lane-1', state: 'failed' },
        queued: [],
      });
      expect(await end('claim-m_1')).toMatchObject({ status: 'stale', ended: null });
      expect(await world.store.endClaim('claim-m_1', RELEASED)).toMatchObject({ status: 'stale' });
      const rows = await world.rows('SELECT outcome, error_code AS code, ended_at AS endedAt FROM receipts');
      expect(rows).toEqual([{ outcome: 'model_failed', code: 'model_failed', endedAt: world.clock.now() }]);
    });

    it('[INB-2] ends with a notice of ours that replies to the message, in the same commit', async () => {
      await world.claimed('m_1');
      const ended = await world.store.endClaim('claim-m_1', { ...COMPLETED, notice: ['It failed.', 'Try again.'] });
      expect(ended.queued).toEqual([
        { id: 1, channelId: 'ch_1', ingestSeq: 1 },
        { id: 2, channelId: 'ch_1', ingestSeq: 1 },
      ]);
      expect(await world.store.takeOutbox(1)).toMatchObject({ kind: 'send', content: 'It failed.', replyTo: 'm_1' });
      expect(await world.store.takeOutbox(2)).toMatchObject({ content: 'Try again.', replyTo: null });
    });
  });

  describe('[INB-12] a claim without a start', () => {
    it('[INB-12] goes back to pending with its attempt counted and is marked as released', async () => {
      await world.claimed('m_1');
      const released = await world.store.endClaim('claim-m_1', RELEASED);
      expect(released).toMatchObject({ status: 'applied', ended: { ingestSeq: 1, state: 'pending' }, queued: [] });
      expect(await world.store.findClaimed('claim-m_1')).toBeNull();
      expect(await start('claim-m_1')).toMatchObject({ status: 'stale', go: false });
      expect(await world.store.claim(1, 'second')).toMatchObject({ attempt: 2, released: true, startedAt: null });
    });

    it('[INB-4] that has started stays where it is', async () => {
      await world.claimed('m_1');
      await start('claim-m_1');
      expect(await world.store.endClaim('claim-m_1', RELEASED)).toMatchObject({ status: 'stale', ended: null });
      expect(await world.store.findClaimed('claim-m_1')).not.toBeNull();
    });

    it('[INB-12] goes back although its start was committed, when the shim says that it never took the turn', async () => {
      await world.claimed('m_1');
      expect(await world.store.markStarted('claim-m_1')).toBe(true);
      const disproved = await world.store.endClaim('claim-m_1', { ...RELEASED, disproved: true });
      expect(disproved).toMatchObject({ status: 'applied', ended: { state: 'pending' } });
      expect(await world.store.claim(1, 'second')).toMatchObject({ startedAt: null, released: true });
    });
  });

  describe('[INB-2] a start', () => {
    it('[INB-2] is committed by the bridge for a command, once', async () => {
      await world.claimed('m_1');
      expect(await world.store.markStarted('claim-m_1')).toBe(true);
      const startedAt = world.clock.now();
      world.clock.advance(1_000);
      expect(await world.store.markStarted('claim-m_1')).toBe(true);
      expect(await start('claim-m_1')).toMatchObject({ go: true, started: { startedAt } });
      expect((await world.store.findClaimed('claim-m_1'))?.startedAt).toBe(startedAt);
    });

    it('[INB-2] needs a claim in processing', async () => {
      await world.claimed('m_1');
      await end('claim-m_1');
      expect(await world.store.markStarted('claim-m_1')).toBe(false);
      expect(await world.store.markStarted('nobody')).toBe(false);
    });
  });

  describe('[INB-3] doubt', () => {
    it('[INB-3] moves processing to in doubt to quarantined, each once', async () => {
      await world.claimed('m_1');
      expect(await world.store.quarantine('claim-m_1', 'too_early')).toBe(false);
      expect(await world.store.markInDoubt('claim-m_1')).toBe(true);
      expect(await world.store.markInDoubt('claim-m_1')).toBe(false);
      expect(await end('claim-m_1')).toMatchObject({ status: 'stale' });
      expect(await start('claim-m_1')).toMatchObject({ status: 'stale', go: false });
      expect(await world.store.quarantine('claim-m_1', 'session_suspended')).toBe(true);
      expect(await world.store.quarantine('claim-m_1', 'again')).toBe(false);
      expect(await world.rows('SELECT outcome FROM receipts')).toEqual([{ outcome: 'session_suspended' }]);
    });

    it('[INB-4] leaves nothing that could be claimed', async () => {
      await world.claimed('m_1');
      await world.store.markInDoubt('claim-m_1');
      expect(await world.store.claim(1, 'again')).toBeNull();
      await world.store.quarantine('claim-m_1', 'session_suspended');
      expect(await world.store.claim(1, 'again')).toBeNull();
    });

    it('[INB-3] about an unknown claim changes nothing', async () => {
      expect(await world.store.markInDoubt('nobody')).toBe(false);
      expect(await world.store.quarantine('nobody', 'x')).toBe(false);
    });
  });
}
