// SPDX-License-Identifier: Apache-2.0
import { Controller, Get } from '@nestjs/common';
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AdminBench } from '../../../../test/support/admin-bench.js';
import { AngeliaError, ERROR_SENTENCES, ErrorCode } from '../../../common/errors.js';
import { ERROR_STATUS } from '../api/error-status.js';
import type { ErrorAnswer } from '../api/error.dto.js';
import { ADMIN_TOKEN_FILES, readOrCreateAdminTokens } from './admin-tokens.js';

const DISCARD = '/api/v1/receipts/1/discard';

describe('[SEC-2] who may ask the admin interface', () => {
  let admin: AdminBench;

  beforeEach(async () => (admin = await AdminBench.open()));
  afterEach(() => admin.close());

  it('makes its tokens once, each in a file that only its owner reads', () => {
    const tokens = readOrCreateAdminTokens(admin.stateDir);
    expect(readOrCreateAdminTokens(admin.stateDir)).toEqual(tokens);
    expect(new Set(tokens.map(({ secret }) => secret)).size).toBe(ADMIN_TOKEN_FILES.length);
    for (const { file } of ADMIN_TOKEN_FILES) {
      expect(admin.secret(file)).toMatch(/^[0-9a-f]{64}$/);
      expect(statSync(join(admin.stateDir, file)).mode & 0o777).toBe(0o600);
    }
  });

  it('takes no token that others can read', () => {
    chmodSync(join(admin.stateDir, 'metrics.token'), 0o644);
    expect(() => readOrCreateAdminTokens(admin.stateDir)).toThrow(ERROR_SENTENCES[ErrorCode.SecretFileMode]);
  });

  it.each([
    ['/health/live', null, 200],
    ['/health/ready', null, 200],
    ['/api/v1/receipts', null, 401],
    ['/api/v1/receipts', 'admin.token', 200],
    ['/api/v1/receipts', 'admin-content.token', 200],
    ['/api/v1/receipts', 'metrics.token', 403],
    ['/metrics', null, 401],
    ['/metrics', 'metrics.token', 200],
    ['/metrics', 'admin.token', 200],
    ['/api/v1/openapi.json', null, 401],
  ])('%s with %s: %i', async (url, token, status) => {
    expect((await admin.ask(url, { token })).status).toBe(status);
  });

  it.each(['Bearer ', 'Bearer wrong', 'Basic YWRtaW46YWRtaW4='])('refuses %j and says how to ask', async (given) => {
    const headers = { authorization: given };
    const { status, body, headers: answered } = await admin.ask<ErrorAnswer>('/api/v1/lanes', { token: null, headers });
    expect([status, body.code, answered['www-authenticate']]).toEqual([
      401,
      'admin_token_refused',
      'Bearer realm="angelia"',
    ]);
  });

  it('decides nothing for a token without that scope', async () => {
    const { status } = await admin.post('/api/v1/intake/pause', {}, { token: 'metrics.token' });
    expect([status, admin.bench.chat.paused]).toEqual([403, false]);
  });

  it.each([
    [{ host: 'angelia.example.com' }, 403],
    [{ host: '127.0.0.1.example.com:8080' }, 403],
    [{ origin: 'https://example.com' }, 403],
    [{ origin: 'null' }, 403],
    [{ host: 'localhost:8080', origin: 'http://localhost:8080' }, 200],
    [{ host: '127.0.0.5:8080' }, 200],
    [{ host: '[::1]:8080' }, 200],
  ])('answers a request with %j by %i (DNS rebinding)', async (headers, status) => {
    expect((await admin.ask('/health/live', { headers })).status).toBe(status);
    expect((await admin.ask('/api/v1/lanes', { headers })).status).toBe(status);
  });
});

describe('[ADM-1] errors of the admin interface', () => {
  let admin: AdminBench;

  beforeEach(async () => (admin = await AdminBench.open()));
  afterEach(() => admin.close());

  it('every code has a status of an error', () => {
    expect(Object.values(ErrorCode).filter((code) => !(ERROR_STATUS[code] >= 400 && ERROR_STATUS[code] < 600))).toEqual(
      [],
    );
  });

  it.each([
    ['an unknown page', '/nowhere', {}, 404, ErrorCode.RouteUnknown],
    ['the wrong method', '/api/v1/intake/pause', {}, 404, ErrorCode.RouteUnknown],
    ['broken JSON', DISCARD, { method: 'POST', body: '{"reason":' }, 400, ErrorCode.RequestInvalid],
    [
      'a body that is too large',
      DISCARD,
      { method: 'POST', body: `"${'a'.repeat(70_000)}"` },
      413,
      'request_too_large',
    ],
    ['a text as body', DISCARD, { method: 'POST', body: '"text"' }, 400, ErrorCode.RequestInvalid],
    ['null as body', DISCARD, { method: 'POST', body: 'null' }, 400, ErrorCode.RequestInvalid],
  ] as const)('%s has its code', async (_what, url, request, status, code) => {
    const answer = await admin.ask<ErrorAnswer>(url, request);
    expect([answer.status, answer.body]).toMatchObject([status, { code, sentence: ERROR_SENTENCES[code] }]);
  });

  it('[SEC-1] one that nobody expected is a bare 500 with an id that the log has, too; its text is nowhere', async () => {
    const errors = admin.bench.events('error.unexpected');
    admin.bench.scheduler.view = () => {
      throw new TypeError('canary of a message');
    };
    const { status, body, text, headers } = await admin.ask<ErrorAnswer>('/api/v1/lanes');
    expect([status, body.code]).toEqual([500, 'internal']);
    const id = body.details['correlation_id'];
    expect(headers['x-correlation-id']).toBe(id);
    expect(errors).toMatchObject([
      { where: 'admin', code: 'internal', ids: { correlation_id: id, name: 'TypeError', route: '/api/v1/lanes' } },
    ]);
    expect(errors[0]?.ids['place']).toMatch(/access\.spec\.ts:\d+:\d+/);
    expect(text + JSON.stringify(errors)).not.toContain('canary');
    expect(JSON.stringify(errors)).not.toContain(process.cwd());
  });

  it('an internal error of our own has an id, too', async () => {
    admin.bench.scheduler.view = () => {
      throw new AngeliaError(ErrorCode.Internal, { canary: 1 });
    };
    const { body } = await admin.ask<ErrorAnswer>('/api/v1/lanes');
    expect(Object.keys(body.details)).toEqual(['correlation_id']);
  });
});

describe('[SEC-2] a handler without a described operation', () => {
  it('is reached by nobody', async () => {
    @Controller('forgotten')
    class Forgotten {
      @Get()
      page(): string {
        return 'reached';
      }
    }
    const admin = await AdminBench.open({}, [Forgotten]);
    expect((await admin.ask('/forgotten', { token: 'admin-content.token' })).status).toBe(401);
    await admin.close();
  });
});
