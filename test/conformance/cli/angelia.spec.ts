// SPDX-License-Identifier: Apache-2.0
import { jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildProgram } from '../../support/child-program.js';
import { storeWorkerUrl } from '../../support/store.js';

// Processes are started, and the machine may be busy.
jest.setTimeout(120_000);

const ANGELIA = join(process.cwd(), 'bin', 'angelia');

describe('[ADM-1] bin/angelia with a bridge process', () => {
  let home: string;
  let environment: Record<string, string>;
  const bridges: ChildProgram[] = [];

  beforeAll(() => {
    storeWorkerUrl();
  });

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'angelia-cli-'));
    const own = { HOME: home, TMPDIR: home, ANGELIA_HERMES_HOME: home, ANGELIA_LOCK_DIR: join(home, 'locks') };
    environment = { PATH: process.env['PATH'] ?? '', ...own };
  });

  afterEach(async () => {
    await Promise.all(bridges.splice(0).map((bridge) => bridge.kill()));
    rmSync(home, { recursive: true, force: true });
  });

  /** Starts the bridge and waits until it answers. */
  async function start(): Promise<ChildProgram> {
    const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    const bridge = new ChildProgram('env', '-i', ...variables, ANGELIA);
    bridges.push(bridge);
    await bridge.line((line) => line.includes('Angelia is up'));
    return bridge;
  }

  function angelia(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    return new Promise((resolve) => {
      execFile(ANGELIA, args, { env: environment }, (error, out, err) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
      });
    });
  }

  const address = (): string => join(home, 'angelia', 'admin.json');

  it('asks the running bridge; a pause outlives its death', async () => {
    const bridge = await start();
    const status = await angelia('status');
    expect([status.code, status.err]).toEqual([1, '']);
    expect(status.out).toMatch(/^red +settings /m);
    expect(await angelia('pause', 'dispatch')).toMatchObject({ code: 0, out: 'Paused: dispatch\n' });
    await bridge.kill();
    const gone = await angelia('status');
    expect([gone.code, existsSync(address())]).toEqual([69, true]);
    expect(gone.err).toContain('No running bridge answers');
    await start();
    const { out } = await angelia('status', '--json');
    expect(JSON.parse(out)).toMatchObject({ pauses: ['dispatch'], ledger: { receipts: { pending: 0 } } });
    expect((await angelia('receipts', 'list', '--home', home)).out).toBe('No receipts.\n');
  });

  it('a bridge that stops in order takes its address away', async () => {
    const bridge = await start();
    expect(JSON.parse(readFileSync(address(), 'utf8'))).toMatchObject({ pid: bridge.pid });
    process.kill(bridge.pid, 'SIGTERM');
    await bridge.ended;
    expect([bridge.exitCode, existsSync(address())]).toEqual([0, false]);
  });

  it('[OPS-2] serves its metrics and the OpenAPI document', async () => {
    await start();
    const { url } = JSON.parse(readFileSync(address(), 'utf8')) as { url: string };
    const ask = async (path: string, token: string): Promise<Response> => {
      const secret = readFileSync(join(home, 'angelia', token), 'utf8');
      return fetch(new URL(path, url), { headers: { authorization: `Bearer ${secret}` } });
    };
    const metrics = await ask('/metrics', 'metrics.token');
    expect(await metrics.text()).toContain('angelia_ledger_readable 1\n');
    const document = (await (await ask('/api/v1/openapi.json', 'admin.token')).json()) as { paths: object };
    expect(Object.keys(document.paths)).toContain('/api/v1/receipts/{seq}/requeue');
  });
});
