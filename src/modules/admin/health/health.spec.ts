// SPDX-License-Identifier: Apache-2.0
import { AdminBench } from '../../../../test/support/admin-bench.js';
import { attachReport } from '../../../../test/support/fake-hermes-host.js';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import type { HealthAnswer, ReadyAnswer } from './health.dto.js';

describe('[OPS-2] health', () => {
  let admin: AdminBench;

  beforeEach(async () => (admin = await AdminBench.open()));
  afterEach(() => admin.close());

  const ready = (): Promise<{ status: number; body: ReadyAnswer }> => admin.ask<ReadyAnswer>('/health/ready');
  const reasons = async (): Promise<string[]> => (await ready()).body.reasons.map(({ name }) => name);

  it('is ready while nothing is wrong', async () => {
    expect(await ready()).toMatchObject({ status: 200, body: { status: 'ok', reasons: [] } });
    expect((await admin.ask('/health/live')).body).toEqual({ status: 'ok' });
  });

  it('[BPP-9] names a server that is not online, with its code', async () => {
    admin.bench.chat.setOnline(false);
    expect(await ready()).toMatchObject({
      status: 503,
      body: { status: 'red', reasons: [{ name: 'chat_server_reconnecting', code: 'server_unreachable' }] },
    });
  });

  it('[HST-5] names the setting that keeps Hermes away', async () => {
    const details = { key: 'group_sessions_per_user', expected: 'false' };
    const refused = new AngeliaError(ErrorCode.HermesSettingWrong, details);
    admin.bench.host.current = { attached: null, refused, stopping: false };
    expect((await ready()).body.reasons).toMatchObject([{ name: 'hermes_refused', details }]);
  });

  it('names a Hermes that is away or stops, and settings that are missing', async () => {
    admin.bench.host.current = { attached: null, refused: null, stopping: false };
    admin.facts.problem = new AngeliaError(ErrorCode.SettingsUnknown);
    expect(await reasons()).toEqual(['settings', 'hermes_detached']);
    admin.facts.problem = null;
    admin.bench.host.attach(attachReport());
    admin.bench.host.current = { ...admin.bench.host.current, stopping: true };
    expect(await reasons()).toEqual(['hermes_detached']);
  });

  it('[INB-6] names lanes that wait for a decision, and then for Hermes', async () => {
    const seq = await admin.bench.quarantined('stuck');
    await admin.bench.admit('behind');
    expect((await ready()).body).toMatchObject({
      status: 'red',
      reasons: [{ name: 'lanes_blocked', severity: 'red', details: { lanes: 1, waiting: 1 } }],
    });
    admin.bench.detach();
    await admin.bench.remediation.discard(seq, { actor: 'a', reason: 'r' });
    expect((await ready()).body.reasons).toMatchObject([
      { name: 'resets_due', severity: 'red', details: { decisions: 1 } },
      { name: 'hermes_detached' },
    ]);
  });

  it('[OPS-5] names what is paused and what is held', async () => {
    await admin.bench.admit('old');
    admin.bench.clock.advance(3_600_000);
    await admin.bench.pauses.set('dispatch', true, 'admin');
    await admin.bench.openDispatch(30);
    await admin.bench.pauses.set('lane:other', true, 'admin');
    await admin.bench.pauses.set('intake', true, 'admin');
    expect((await ready()).body.reasons).toMatchObject([
      { name: 'lanes_held', severity: 'red', details: { lanes: 1, waiting: 1 } },
      { name: 'intake_paused_by_operator', severity: 'red', code: 'intake_paused' },
      { name: 'dispatch_paused', severity: 'yellow', details: { waiting: 1 } },
      { name: 'lanes_paused', severity: 'yellow', details: { lanes: 1, waiting: 0 } },
    ]);
  });

  it('[BPP-10] names uncertain sends', async () => {
    await admin.bench.admit('m1');
    await admin.bench.openDispatch();
    const { claim } = admin.bench.turns[0]!;
    const send = { kind: 'send', claim, handle: 'h', replyTo: null, parts: ['x'] } as const;
    const [result] = await admin.bench.store.applyHostEffects('i', 1, [{ seq: 1, ...send }]);
    const id = result!.queued[0]!.id;
    await admin.bench.store.takeOutbox(id);
    await admin.bench.store.settleOutbox(id, 'uncertain', ErrorCode.ConnectionLost);
    expect((await ready()).body.reasons).toMatchObject([{ name: 'sends_uncertain', details: { rows: 1 } }]);
  });

  it('is degraded, but ready, when Hermes has fewer threads than asked for, or an error was unexpected', async () => {
    admin.facts.effectiveDispatches = 3;
    admin.bench.telemetry.emit('error.unexpected', { where: 'outbox', code: ErrorCode.Internal, ids: {} });
    expect(await ready()).toMatchObject({
      status: 200,
      body: {
        status: 'degraded',
        reasons: [
          { name: 'dispatches_cut', details: { wanted: 4, effective: 3 } },
          { name: 'unexpected_errors', details: { 'outbox:internal': 1 } },
        ],
      },
    });
  });

  it('is red when the ledger cannot be read, and says why', async () => {
    await admin.bench.store.close();
    expect((await ready()).body.reasons).toMatchObject([{ name: 'ledger_unreadable', code: 'ledger_closed' }]);
    const { status, body } = await admin.ask<HealthAnswer>('/api/v1/health');
    expect([status, body.ledger]).toEqual([200, null]);
  });

  it('[INB-14] names retention that fails', async () => {
    admin.bench.store.retain = () => Promise.reject(new AngeliaError(ErrorCode.LedgerWriteFailed));
    await admin.bench.retention.tick();
    expect(await reasons()).toEqual(['retention_behind', 'unexpected_errors']);
  });

  it('[OPS-9] shows the figures to a token', async () => {
    await admin.bench.admit('m1');
    await admin.bench.openDispatch();
    await admin.bench.admit('m2');
    await admin.bench.retention.tick();
    const { status, body } = await admin.ask<HealthAnswer>('/api/v1/health');
    expect([status, body]).toMatchObject([
      200,
      {
        status: 'ok',
        gateway: { state: 'online', reason: null, queued_bytes: 0 },
        hermes: { attached: true, version: '0.19.0', pid: 1, stopping: false, dispatches: 4 },
        ledger: {
          receipts: { pending: 1, processing: 1 },
          oldest_open_seconds: { pending: 0 },
          open_by_class: { ordinary: 2 },
          retention_passed_at: new Date(admin.bench.clock.now()).toISOString(),
        },
        lanes: { busy: 1, waiting: 1, blocked: 0, paused: 0, held: 0 },
        pauses: [],
        resets_due: 0,
        warnings: [],
      },
    ]);
    expect(body.disk_free_bytes).toBeGreaterThan(0);
  });
});

describe('[OPS-2] health of the machine', () => {
  it('names a disk that is nearly full and a process that was late', async () => {
    const admin = await AdminBench.open({ diskLowBytes: Number.MAX_SAFE_INTEGER, eventLoopDelayMs: -1 });
    const { status, body } = await admin.ask<ReadyAnswer>('/health/ready');
    expect([status, body.status]).toEqual([200, 'degraded']);
    expect(body.reasons.map(({ name, severity }) => [name, severity])).toEqual([
      ['event_loop_delay', 'yellow'],
      ['disk_low', 'yellow'],
    ]);
    await admin.close();
  });
});
