// SPDX-License-Identifier: Apache-2.0
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { APP_GUARD } from '@nestjs/core';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { attachReport } from '../../../test/support/fake-hermes-host.js';
import { TurnBench } from '../../../test/support/turn-bench.js';
import { AngeliaError, ErrorCode } from '../../common/errors.js';
import type { EffectiveSettings, HermesAttachment } from '../runs/index.js';
import { ADMIN_TOKEN, AdminTokenGuard } from './admin-token.guard.js';
import { readOrCreateAdminToken } from './admin-token.js';
import { HealthController } from './health.controller.js';
import { HealthService, type HealthFigures, type HealthReport } from './health.service.js';
import { LoopbackHostGuard } from './loopback-host.guard.js';

describe('admin', () => {
  let bench: TurnBench;
  let app: NestFastifyApplication;
  let settings: {
    problem: AngeliaError | null;
    warnings: readonly string[];
    current: { max_concurrent_dispatches: number };
  };
  let dispatches: number;

  beforeEach(async () => {
    bench = await TurnBench.open();
    bench.host.attach(attachReport());
    settings = { problem: null, warnings: [], current: { max_concurrent_dispatches: 4 } };
    dispatches = 4;
    const attachment = {
      get effectiveDispatches() {
        return dispatches;
      },
    };
    const health = new HealthService(
      bench.store,
      bench.scheduler,
      bench.chat,
      bench.host,
      settings as unknown as EffectiveSettings,
      attachment as HermesAttachment,
      bench.telemetry,
    );
    const module = await Test.createTestingModule({
      controllers: [HealthController],
      providers: [
        { provide: APP_GUARD, useClass: LoopbackHostGuard },
        AdminTokenGuard,
        { provide: ADMIN_TOKEN, useValue: 'secret' },
        { provide: HealthService, useValue: health },
      ],
    }).compile();
    app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
  });

  afterEach(async () => {
    await app.close();
    await bench.close();
  });

  async function get(url: string, headers: Record<string, string> = {}): Promise<{ status: number; body: unknown }> {
    const reply = await app.inject({ method: 'GET', url, headers: { host: '127.0.0.1:8080', ...headers } });
    return { status: reply.statusCode, body: reply.json<unknown>() };
  }

  const ready = async (): Promise<{ status: number; body: HealthReport }> => {
    const { status, body } = await get('/health/ready');
    return { status, body: body as HealthReport };
  };
  const reasons = async (): Promise<string[]> => (await ready()).body.reasons.map(({ name }) => name);

  it('is ready while nothing is wrong', async () => {
    expect(await ready()).toEqual({ status: 200, body: { status: 'ok', reasons: [] } });
    expect(await get('/health/live')).toEqual({ status: 200, body: { status: 'ok' } });
  });

  it('[BPP-9] names a server that is not online, with its code', async () => {
    bench.chat.setOnline(false);
    expect(await ready()).toMatchObject({
      status: 503,
      body: { status: 'red', reasons: [{ name: 'chat_server_reconnecting', code: 'server_unreachable' }] },
    });
  });

  it('[HST-5] names the setting that keeps Hermes away', async () => {
    const details = { key: 'group_sessions_per_user', expected: 'false' };
    bench.host.current = {
      attached: null,
      refused: new AngeliaError(ErrorCode.HermesSettingWrong, details),
      stopping: false,
    };
    expect((await ready()).body.reasons).toMatchObject([{ name: 'hermes_refused', details }]);
  });

  it('names a Hermes that is away, settings that are missing, and lanes that are blocked', async () => {
    bench.host.current = { attached: null, refused: null, stopping: false };
    settings.problem = new AngeliaError(ErrorCode.SettingsUnknown);
    const claim = await bench.handOver('m1');
    await bench.store.markStarted(claim);
    await bench.store.markInDoubt(claim);
    bench.scheduler.blocked(claim, 'in_doubt');
    expect(await reasons()).toEqual(['lanes_blocked', 'settings', 'hermes_detached']);
  });

  it('names uncertain sends', async () => {
    const claim = await bench.handOver('m1');
    bench.chat.failures.push('uncertain');
    await bench.shim({ type: 'send', admission: claim, handle: 'h', chat_id: 'ch_1', text: 'x' });
    await bench.outbox.whenEmpty();
    expect((await ready()).body.reasons).toMatchObject([{ name: 'sends_uncertain', details: { rows: 1 } }]);
  });

  it('is degraded, but ready, when Hermes has fewer threads than asked for, or an error was unexpected', async () => {
    dispatches = 3;
    bench.telemetry.emit('error.unexpected', { where: 'outbox', code: ErrorCode.Internal, ids: {} });
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

  it('is red when the ledger cannot be read', async () => {
    await bench.store.close();
    expect(await reasons()).toEqual(['ledger_unreadable']);
  });

  it('gives figures only to the bearer of the admin token', async () => {
    expect((await get('/api/v1/health')).status).toBe(401);
    expect((await get('/api/v1/health', { authorization: 'Bearer wrong' })).status).toBe(401);
    const { status, body } = await get('/api/v1/health', { authorization: 'Bearer secret' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'ok', gateway: { state: 'online' }, hermes: { dispatches: 4 } });
    expect((body as HealthFigures).ledger.receipts.pending).toBe(0);
  });

  it.each([
    [{ host: 'angelia.example.com' }, 403],
    [{ host: '127.0.0.1.example.com:8080' }, 403],
    [{ origin: 'https://example.com' }, 403],
    [{ host: 'localhost:8080', origin: 'http://localhost:8080' }, 200],
    [{ host: '[::1]:8080' }, 200],
  ])('answers a request with %j by %i (DNS rebinding)', async (headers, status) => {
    expect((await get('/health/live', headers)).status).toBe(status);
  });

  it('[SEC-2] makes its token once, readable by its owner alone', () => {
    const token = readOrCreateAdminToken(bench.folder.folder);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(readOrCreateAdminToken(bench.folder.folder)).toBe(token);
    expect(statSync(join(bench.folder.folder, 'admin.token')).mode & 0o777).toBe(0o600);
  });
});
