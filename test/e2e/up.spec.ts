// SPDX-License-Identifier: Apache-2.0
import { jest } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLedger } from '../../playground/audit/index.js';
import { HARBOUR } from '../../playground/borgee/index.js';
import { ScriptedModel } from '../../playground/model/index.js';
import { judgeEvidence } from '../../playground/stack/check.js';
import type { ProcessEntry } from '../../playground/stack/process-record.js';
import { UpProcess } from '../support/up-process.js';

jest.setTimeout(180_000);

const running: UpProcess[] = [];
let folder: string;

/** Starts the command; it is ended after the test whatever happens. */
function up(args: readonly string[], env: Readonly<Record<string, string>> = {}): UpProcess {
  const process_ = new UpProcess(args, env);
  running.push(process_);
  return process_;
}

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'angelia-up-spec-'))));
afterEach(async () => {
  for (const each of running.splice(0)) await each.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** The address in the line that names the chat page. */
async function chatPage(process_: UpProcess): Promise<string> {
  const line = await process_.line((each) => each.includes('Chat page:'));
  return /http:\/\/\S+/.exec(line)![0];
}

/** A person writes on the chat page; waits until the agent's answer stands there. */
async function talk(origin: string, text: string): Promise<string> {
  const channel = `${origin}/chat/api/channels/${HARBOUR.directMessages.Mira}/messages`;
  const body = JSON.stringify({ author_id: HARBOUR.authors.Mira, body: text });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(channel, { method: 'POST', headers, body })).status).toBe(201);
  const live = await fetch(`${origin}/chat/api/live`);
  const events = live.body!.getReader();
  while (!(await events.read()).done) {
    const state = (await (await fetch(`${origin}/chat/api/state`)).json()) as { agent: { busy: string[] } };
    const page = (await (await fetch(channel)).json()) as { messages: { by_agent: boolean; body: string }[] };
    const answer = page.messages.findLast((message) => message.by_agent);
    if (answer === undefined || state.agent.busy.length > 0) continue;
    await events.cancel();
    return answer.body;
  }
  throw new Error('The live stream ended without an answer.');
}

describe('[PLY-1] [TST-2] bin/up --check', () => {
  it('answers everything, says so in one line, and leaves evidence that anybody can judge again', async () => {
    const evidence = join(folder, 'evidence');
    const check = up(['--check', '--evidence', evidence]);
    const { code, stdout, stderr } = await check.end();
    expect([code, stderr.includes('✗')]).toEqual([0, false]);
    const result = JSON.parse(stdout.at(-1)!) as Record<string, number>;
    expect(Object.keys(result)).toEqual(['setup_s', 'ready_s', 'first_answer_s', 'answers', 'lost', 'repeated']);
    expect(result).toMatchObject({ answers: 11, lost: 0, repeated: 0 });
    expect(result['first_answer_s']).toBeGreaterThan(result['ready_s']!);
    expect(readdirSync(evidence).sort()).toEqual([
      'ledger.sqlite3',
      'model.jsonl',
      'playground.jsonl',
      'processes.jsonl',
    ]);
    for (const name of readdirSync(evidence)) expect(statSync(join(evidence, name)).mode & 0o077).toBe(0);
    expect(judgeEvidence(evidence)).toMatchObject({ answers: 11, holds: true });
    const processes = readFileSync(join(evidence, 'processes.jsonl'), 'utf8').trim().split('\n');
    const entries = processes.map((line) => JSON.parse(line) as ProcessEntry);
    expect(entries.map((entry) => [entry.role, entry.code])).toEqual([
      ['bridge', null],
      ['hermes', 0],
      ['bridge', 0],
    ]);
    expect(new Set(entries.map(({ pid }) => pid)).size).toBe(3);
    expect(check.leftovers()).toEqual([]);
  });

  it('a judge of the evidence finds what is taken away or doubled', async () => {
    const evidence = join(folder, 'evidence');
    await up(['--check', '--evidence', evidence]).end();
    const file = join(evidence, 'playground.jsonl');
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const answer = lines.findIndex((line) => line.includes('"kind":"answer"'));
    const without = lines.filter((_, index) => index !== answer);
    writeFileSync(file, `${without.join('\n')}\n`);
    expect(judgeEvidence(evidence)).toMatchObject({ holds: false, lost: [expect.any(String)] });
  });

  it('with --home keeps its state: a second run goes on with the same ledger', async () => {
    const home = join(folder, 'home');
    for (const messages of [11, 22]) {
      const { code } = await up(['--check', '--home', home]).end();
      expect(code).toBe(0);
      const { receipts } = readLedger(join(home, 'evidence', 'ledger.sqlite3'));
      expect(receipts.filter((row) => row.outcome === 'hermes_completed')).toHaveLength(messages);
    }
  });
});

