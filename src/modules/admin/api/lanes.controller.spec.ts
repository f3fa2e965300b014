// SPDX-License-Identifier: Apache-2.0
import { AdminBench } from '../../../../test/support/admin-bench.js';
import type { ErrorAnswer } from './error.dto.js';
import type { LaneDecisionAnswer, LanePage, PausesAnswer } from './lanes.dto.js';

const LANE = 'agent:main:borgee:channel:ch_1/ü';
const PATH = `/api/v1/lanes/${encodeURIComponent(LANE)}`;

describe('[ADM-1] lanes over HTTP', () => {
  let admin: AdminBench;

  beforeEach(async () => (admin = await AdminBench.open()));
  afterEach(() => admin.close());

  it('are listed by name with what runs, waits and stands in their way', async () => {
    await admin.bench.admit('runs', { lane: 'a' });
    await admin.bench.openDispatch();
    await admin.bench.admit('waits', { lane: 'a' });
    const stuck = await admin.bench.quarantined('stuck', LANE);
    await admin.bench.admit('behind', { lane: LANE });
    admin.bench.clock.advance(60_000);
    const { body } = await admin.ask<LanePage>('/api/v1/lanes');
    expect(body).toEqual({
      lanes: [
        {
          lane: 'a',
          waiting: 1,
          head: { ingest_seq: 2, age_seconds: 60 },
          blockers: [],
          paused: false,
          held: false,
          running: [{ ingest_seq: 1, kind: 'ordinary' }],
        },
        {
          lane: LANE,
          waiting: 1,
          head: { ingest_seq: 4, age_seconds: 60 },
          blockers: [{ ingest_seq: stuck, reason: 'quarantined' }],
          paused: false,
          held: false,
          running: [],
        },
      ],
      next_cursor: null,
    });
    const only = await admin.ask<LanePage>('/api/v1/lanes?stuck=true');
    expect(only.body.lanes.map(({ lane }) => lane)).toEqual([LANE]);
  });

  it('come in pages', async () => {
    for (const lane of ['c', 'a', 'b']) await admin.bench.admit(lane, { lane });
    const first = await admin.ask<LanePage>('/api/v1/lanes?limit=2');
    expect([first.body.lanes.map(({ lane }) => lane), first.body.next_cursor]).toEqual([['a', 'b'], 'b']);
    const second = await admin.ask<LanePage>('/api/v1/lanes?limit=2&cursor=b');
    expect([second.body.lanes.map(({ lane }) => lane), second.body.next_cursor]).toEqual([['c'], null]);
  });

  it('[OPS-5] a lane that is held says so, with the age of its head, and is resumed', async () => {
    await admin.bench.admit('old', { lane: LANE });
    admin.bench.clock.advance(3_600_000);
    await admin.bench.openDispatch(30);
    const { body } = await admin.ask<LanePage>('/api/v1/lanes?stuck=true');
    expect(body.lanes).toMatchObject([{ lane: LANE, held: true, head: { ingest_seq: 1, age_seconds: 3600 } }]);
    expect((await admin.post<PausesAnswer>(`${PATH}/resume`)).status).toBe(200);
    await admin.bench.settled();
    expect(admin.bench.ran).toEqual(['old']);
  });

  it('[OPS-5] a lane is paused and resumed; an unknown one is a typing error', async () => {
    await admin.bench.admit('m1', { lane: LANE });
    const paused = await admin.post<PausesAnswer>(`${PATH}/pause`);
    expect([paused.status, paused.body]).toEqual([200, { pauses: [`lane:${LANE}`] }]);
    await admin.bench.openDispatch();
    expect(admin.bench.ran).toEqual([]);
    const resumed = await admin.post<PausesAnswer>(`${PATH}/resume`);
    expect(resumed.body).toEqual({ pauses: [] });
    await admin.bench.settled();
    expect(admin.bench.ran).toEqual(['m1']);
    await admin.bench.end(admin.bench.turns[0]!);
    expect((await admin.post(`${PATH}/pause`)).status).toBe(200);
    expect((await admin.post(`${PATH}/resume`)).status).toBe(200);
    const unknown = await admin.post<ErrorAnswer>('/api/v1/lanes/nobody/pause');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'lane_unknown']);
  });

  it('[INB-5] resuming a lane asks for the reset that is due once more', async () => {
    const seq = await admin.bench.quarantined('stuck', LANE);
    admin.bench.detach();
    await admin.post(`/api/v1/receipts/${String(seq)}/discard`, { reason: 'x' });
    const { body } = await admin.ask<LanePage>('/api/v1/lanes?stuck=true');
    expect(body.lanes).toMatchObject([{ blockers: [{ ingest_seq: seq, reason: 'reset_due' }] }]);
    admin.bench.attach();
    expect((await admin.post(`${PATH}/resume`)).status).toBe(200);
    expect(admin.bench.remediation.dueResets).toEqual([]);
  });

  it('[INB-5] all quarantined receipts of a lane are discarded', async () => {
    await admin.bench.quarantined('one', LANE);
    await admin.bench.quarantined('two', LANE);
    const { status, body } = await admin.post<LaneDecisionAnswer>(`${PATH}/discard`, { reason: 'over' });
    expect([status, body.decisions.map(({ ingest_seq, session }) => [ingest_seq, session])]).toEqual([
      200,
      [
        [1, 'reset'],
        [2, 'reset'],
      ],
    ]);
    const again = await admin.post<ErrorAnswer>(`${PATH}/discard`, { reason: 'over' });
    expect([again.status, again.body.code]).toEqual([409, 'lane_not_quarantined']);
  });

  it('a lane of 512 characters, each of which takes nine in an address, is found', async () => {
    const lane = '永'.repeat(512);
    await admin.bench.admit('m1', { lane });
    expect((await admin.post(`/api/v1/lanes/${encodeURIComponent(lane)}/pause`)).status).toBe(200);
    const longer = await admin.post<ErrorAnswer>(`/api/v1/lanes/${'a'.repeat(513)}/pause`);
    expect([longer.status, longer.body.code]).toEqual([400, 'request_invalid']);
  });
});

describe('[OPS-5] pauses over HTTP', () => {
  let admin: AdminBench;

  beforeEach(async () => (admin = await AdminBench.open()));
  afterEach(() => admin.close());

  it('intake and dispatch are paused and resumed', async () => {
    expect((await admin.post<PausesAnswer>('/api/v1/intake/pause')).body).toEqual({ pauses: ['intake'] });
    expect(admin.bench.chat.paused).toBe(true);
    expect((await admin.post<PausesAnswer>('/api/v1/dispatch/pause')).body).toEqual({ pauses: ['dispatch', 'intake'] });
    expect((await admin.ask<PausesAnswer>('/api/v1/pauses')).body).toEqual({ pauses: ['dispatch', 'intake'] });
    expect((await admin.post<PausesAnswer>('/api/v1/intake/resume')).body).toEqual({ pauses: ['dispatch'] });
    expect((await admin.post<PausesAnswer>('/api/v1/dispatch/resume')).body).toEqual({ pauses: [] });
    expect(admin.bench.chat.paused).toBe(false);
  });

  it('nothing is paused when the ledger cannot be written', async () => {
    await admin.bench.store.close();
    const { status, body } = await admin.post<ErrorAnswer>('/api/v1/intake/pause');
    expect([status, body.code, admin.bench.chat.paused]).toEqual([503, 'ledger_closed', false]);
  });
});
