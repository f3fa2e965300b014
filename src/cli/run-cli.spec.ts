// SPDX-License-Identifier: Apache-2.0
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { AdminBench } from '../../test/support/admin-bench.js';
import { replaceSecretFile } from '../common/secret-file.js';
import type { ClientOptions } from '../config/index.js';
import type { ReceiptDetailAnswer } from '../modules/admin/index.js';
import type { CliIo } from './cli-io.js';

// nest-commander is CommonJS: Jest can load it only when the ESM packages that it requires are there already.
const { runCli } = await import('./run-cli.js');

const LANE = 'agent:main:borgee:channel:ch_1';

/** What one command did. */
interface Done {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

describe('[ADM-1] [OPS-9] the commands', () => {
  let admin: AdminBench;
  let asked: ClientOptions[];

  beforeEach(async () => {
    admin = await AdminBench.open();
    asked = [];
    await admin.listen();
  });

  afterEach(() => admin.close());

  async function angelia(...args: string[]): Promise<Done> {
    const told = { out: '', err: '' };
    const io: CliIo = {
      out: (text) => (told.out += text),
      err: (text) => (told.err += text),
      stateDir: (options) => {
        asked.push(options);
        return admin.stateDir;
      },
      person: 'ada',
    };
    const code = await runCli(args, io);
    return { code, ...told };
  }

  it('receipts list shows a table, and the way to the next page', async () => {
    await admin.bench.quarantined('stuck', LANE);
    await admin.bench.admit('waits', { lane: LANE });
    admin.bench.clock.advance(3_600_000);
    const all = await angelia('receipts', 'list');
    expect(all).toEqual({
      code: 0,
      err: '',
      out: [
        'SEQ  STATE        CLASS     AGE  LANE                            MESSAGE  OUTCOME',
        `2    pending      ordinary  1 h  ${LANE}  waits    -`,
        `1    quarantined  ordinary  1 h  ${LANE}  stuck    quarantined_after_session_suspension`,
        '',
      ].join('\n'),
    });
    const one = await angelia(
      'receipts',
      'list',
      '--state',
      'quarantined',
      '--lane',
      LANE,
      '--class',
      'ordinary',
      '--limit',
      '1',
    );
    expect(one.out).toMatch(/^SEQ.*\n1 .*\nnext page: --cursor 1\n$/);
    const older = await angelia('receipts', 'list', '--message', 'waits', '--older-than', '30', '--cursor', '2');
    expect(older.out).toBe('No receipts.\n');
  });

  it('receipts show tells everything but what people wrote, unless it is asked for', async () => {
    const seq = await admin.bench.quarantined('stuck', LANE);
    const quiet = await angelia('receipts', 'show', String(seq));
    expect(quiet.code).toBe(0);
    expect(quiet.out).toContain('state      quarantined\n');
    expect(quiet.out).toContain('EVENT');
    expect(quiet.out).not.toContain('text of stuck');
    const { out } = await angelia('receipts', 'show', String(seq), '--content');
    expect(out).toContain('Ada wrote:\n  text of stuck\n');
  });

  it('receipts discard decides and says what follows', async () => {
    const seq = await admin.bench.quarantined('stuck', LANE);
    const done = await angelia('receipts', 'discard', String(seq), '--reason', 'seen');
    expect(done).toEqual({
      code: 0,
      err: '',
      out: `Receipt ${String(seq)} of ${LANE} is discarded. Its session is reset; the lane is open.\n`,
    });
    const shown = await angelia('receipts', 'show', String(seq), '--json');
    const { history } = JSON.parse(shown.out) as ReceiptDetailAnswer;
    expect(history).toContainEqual(expect.objectContaining({ actor: 'admin:ada', reason: 'seen' }));
  });

  it('receipts requeue needs its confirmation typed out', async () => {
    const seq = await admin.bench.quarantined('stuck', LANE);
    const refused = await angelia('receipts', 'requeue', String(seq), '--reason', 'seen');
    expect([refused.code, refused.out]).toEqual([64, '']);
    expect(refused.err).toContain('--confirm-duplicate-side-effect-risk');
    expect((await admin.bench.store.showReceipt(seq, false))?.state).toBe('quarantined');
    admin.bench.detach();
    const confirmed = ['--reason', 'seen', '--confirm-duplicate-side-effect-risk'];
    const { code, out } = await angelia('receipts', 'requeue', String(seq), ...confirmed);
    expect([code, out]).toEqual([0, expect.stringContaining('is requeued. Hermes is away: the lane opens when')]);
  });

  it('lanes lists lanes, and discards what is quarantined in one', async () => {
    await admin.bench.quarantined('stuck', LANE);
    await admin.bench.admit('waits', { lane: LANE });
    await admin.bench.admit('runs', { lane: 'other' });
    await admin.bench.openDispatch();
    const all = await angelia('lanes');
    expect(all.out.split('\n').slice(1, 3)).toEqual([
      `${LANE}  blocked    1        2     0 s  -        1 quarantined`,
      'other                           busy       0        -     -    3        -',
    ]);
    const stuck = await angelia('lanes', '--stuck', '--limit', '1');
    expect(stuck.out).not.toContain('other');
    expect((await angelia('lanes', '--cursor', 'z')).out).toBe('No lanes.\n');
    const done = await angelia('lanes', 'discard', LANE, '--reason', 'over');
    expect([done.code, done.out]).toEqual([0, expect.stringContaining('is discarded')]);
  });

  it('[OPS-5] pause and resume act on intake, dispatch and one lane', async () => {
    await admin.bench.admit('m1', { lane: LANE });
    expect((await angelia('pause', 'intake')).out).toBe('Paused: intake\n');
    expect((await angelia('pause', 'dispatch')).out).toBe('Paused: dispatch, intake\n');
    expect((await angelia('pause', 'lane', LANE)).out).toBe(`Paused: dispatch, intake, lane:${LANE}\n`);
    expect(admin.bench.chat.paused).toBe(true);
    expect((await angelia('resume', 'lane', LANE)).out).toBe('Paused: dispatch, intake\n');
    await angelia('resume', 'intake');
    expect((await angelia('resume', 'dispatch')).out).toBe('Nothing is paused.\n');
  });

  it('[OPS-9] status says how things are; what is red ends with 1', async () => {
    const fine = await angelia('status');
    expect([fine.code, fine.err]).toEqual([0, '']);
    expect(fine.out).toMatch(/^status +ok\nchat server +online\nhermes +attached, 0\.19\.0, 4 turns at once\n/);
    await admin.bench.quarantined('stuck', LANE);
    const red = await angelia('status');
    expect(red.code).toBe(1);
    expect(red.out).toMatch(/\nred +lanes_blocked +Lanes wait for the operator.* lanes=1 waiting=0\n/);
    await admin.bench.store.close();
    expect((await angelia('status')).out).toMatch(/\nreceipts +unknown\n/);
  });

  it('--json prints the answer of the bridge', async () => {
    const { code, out } = await angelia('lanes', '--json');
    expect([code, JSON.parse(out)]).toEqual([0, { lanes: [], next_cursor: null }]);
  });

  it('finds its bridge by --home, --state-dir or the environment', async () => {
    await angelia('status', '--home', '/srv/hermes');
    await angelia('status', '--state-dir', '/srv/state');
    expect(asked).toEqual([{ home: '/srv/hermes' }, { stateDir: '/srv/state' }]);
  });

  it.each([
    ['nothing', ['nothing'], 'unknown command'],
    ['lanes nothing', ['lanes', 'nothing'], 'too many arguments'],
    ['an option that nobody knows', ['status', '--colour'], 'unknown option'],
    ['a decision without a reason', ['receipts', 'discard', '1'], "required option '--reason <text>'"],
    ['a receipt without a number', ['receipts', 'show'], "missing required argument 'seq'"],
    ['a number that is none', ['receipts', 'show', '1e3'], 'field=SEQ'],
    ['a limit that is none', ['receipts', 'list', '--limit', '0'], 'field=--limit'],
    ['a state that nobody knows', ['receipts', 'list', '--state', 'lost'], 'field=state'],
    ['a pause of something else', ['pause', 'everything'], 'intake, dispatch, or lane LANE'],
    ['a pause of a lane without a name', ['pause', 'lane'], 'field=LANE'],
    ['a pause with too much', ['pause', 'intake', 'now'], 'field=WHAT'],
  ])('%s is a usage error', async (_what, args, text) => {
    const { code, out, err } = await angelia(...args);
    expect([code, out]).toEqual([64, '']);
    expect(err).toContain(text);
  });

  it('help is no error', async () => {
    const { code, out } = await angelia('--help');
    expect(code).toBe(0);
    for (const name of ['receipts', 'lanes', 'pause', 'resume', 'status']) expect(out).toContain(name);
    const group = await angelia('receipts', '--help');
    expect([group.code, group.out]).toEqual([0, expect.stringContaining('requeue')]);
  });

  it('what the bridge refuses ends with 1 and its sentence', async () => {
    const seq = await admin.bench.admit('m1');
    const { code, err } = await angelia('receipts', 'discard', String(seq), '--reason', 'x');
    expect([code, err]).toEqual([
      1,
      `angelia: Only a quarantined receipt can be discarded or requeued. (ingest_seq=${String(seq)}, state=pending)\n`,
    ]);
  });

  it('[SEC-2] a token that is missing, foreign or open to others ends with 77', async () => {
    const path = join(admin.stateDir, 'admin.token');
    replaceSecretFile(path, 'wrong');
    expect((await angelia('status')).code).toBe(77);
    chmodSync(path, 0o644);
    expect((await angelia('status')).code).toBe(77);
    rmSync(path);
    expect((await angelia('status')).code).toBe(77);
  });
});

describe('[ADM-1] a bridge that does not answer', () => {
  let admin: AdminBench;
  let server: Server;

  beforeEach(async () => {
    admin = await AdminBench.open();
    server = createServer((_request, response) => response.end('something else'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await admin.close();
  });

  function leave(url: string, pid: number = process.pid): void {
    replaceSecretFile(join(admin.stateDir, 'admin.json'), JSON.stringify({ url, pid }));
  }

  async function code(...more: string[]): Promise<number> {
    const quiet = { out: () => undefined, err: () => undefined, stateDir: () => admin.stateDir, person: '' };
    return runCli(['status', ...more], quiet);
  }

  const address = (): string => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

  it('ends with 69: nothing was left, nobody listens, or something else answers', async () => {
    expect(await code()).toBe(69);
    leave('http://127.0.0.1:1');
    expect(await code()).toBe(69);
    leave(address());
    expect(await code()).toBe(69);
  });

  it('[SEC-1] gets no token when the process that left the address is gone', async () => {
    let requests = 0;
    server.on('request', () => (requests += 1));
    leave(address(), 2 ** 22 + 1);
    expect([await code(), requests]).toEqual([69, 0]);
  });

  it('is waited for no longer than asked', async () => {
    server.removeAllListeners('request');
    leave(address());
    expect(await code('--timeout', '0.05')).toBe(69);
  });
});