describe('[PLY-1] bin/up', () => {
  it('serves the chat page, shows the log readably, and ends at Ctrl-C with nothing left', async () => {
    const process_ = up([]);
    const origin = await chatPage(process_);
    expect(await (await fetch(origin)).text()).toContain('<!doctype html>');
    expect(await talk(origin, 'Hello there')).toContain('Hello there');
    expect(await process_.line((line) => line.includes('receipt ended'))).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} info {2}receipt ended/,
    );
    process_.signal('SIGINT');
    const { code, stdout } = await process_.end();
    expect(code).toBe(0);
    expect(stdout.join('\n')).not.toContain('\u001b');
    expect(process_.leftovers()).toEqual([]);
  });

  it('uses a real model when one is named', async () => {
    const model = await ScriptedModel.start();
    try {
      model.script('real', [{ text: 'I am the other model.' }]);
      const process_ = up([], { MODEL_BASE_URL: model.url, MODEL_NAME: 'other', MODEL_API_KEY: 'sk-other' });
      expect(await talk(await chatPage(process_), 'Who are you? [[real]]')).toBe('I am the other model.');
      process_.signal('SIGTERM');
      expect((await process_.end()).code).toBe(0);
    } finally {
      await model.close();
    }
  });

  it('ends at Ctrl-C while it still starts, with nothing left', async () => {
    const process_ = up([]);
    await process_.line((line) => line.includes('✓ Bridge'));
    process_.signal('SIGINT');
    expect((await process_.end()).code).toBe(130);
    expect(process_.leftovers()).toEqual([]);
  });

  it('says what failed, with the last words of that part', async () => {
    const state = join(folder, 'home', 'home', '.hermes', 'angelia');
    mkdirSync(state, { recursive: true, mode: 0o700 });
    writeFileSync(join(state, 'ledger.sqlite3'), 'this is no database, but long enough to look like one '.repeat(100), {
      mode: 0o600,
    });
    const { code, stdout } = await up(['--home', join(folder, 'home')]).end();
    expect(code).toBe(1);
    expect(stdout).toContainEqual(expect.stringContaining('✗ Bridge'));
    expect(stdout).toContainEqual(expect.stringMatching(/Failed: Bridge: The bridge ended \(exit code 78\)\./));
    expect(stdout).toContainEqual(expect.stringContaining('The ledger file is damaged'));
  });

  it('says so when the port of a kept folder is taken', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    writeFileSync(join(folder, 'playground.json'), JSON.stringify({ port, apiKey: 'bgr_kept' }));
    const { code, stdout } = await up(['--home', folder]).end();
    server.close();
    expect([code, stdout.join('\n')]).toEqual([1, expect.stringMatching(/✗ Playground[^]*EADDRINUSE/)]);
  });

  it.each([
    [
      'a check of a model that keeps no record',
      ['--check'],
      { MODEL_BASE_URL: 'http://127.0.0.1:9/v1', MODEL_NAME: 'm' },
    ],
    ['a model that is named in part', [], { MODEL_NAME: 'm' }],
    ['evidence without a check', ['--evidence', 'x'], {}],
  ])('refuses %s', async (_what, args, env) => {
    const { code, stderr } = await up(args, env).end();
    expect([code, stderr]).toEqual([64, expect.stringContaining('bin/up: ')]);
  });
});

describe('[PLY-1] the script bin/up', () => {
  it('tells its options', () => {
    expect(execFileSync('bash', ['bin/up', '--help'], { encoding: 'utf8' })).toContain('--evidence DIR');
  });

  it('refuses what it does not know before it sets anything up', () => {
    const { status, stderr } = spawnSync('bash', ['bin/up', '--fast'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([64, expect.stringContaining('--fast')]);
  });
});
