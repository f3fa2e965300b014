// SPDX-License-Identifier: Apache-2.0
import type { RemediationOrder } from '../../../src/modules/inbox/store/index.js';
import { COMPLETED, type MakeStore, RELEASED, StoreWorld } from './store-world.js';

/** The operator's decisions about quarantined receipts. */
export function describeRemediation(make: MakeStore): void {
  let world: StoreWorld;
  beforeEach(async () => {
    world = new StoreWorld(make);
    await world.open();
  });
  afterEach(() => world.end());

  const order = (action: 'discard' | 'requeue', sessionReset = true): RemediationOrder => ({
    action,
    actor: 'ada',
    reason: 'looked at the log',
    sessionReset,
  });

  describe('[INB-5] discard', () => {
    it('[INB-5] ends a quarantined receipt as failed and frees its lane', async () => {
      const ingestSeq = await world.quarantined('m_1', { dispatchClass: 'control' });
      expect(await world.store.remediate(ingestSeq, order('discard'))).toEqual({
        remediationId: 1,
        lane: 'lane-1',
        dispatchClass: 'control',
      });
      expect(await world.store.showReceipt(ingestSeq, false)).toMatchObject({
        state: 'failed',
        outcome: 'operator_discarded',
        endedAt: world.clock.now(),
        attempt: 1,
      });
      expect(await world.store.claim(ingestSeq, 'again')).toBeNull();
      expect((await world.open()).lanes).toEqual([]);
    });

    it('[INB-5] still finds the channel for what the turn says late', async () => {
      await world.store.remediate(await world.quarantined('m_1'), order('discard'));
      const late = await world.applyOne({ kind: 'send', claim: 'claim-m_1', handle: 'h', replyTo: null, parts: ['x'] });
      expect(late).toMatchObject({ status: 'stale', queued: [{ ingestSeq: 1, channelId: 'ch_1' }] });
    });
  });

  describe('[INB-5] requeue', () => {
    it('[INB-5] puts a receipt back in its old place, with its class and its attempts', async () => {
      const ingestSeq = await world.quarantined('m_1', { dispatchClass: 'control' });
      await world.admit('m_2');
      expect(await world.store.remediate(ingestSeq, order('requeue'))).toMatchObject({ dispatchClass: 'control' });
      expect((await world.open()).lanes).toEqual([
        {
          lane: 'lane-1',
          pending: [
            { ingestSeq, dispatchClass: 'control' },
            { ingestSeq: 2, dispatchClass: 'ordinary' },
          ],
          leftovers: [],
        },
      ]);
      expect(await world.store.showReceipt(ingestSeq, false)).toMatchObject({
        outcome: 'operator_risk_confirmed_requeue',
        startedAt: null,
        endedAt: null,
      });
      expect(await world.store.claim(ingestSeq, 'second')).toMatchObject({ attempt: 2, startedAt: null });
      expect(await world.applyOne({ kind: 'started', claim: 'second' })).toMatchObject({ go: true });
    });

    it('[INB-5] is no release, not even of a receipt that was released before: its session was reset', async () => {
      const ingestSeq = await world.admit('m_1');
      await world.store.claim(ingestSeq, 'first');
      await world.store.endClaim('first', RELEASED);
      await world.store.claim(ingestSeq, 'second');
      await world.store.markInDoubt('second');
      await world.store.quarantine('second', 'x');
      await world.store.remediate(ingestSeq, order('requeue'));
      expect(await world.store.claim(ingestSeq, 'third')).toMatchObject({ attempt: 3, released: false });
    });

    it('[INB-5] [INB-12] of a receipt whose barrier gave way lets the new claim start', async () => {
      const { ingestSeq, claim } = await world.claimed('m_1');
      await world.applyOne({ kind: 'withdrawn', claim });
      await world.store.markInDoubt(claim);
      await world.store.quarantine(claim, 'x');
      await world.store.remediate(ingestSeq, order('requeue'));
      await world.store.claim(ingestSeq, 'second');
      expect(await world.applyOne({ kind: 'started', claim: 'second' })).toMatchObject({ go: true });
    });

    it('[INB-5] makes the old claim mean nothing any more', async () => {
      const ingestSeq = await world.quarantined('m_1');
      await world.store.remediate(ingestSeq, order('requeue'));
      const results = await world.apply(
        { kind: 'started', claim: 'claim-m_1' },
        { kind: 'send', claim: 'claim-m_1', handle: 'h', replyTo: null, parts: ['late'] },
        { kind: 'end', claim: 'claim-m_1', end: COMPLETED },
      );
      expect(results).toMatchObject(results.map(() => ({ status: 'stale', go: false, ended: null, queued: [] })));
      expect((await world.open()).openTasks).toEqual([]);
    });
  });

  describe('[INB-5] a decision', () => {
    it.each(['discard', 'requeue'] as const)('[INB-5] to %s is refused in every other state', async (action) => {
      await world.admit('pending');
      await world.claimed('processing');
      await world.claimed('doubtful');
      await world.store.markInDoubt('claim-doubtful');
      await world.completed('done');
      for (const ingestSeq of [1, 2, 3, 4, 99]) {
        expect(await world.store.remediate(ingestSeq, order(action))).toBeNull();
      }
      expect(
        await world.rows('SELECT 1 FROM remediations UNION ALL SELECT 1 FROM receipt_history WHERE actor = 1'),
      ).toEqual([]);
    });

    it('[INB-5] is taken once, however many ask for it at once', async () => {
      const ingestSeq = await world.quarantined('m_1');
      const results = await Promise.all([
        world.store.remediate(ingestSeq, order('discard')),
        world.store.remediate(ingestSeq, order('requeue')),
      ]);
      expect(results.map((result) => result !== null)).toEqual([true, false]);
    });

    it('[INB-5] [OPS-2] leaves an audit row and its history in the same commit', async () => {
      const ingestSeq = await world.quarantined('m_1');
      const at = world.clock.now() + 5_000;
      world.clock.advance(5_000);
      await world.store.remediate(ingestSeq, order('discard'));
      const detail = await world.store.showReceipt(ingestSeq, false);
      const nobody = { actor: null, reason: null };
      expect(detail?.history).toEqual([
        { at: at - 5_000, event: 'in_doubt', detail: null, ...nobody },
        { at: at - 5_000, event: 'quarantined', detail: 'quarantined_after_session_suspension', ...nobody },
        { at, event: 'session_reset', detail: null, actor: 'ada', reason: null },
        { at, event: 'discarded', detail: null, actor: 'ada', reason: 'looked at the log' },
      ]);
      expect(await world.rows('SELECT * FROM remediations')).toEqual([
        {
          id: 1,
          at,
          ingest_seq: ingestSeq,
          lane: 'lane-1',
          dispatch_class: 0,
          action: 'discard',
          actor: 'ada',
          reason: 'looked at the log',
          reset_at: at,
        },
      ]);
    });

    it('[INB-12] stands beside the releases in the history of a receipt', async () => {
      await world.claimed('m_1');
      await world.store.endClaim('claim-m_1', RELEASED);
      expect((await world.store.showReceipt(1, false))?.history).toMatchObject([
        { event: 'released', detail: 'not_started' },
      ]);
    });
  });

  describe('[INB-5] a reset that is due', () => {
    it('[INB-5] is told by every open until it is done', async () => {
      const requeued = await world.quarantined('m_1', { dispatchClass: 'urgent_stop' });
      const discarded = await world.quarantined('m_2', { lane: 'lane-2' });
      const atOnce = await world.quarantined('m_3', { lane: 'lane-3' });
      await world.store.remediate(requeued, order('requeue', false));
      await world.store.remediate(discarded, order('discard', false));
      await world.store.remediate(atOnce, order('requeue'));
      const due = [
        {
          remediationId: 1,
          ingestSeq: requeued,
          lane: 'lane-1',
          requeued: { dispatchClass: 'urgent_stop' },
        },
        { remediationId: 2, ingestSeq: discarded, lane: 'lane-2', requeued: null },
      ];
      expect((await world.open()).resets).toEqual(due);
      await world.store.confirmReset(1);
      expect((await world.open()).resets).toEqual(due.slice(1));
      await world.store.confirmReset(2);
      expect((await world.open()).resets).toEqual([]);
    });

    it('[INB-5] is done once, and an unknown one is nothing', async () => {
      const ingestSeq = await world.quarantined('m_1');
      await world.store.remediate(ingestSeq, order('requeue', false));
      world.clock.advance(1_000);
      const at = world.clock.now();
      await world.store.confirmReset(1);
      world.clock.advance(1_000);
      await world.store.confirmReset(1);
      await world.store.confirmReset(99);
      const events = (await world.store.showReceipt(ingestSeq, false))?.history ?? [];
      expect(events.filter(({ event }) => event === 'session_reset')).toEqual([
        { at, event: 'session_reset', detail: null, actor: null, reason: null },
      ]);
      expect(await world.rows('SELECT reset_at AS at FROM remediations')).toEqual([{ at }]);
    });
  });
}
