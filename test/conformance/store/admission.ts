// SPDX-License-Identifier: Apache-2.0
import { shortHash } from '../../../src/common/ids.js';
import { newReceipt } from '../../support/store.js';
import { type MakeStore, StoreWorld } from './store-world.js';

const MIB = 1_048_576;

/** Admission: what is acknowledged is stored whole, once. */
export function describeAdmission(make: MakeStore): void {
  let world: StoreWorld;
  beforeEach(async () => {
    world = new StoreWorld(make);
    await world.open();
  });
  afterEach(() => world.end());

  describe('[INB-1] admission', () => {
    it('[INB-1] stores everything that a turn needs', async () => {
      const context = { guildId: 'g_1', topLevelChannelId: 'ch_0', threadId: null, taskId: 't_1' };
      const receipt = newReceipt('m_1', {
        context,
        channelType: 'dm',
        sourceCreatedAt: 11,
        receivedAt: 12,
        dispatchClass: 'control',
      });
      const admitted = await world.store.admit(receipt);
      expect(admitted).toEqual({ ingestSeq: 1, duplicate: false, state: 'pending', outcome: null });
      await world.open();
      expect(await world.store.claim(1, 'claim-1')).toEqual({
        ingestSeq: 1,
        claim: 'claim-1',
        attempt: 1,
        released: false,
        lane: 'lane-1',
        channelId: 'ch_1',
        channelType: 'dm',
        messageId: 'm_1',
        authorId: 'u_1',
        authorName: 'Ada',
        body: 'text of m_1',
        dispatchClass: 'control',
        context,
        sourceCreatedAt: 11,
        receivedAt: 12,
        startedAt: null,
      });
    });

    it('[INB-1] [D-12] keeps the text as it came beside the text that runs', async () => {
      const receipt = await world.claimed('m_1', { body: 'later', sourceBody: '/queue later' });
      expect(receipt.body).toBe('later');
      const detail = await world.store.showReceipt(receipt.ingestSeq, true);
      expect(detail?.content).toEqual({ authorName: 'Ada', body: 'later', sourceBody: '/queue later' });
    });

    it('[INB-1] numbers receipts in the order in which they were submitted', async () => {
      const ids = Array.from({ length: 300 }, (_, index) => `m_${index}`);
      const sequence = await Promise.all(ids.map((id) => world.admit(id)));
      expect(sequence).toEqual([...sequence].sort((a, b) => a - b));
      expect(new Set(sequence).size).toBe(300);
    });

    it.each([
      ['line and paragraph separators', 'a\u2028b\u2029c\u0085d'],
      ['emoji with joiners', '👩‍👩‍👧‍👦 🏳️‍🌈 é'],
      ['a NUL and other control characters', 'a\u0000b\u0007\u001b[31m'],
      ['an empty text', ''],
      ['SQL', `'); DROP TABLE receipts; --`],
      ['a text of 5 MiB', 'ä'.repeat((5 * MIB) / 2)],
    ])('[INB-1] keeps %s unchanged', async (_name, body) => {
      const { body: stored } = await world.claimed('m_1', { body, authorName: body.slice(0, 40) });
      expect(stored === body).toBe(true);
      await world.open();
      expect((await world.store.findClaimed('claim-m_1'))?.body === body).toBe(true);
    });

    it('[INB-16] survives a lone surrogate, which becomes U+FFFD, without harm to its neighbours', async () => {
      const bodies = ['before', 'x\ud800y', 'after'];
      const receipts = await Promise.all(bodies.map((body, index) => world.claimed(`m_${index}`, { body })));
      expect(receipts.map(({ body }) => body)).toEqual(['before', expect.stringMatching(/^x\ufffd+y$/), 'after']);
    });
  });

  describe('[INB-15] duplicates', () => {
    it('[INB-15] are recognised by the key alone and say what became of the first one', async () => {
      const first = await world.store.admit(newReceipt('m_1'));
      const again = await world.store.admit(newReceipt('m_1', { authorName: 'Renamed', body: 'changed' }));
      expect(again).toEqual({ ingestSeq: first.ingestSeq, duplicate: true, state: 'pending', outcome: null });
      expect((await world.store.claim(first.ingestSeq, 'c'))?.body).toBe('text of m_1');
      await world.store.endClaim('c', { to: 'failed', outcome: 'model_failed', errorCode: null, notice: null });
      expect(await world.store.admit(newReceipt('m_1'))).toMatchObject({ state: 'failed', outcome: 'model_failed' });
    });

    it('[INB-15] within one commit are one receipt', async () => {
      const admitted = await Promise.all(Array.from({ length: 5 }, () => world.store.admit(newReceipt('m_1'))));
      expect(admitted.map(({ duplicate }) => duplicate)).toEqual([false, true, true, true, true]);
      expect(new Set(admitted.map(({ ingestSeq }) => ingestSeq)).size).toBe(1);
    });

    it('[INB-15] count as sightings only in another form', async () => {
      const other = shortHash('another form');
      await world.admit('m_1');
      await world.admit('m_1');
      await world.admit('m_1', { evidence: other });
      await world.admit('m_1', { evidence: other });
      const rows = await world.rows<{ sightings: number; evidence: Buffer }>(
        'SELECT sightings, evidence FROM receipts',
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]?.sightings).toBe(2);
      expect(other.equals(rows[0]?.evidence ?? Buffer.alloc(0))).toBe(true);
    });
  });

  describe('[INB-16] terminal receipts', () => {
    it('[INB-16] are terminal from the insert on and open no lane', async () => {
      const terminal = { state: 'failed', outcome: 'poison_event' } as const;
      const admitted = await world.store.admit(newReceipt('m_1', { terminal }));
      expect(admitted).toMatchObject({ state: 'failed', outcome: 'poison_event' });
      expect(await world.store.claim(admitted.ingestSeq, 'c')).toBeNull();
      expect((await world.open()).lanes).toEqual([]);
    });
  });

  describe('[BPP-5] echoes', () => {
    const echo = { state: 'completed', outcome: 'ignored_outbound_echo' };

    it('[BPP-5] of a confirmed send start no turn, also after a restart', async () => {
      await world.claimed('m_1');
      const [sent] = await world.apply(
        { kind: 'send', claim: 'claim-m_1', handle: 'h', replyTo: null, parts: ['hello'] },
        {
          kind: 'end',
          claim: 'claim-m_1',
          end: { to: 'completed', outcome: 'completed', errorCode: null, notice: null },
        },
      );
      const id = sent?.queued[0]?.id ?? 0;
      await world.store.takeOutbox(id);
      await world.store.confirmOutbox(id, 'own_1');
      await world.open();
      expect(await world.store.admit(newReceipt('own_1'))).toMatchObject(echo);
    });

    it('[BPP-5] of a message that the gateway sent by itself start no turn', async () => {
      await world.store.rememberOutbound('own_2', 'ch_1');
      await world.store.rememberOutbound('own_2', 'ch_1');
      expect(await world.store.admit(newReceipt('own_2'))).toMatchObject(echo);
    });

    it('[BPP-5] are looked for only when asked, and never instead of an outcome that is known already', async () => {
      await world.store.rememberOutbound('own_3', 'ch_1');
      await world.store.rememberOutbound('own_4', 'ch_1');
      expect(await world.store.admit(newReceipt('own_3', { checkEcho: false }))).toMatchObject({ state: 'pending' });
      const terminal = { state: 'completed', outcome: 'ignored_self_authored' } as const;
      expect(await world.store.admit(newReceipt('own_4', { terminal }))).toMatchObject(terminal);
    });

    it('[BPP-5] are known within the commit that confirms the send', async () => {
      await world.claimed('m_1');
      const { queued } = await world.applyOne({
        kind: 'send',
        claim: 'claim-m_1',
        handle: 'h',
        replyTo: null,
        parts: ['a'],
      });
      await world.store.takeOutbox(queued[0]?.id ?? 0);
      const [, admitted] = await Promise.all([
        world.store.confirmOutbox(queued[0]?.id ?? 0, 'own_5'),
        world.store.admit(newReceipt('own_5')),
      ]);
      expect(admitted).toMatchObject(echo);
    });
  });
}
