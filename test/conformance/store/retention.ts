// SPDX-License-Identifier: Apache-2.0
import { statSync } from 'node:fs';
import { ErrorCode } from '../../../src/common/errors.js';
import type { RetentionResult, RetentionRules } from '../../../src/modules/inbox/store/index.js';
import { newReceipt } from '../../support/store.js';
import { COMPLETED, type MakeStore, StoreWorld } from './store-world.js';

const HOUR = 3_600_000;
const MIB = 1_048_576;

/** What leaves by age and count. */
export function describeRetention(make: MakeStore): void {
  let world: StoreWorld;
  beforeEach(async () => {
    world = new StoreWorld(make);
    await world.open();
  });
  afterEach(() => world.end());

  const RULES: RetentionRules = {
    bodiesAfterMs: HOUR,
    rowsAfterMs: 2 * HOUR,
    maxTerminalRows: 1_000,
    dedupeHorizonMs: 3 * HOUR,
    limit: 100,
  };
  const retain = (rules: Partial<RetentionRules> = {}): Promise<RetentionResult> =>
    world.store.retain({ ...RULES, ...rules });
  /** Steps until nothing is left to do. */
  const retainAll = async (rules: Partial<RetentionRules> = {}): Promise<void> => {
    while ((await retain(rules)).more);
  };
  const numbers = async (table: string): Promise<number[]> =>
    (await world.rows<{ n: number }>(`SELECT ingest_seq AS n FROM ${table} ORDER BY 1`)).map(({ n }) => n);
  const quiet = { bodies: 0, rows: 0, keys: 0, more: false };

  /** A completed receipt with a written answer. */
  const answered = async (id: string): Promise<number> => {
    const { ingestSeq, claim } = await world.claimed(id, {
      sourceBody: '/queue x',
      context: { guildId: 'g', topLevelChannelId: null, threadId: null, taskId: null },
    });
    const { queued } = await world.applyOne({ kind: 'send', claim, handle: id, replyTo: null, parts: ['an', 'swer'] });
    for (const ticket of queued) {
      await world.store.takeOutbox(ticket.id);
      await world.store.confirmOutbox(ticket.id, `own_${id}_${ticket.id}`);
    }
    await world.store.endClaim(claim, COMPLETED);
    return ingestSeq;
  };

  describe('[INB-14] texts', () => {
    it('[INB-14] of ended receipts are emptied at their age, with those of their writes; nothing else changes', async () => {
      const ingestSeq = await answered('m_1');
      world.clock.advance(HOUR);
      expect(await retain()).toEqual(quiet);
      world.clock.advance(1);
      const before = await world.store.showReceipt(ingestSeq, false);
      expect(await retain()).toEqual({ bodies: 1, rows: 0, keys: 0, more: false });
      expect(await retain()).toEqual(quiet);
      const after = await world.store.showReceipt(ingestSeq, true);
      expect(after?.content).toEqual({ authorName: '', body: '', sourceBody: null });
      expect({ ...after, content: null }).toEqual(before);
      expect(await world.rows('SELECT context FROM receipts')).toEqual([{ context: null }]);
      expect(await world.rows('SELECT content, state FROM outbox')).toEqual(Array(2).fill({ content: '', state: 2 }));
    });
  });

  describe('[INB-14] rows', () => {
    it('[INB-14] leave at their age with all that came with them, and their messages are still known', async () => {
      const ingestSeq = await answered('m_1');
      await world.quarantined('m_2');
      await world.store.remediate(2, { action: 'discard', actor: 'ada', reason: 'r', sessionReset: true });
      await world.store.closeTask(2);
      world.clock.advance(2 * HOUR + 1);
      await retainAll();
      expect(await world.store.listReceipts({ limit: 10 })).toEqual([]);
      const duplicate = { duplicate: true, outcome: null };
      expect(await world.store.admit(newReceipt('m_1'))).toEqual({ ...duplicate, ingestSeq, state: 'completed' });
      expect(await world.store.admit(newReceipt('m_2'))).toEqual({ ...duplicate, ingestSeq: 2, state: 'failed' });
      expect(await world.store.admit(newReceipt('own_m_1_1'))).toMatchObject({ outcome: 'ignored_outbound_echo' });
      expect(await numbers('outbox')).toEqual([]);
      expect(await numbers('receipt_history')).toEqual([]);
      expect(await numbers('remediations')).toEqual([2]);
    });

    it('[INB-14] leave beyond their count, oldest first, however young they are', async () => {
      for (let index = 0; index < 6; index += 1) {
        await world.completed(`m_${index}`);
        world.clock.advance(10);
      }
      await world.admit('open');
      expect(await retain({ maxTerminalRows: 2, limit: 3 })).toMatchObject({ rows: 3, more: true });
      expect(await retain({ maxTerminalRows: 2, limit: 3 })).toMatchObject({ rows: 1, more: false });
      expect(await numbers('receipts')).toEqual([5, 6, 7]);
    });

    it('[INB-14] are never used again as numbers', async () => {
      await world.completed('m_1');
      await retainAll({ maxTerminalRows: 0 });
      await world.open();
      expect(await world.admit('m_2')).toBe(2);
    });
  });

  describe("[INB-14] what is somebody's business", () => {
    it('[INB-14] never leaves: open receipts, unsettled writes, tasks whose end nobody saw', async () => {
      await world.admit('pending');
      await world.claimed('processing');
      await world.claimed('doubtful');
      await world.store.markInDoubt('claim-doubtful');
      await world.quarantined('quarantined');
      await world.claimed('queued');
      await world.store.endClaim('claim-queued', { ...COMPLETED, notice: ['text'] });
      await world.claimed('sent');
      const { queued } = await world.store.endClaim('claim-sent', { ...COMPLETED, notice: ['text'] });
      await world.store.takeOutbox(queued[0]?.id ?? 0);
      await world.claimed('told');
      await world.applyOne({ kind: 'started', claim: 'claim-told' });
      await world.store.endClaim('claim-told', COMPLETED);
      world.clock.advance(100 * HOUR);
      expect(await retain({ maxTerminalRows: 0 })).toEqual(quiet);
      await world.store.settleOutbox(queued[0]?.id ?? 0, 'uncertain', ErrorCode.ActionTimeout);
      await world.store.closeTask(7);
      expect(await retain()).toMatchObject({ bodies: 2, rows: 2 });
      expect(await numbers('receipts')).toEqual([1, 2, 3, 4, 5]);
      expect(await world.rows("SELECT 1 FROM receipts WHERE body = '' OR author_name = ''")).toEqual([]);
      expect(await world.rows('SELECT content FROM outbox')).toEqual([{ content: 'text' }]);
    });

    it('[INB-14] [INB-5] is the reset that is still due, after its receipt has left', async () => {
      await world.quarantined('m_1');
      await world.store.remediate(1, { action: 'discard', actor: 'ada', reason: 'r', sessionReset: false });
      await world.store.closeTask(1);
      world.clock.advance(100 * HOUR);
      await retainAll();
      expect(await numbers('receipts')).toEqual([]);
      expect((await world.open()).resets).toMatchObject([{ remediationId: 1, ingestSeq: 1 }]);
      await world.store.confirmReset(1);
      expect((await world.open()).resets).toEqual([]);
    });
  });

  describe('[INB-14] keys', () => {
    it('[INB-14] for recognising duplicates and echoes leave after the horizon, with audit rows and ended pauses', async () => {
      await answered('m_1');
      await world.quarantined('m_2');
      await world.store.remediate(2, { action: 'discard', actor: 'ada', reason: 'r', sessionReset: true });
      await world.store.closeTask(2);
      await world.store.setPause('intake', true, 'ada');
      await world.store.setPause('intake', false, 'ada');
      await world.store.setPause('dispatch', true, 'ada');
      world.clock.advance(3 * HOUR);
      await retainAll();
      expect(await numbers('seen_keys')).toEqual([1, 2]);
      await world.open();
      world.clock.advance(1);
      // Two keys, two ids of own messages, one decision, one pause.
      expect(await retain()).toEqual({ bodies: 0, rows: 0, keys: 6, more: false });
      expect(await world.store.admit(newReceipt('m_1'))).toMatchObject({ duplicate: false, state: 'pending' });
      expect(await world.store.admit(newReceipt('own_m_1_1'))).toMatchObject({ duplicate: false, state: 'pending' });
      expect((await world.open()).pauses).toEqual(['dispatch']);
    });

    it('[INB-14] of a receipt that outlives the horizon stay with it, its decisions too', async () => {
      await world.quarantined('m_1');
      await world.store.remediate(1, { action: 'discard', actor: 'ada', reason: 'r', sessionReset: true });
      await world.store.closeTask(1);
      world.clock.advance(100 * HOUR);
      await retainAll({ rowsAfterMs: 1_000 * HOUR });
      expect(await world.store.admit(newReceipt('m_1'))).toMatchObject({ duplicate: true, state: 'failed' });
      expect(await numbers('remediations')).toEqual([1]);
    });
  });

  describe('[INB-14] a step', () => {
    it('[INB-14] touches no more rows than it may, and says that there is more', async () => {
      for (let index = 0; index < 5; index += 1) await answered(`m_${index}`);
      world.clock.advance(4 * HOUR);
      const results: RetentionResult[] = [];
      do results.push(await retain({ limit: 4 }));
      while (results.at(-1)?.more === true && results.length < 100);
      // Three rows for each receipt with its two writes; the last one of a step is finished.
      expect(results.every(({ bodies, rows, keys }) => 3 * (bodies + rows) + keys <= 6)).toBe(true);
      const sum = (key: 'bodies' | 'rows' | 'keys'): number =>
        results.reduce((total, result) => total + result[key], 0);
      expect([sum('bodies'), sum('rows'), sum('keys')]).toEqual([5, 5, 15]);
      expect(await retain()).toEqual(quiet);
    });

    it('[INB-14] shares its commit with admissions and takes none of them with it', async () => {
      await world.completed('m_1');
      world.clock.advance(4 * HOUR);
      const [, admitted, again] = await Promise.all([
        retain(),
        world.store.admit(newReceipt('m_2')),
        world.store.admit(newReceipt('m_1')),
      ]);
      expect([admitted.duplicate, again.duplicate]).toEqual([false, false]);
      expect(await numbers('receipts')).toEqual([2, 3]);
    });
  });

  describe('[INB-14] the size of the file', () => {
    it('[INB-14] stays bounded: the pages of what left are used again', async () => {
      const sizes: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const ids = Array.from({ length: 400 }, (_, index) => `m_${round}_${index}`);
        const terminal = { state: 'completed', outcome: 'ignored' } as const;
        await Promise.all(ids.map((id) => world.store.admit(newReceipt(id, { terminal, body: 'x'.repeat(5_000) }))));
        world.clock.advance(4 * HOUR);
        await retainAll({ limit: 1_000 });
        const [file] = await world.rows<{ pages: number; free: number }>(
          'SELECT page_count AS pages, freelist_count AS free FROM pragma_page_count, pragma_freelist_count',
        );
        expect((file?.free ?? 0) / (file?.pages ?? 1)).toBeGreaterThan(0.9);
        sizes.push(file?.pages ?? 0);
        await world.open();
      }
      expect(Math.min(...sizes)).toBeGreaterThan(500);
      expect(Math.max(...sizes) / Math.min(...sizes)).toBeLessThan(1.05);
    });

    it('[INB-14] goes back after a storm, but for the pages that the usual traffic will use', async () => {
      const bytes = async (): Promise<number> => {
        await world.open();
        return statSync(world.place.path).size;
      };
      const ids = Array.from({ length: 150 }, (_, index) => `m_${index}`);
      await Promise.all(ids.map((id) => world.store.admit(newReceipt(id, { body: 'x'.repeat(100_000) }))));
      await Promise.all(ids.map((_, index) => world.store.claim(index + 1, `claim-${index}`)));
      await Promise.all(ids.map((_, index) => world.store.endClaim(`claim-${index}`, COMPLETED)));
      expect(await bytes()).toBeGreaterThan(14 * MIB);
      world.clock.advance(4 * HOUR);
      await retainAll({ limit: 500 });
      expect(await retain()).toEqual(quiet);
      const after = await bytes();
      expect(after).toBeGreaterThan(4 * MIB);
      expect(after).toBeLessThan(6 * MIB);
    });
  });
}
