// SPDX-License-Identifier: Apache-2.0
import { AdminBench } from '../../../../test/support/admin-bench.js';
import type { ErrorAnswer } from './error.dto.js';
import type { DecisionAnswer, ReceiptDetailAnswer, ReceiptPage } from './receipts.dto.js';

const LANE = 'agent:main:borgee:channel:ch_1';

describe('[ADM-1] [OPS-2] receipts over HTTP', () => {
  let admin: AdminBench;

  beforeEach(async () => (admin = await AdminBench.open()));
  afterEach(() => admin.close());

  async function pageFrom(cursor: number | null): Promise<ReceiptPage> {
    const from = cursor === null ? '' : `&cursor=${String(cursor)}`;
    return (await admin.ask<ReceiptPage>(`/api/v1/receipts?limit=2${from}`)).body;
  }

  it('are listed newest first, by pages', async () => {
    for (let number = 1; number <= 5; number += 1) await admin.bench.admit(`m${String(number)}`);
    const pages: number[][] = [];
    let cursor: number | null = null;
    do {
      const page: ReceiptPage = await pageFrom(cursor);
      pages.push(page.receipts.map(({ ingest_seq }) => ingest_seq));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(pages).toEqual([[5, 4], [3, 2], [1]]);
  });

  it('are narrowed by state, lane, class, message and age', async () => {
    await admin.bench.admit('old', { lane: LANE });
    admin.bench.clock.advance(10 * 60_000);
    await admin.bench.admit('stop', { dispatchClass: 'urgent_stop' });
    await admin.bench.quarantined('stuck', 'lane-2');
    const seqs = async (query: string): Promise<number[]> =>
      (await admin.ask<ReceiptPage>(`/api/v1/receipts?${query}`)).body.receipts.map(({ ingest_seq }) => ingest_seq);
    expect(await seqs('state=quarantined')).toEqual([3]);
    expect(await seqs(`lane=${encodeURIComponent(LANE)}`)).toEqual([1]);
    expect(await seqs('class=urgent_stop')).toEqual([2]);
    expect(await seqs('message_id=stuck')).toEqual([3]);
    expect(await seqs('older_than_minutes=5')).toEqual([1]);
    expect(await seqs('state=failed')).toEqual([]);
  });

  it('show their history, their writes and what they block, and no content', async () => {
    const seq = await admin.bench.quarantined('stuck', LANE);
    await admin.bench.admit('waits', { lane: LANE });
    admin.bench.clock.advance(90_000);
    const { status, body, text } = await admin.ask<ReceiptDetailAnswer>(`/api/v1/receipts/${String(seq)}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ingest_seq: seq,
      state: 'quarantined',
      lane: LANE,
      age_seconds: 90,
      blocks: 1,
      outcome: 'quarantined_after_session_suspension',
      history: [{ event: 'in_doubt' }, { event: 'quarantined' }],
      outbox: [],
      content: null,
    });
    expect(text).not.toContain('text of stuck');
    expect(text).not.toContain('Ada');
  });

  it('[SEC-1] show what people wrote only to a token with that scope, and only when asked', async () => {
    const seq = await admin.bench.admit('m1');
    const url = `/api/v1/receipts/${String(seq)}`;
    const refused = await admin.ask<ErrorAnswer>(`${url}?content=true`);
    expect([refused.status, refused.body]).toMatchObject([
      403,
      { code: 'scope_missing', details: { scope: 'content' } },
    ]);
    const asked = await admin.ask<ReceiptDetailAnswer>(`${url}?content=true`, { token: 'admin-content.token' });
    expect(asked.body.content).toEqual({ author_name: 'Ada', body: 'text of m1', source_body: null });
    const quiet = await admin.ask<ReceiptDetailAnswer>(url, { token: 'admin-content.token' });
    expect(quiet.body.content).toBeNull();
  });

  it('[INB-5] are discarded, with the caller in the audit trail', async () => {
    const seq = await admin.bench.quarantined('stuck', LANE);
    const { status, body } = await admin.post<DecisionAnswer>(
      `/api/v1/receipts/${String(seq)}/discard`,
      { reason: 'seen' },
      { headers: { 'angelia-actor': 'ada' } },
    );
    expect([status, body]).toEqual([200, { ingest_seq: seq, lane: LANE, action: 'discard', session: 'reset' }]);
    const { body: shown } = await admin.ask<ReceiptDetailAnswer>(`/api/v1/receipts/${String(seq)}`);
    expect(shown.history).toContainEqual(
      expect.objectContaining({ event: 'discarded', actor: 'admin:ada', reason: 'seen' }),
    );
  });

  it.each([
    ['is empty', ''],
    ['has blanks', 'two words'],
    ['begins with a dash', '-x'],
    ['is too long', 'a'.repeat(65)],
    ['is not ASCII', 'ä'],
  ])('a name of a person that %s is left out of the audit trail', async (_how, person) => {
    const seq = await admin.bench.quarantined('stuck', LANE);
    const headers = { 'angelia-actor': Buffer.from(person).toString('latin1') };
    await admin.post(`/api/v1/receipts/${String(seq)}/discard`, { reason: 'seen' }, { headers });
    const { body } = await admin.ask<ReceiptDetailAnswer>(`/api/v1/receipts/${String(seq)}`);
    expect(body.history).toContainEqual(expect.objectContaining({ event: 'discarded', actor: 'admin' }));
  });

  it('[INB-5] are requeued with their confirmation; with Hermes away the reset is pending', async () => {
    const seq = await admin.bench.quarantined('stuck', LANE);
    const url = `/api/v1/receipts/${String(seq)}/requeue`;
    for (const body of [{ reason: 'seen' }, { reason: 'seen', confirm_duplicate_side_effect_risk: false }]) {
      const refused = await admin.post<ErrorAnswer>(url, body);
      expect([refused.status, refused.body.code]).toEqual([422, 'confirmation_missing']);
    }
    admin.bench.detach();
    const { body } = await admin.post<DecisionAnswer>(url, {
      reason: 'seen',
      confirm_duplicate_side_effect_risk: true,
    });
    expect(body).toEqual({ ingest_seq: seq, lane: LANE, action: 'requeue', session: 'reset_pending' });
  });

  it('[INB-5] name the state of a receipt that cannot be decided about', async () => {
    const seq = await admin.bench.admit('m1');
    const { status, body } = await admin.post<ErrorAnswer>(`/api/v1/receipts/${String(seq)}/discard`, { reason: 'x' });
    expect([status, body]).toEqual([
      409,
      {
        code: 'receipt_not_quarantined',
        sentence: 'Only a quarantined receipt can be discarded or requeued.',
        details: { ingest_seq: seq, state: 'pending' },
      },
    ]);
  });

  it.each([
    ['/api/v1/receipts/99', 404, 'receipt_unknown', { ingest_seq: 99 }],
    ['/api/v1/receipts/0', 400, 'request_invalid', { field: 'seq' }],
    ['/api/v1/receipts/x', 400, 'request_invalid', { field: 'seq' }],
    ['/api/v1/receipts?state=lost', 400, 'request_invalid', { field: 'state' }],
    ['/api/v1/receipts?limit=201', 400, 'request_invalid', { field: 'limit' }],
    ['/api/v1/receipts?limit=', 400, 'request_invalid', { field: 'limit' }],
    ['/api/v1/receipts?colour=red', 400, 'request_invalid', { field: 'colour' }],
    ['/api/v1/receipts?lane=a&lane=b', 400, 'request_invalid', { field: 'lane' }],
    ['/api/v1/receipts/1?content=maybe', 400, 'request_invalid', { field: 'content' }],
  ])('%s: %i %s', async (url, status, code, details) => {
    const answer = await admin.ask<ErrorAnswer>(url);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.details).toMatchObject(details);
  });

  it.each([
    ['without a reason', {}, 'reason'],
    ['with an empty reason', { reason: '' }, 'reason'],
    ['with a reason that is too long', { reason: 'a'.repeat(501) }, 'reason'],
    ['with a field that nobody knows', { reason: 'x', more: 1 }, 'more'],
  ])('a decision %s is refused and named', async (_how, body, field) => {
    const seq = await admin.bench.quarantined('stuck', LANE);
    const answer = await admin.post<ErrorAnswer>(`/api/v1/receipts/${String(seq)}/discard`, body);
    expect([answer.status, answer.body.code, answer.body.details['field']]).toEqual([400, 'request_invalid', field]);
    expect((await admin.bench.store.showReceipt(seq, false))?.state).toBe('quarantined');
  });
});
