// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { HARBOUR } from '../../../playground/borgee/index.js';
import { type ModelEntry, type PlaygroundEntry, readEntries } from '../../../playground/record/index.js';

const MAIN = fileURLToPath(new URL('../../../dist/playground/main.js', import.meta.url));
const messages = `/chat/api/channels/${HARBOUR.channels.general}/messages`;

interface Ready {
  readonly origin: string;
  readonly agent_id: string;
  readonly model_url: string;
  readonly pid: number;
}

describe('[PLY-1] the playground as a process of its own', () => {
  let folder: string;
  let child: ChildProcess | null = null;
  const started: ChildProcess[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'angelia-playground-'));
  });
  afterEach(async () => {
    for (const each of started.splice(0)) {
      if (each.exitCode !== null || each.signalCode !== null) continue;
      each.kill('SIGKILL');
      await once(each, 'exit');
    }
    child = null;
    rmSync(folder, { recursive: true });
  });

  function run(...args: string[]): ChildProcess {
    child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: {} });
    started.push(child);
    return child;
  }

  async function start(...args: string[]): Promise<Ready> {
    const lines = createInterface({ input: run('--key-file', join(folder, 'key'), ...args).stdout! });
    const [line] = (await once(lines, 'line')) as [string];
    return JSON.parse(line) as Ready;
  }

  async function stop(signal: NodeJS.Signals): Promise<number | null> {
    const ended = once(child!, 'exit') as Promise<[number | null]>;
    child!.kill(signal);
    return (await ended)[0];
  }

  it('says where it is, serves both, and ends on SIGTERM with whole records', async () => {
    const record = join(folder, 'record');
    const ready = await start('--record', record, '--delay-ms', '0');
    expect(ready.pid).toBe(child!.pid);
    const said = await fetch(`${ready.origin}${messages}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ author_id: HARBOUR.authors.Mira, body: 'hello' }),
    });
    expect(said.status).toBe(201);
    expect((await fetch(`${ready.model_url}/models`)).status).toBe(200);
    expect(await stop('SIGTERM')).toBe(0);
    const playground = readEntries<PlaygroundEntry>(join(record, 'playground.jsonl'));
    expect(playground.map(({ kind }) => kind)).toEqual(['listening', 'sent']);
    const model = readEntries<ModelEntry>(join(record, 'model.jsonl'));
    expect(model.map(({ kind }) => kind)).toEqual(['probe', 'closed']);
  });

  it('[SEC-1] [SEC-2] keeps the key in a file of mode 0600 and out of its output and records', async () => {
    const record = join(folder, 'record');
    let output = '';
    const ready = await start('--record', record);
    child!.stdout!.on('data', (data: Buffer) => (output += data.toString()));
    const key = readFileSync(join(folder, 'key'), 'utf8').trim();
    await fetch(`${ready.origin}/chat/api/state`, { headers: { authorization: `Bearer ${key}` } });
    expect(await stop('SIGINT')).toBe(0);
    expect(statSync(join(folder, 'key')).mode & 0o777).toBe(0o600);
    expect(output + JSON.stringify(ready) + readFileSync(join(record, 'playground.jsonl'), 'utf8')).not.toContain(key);
  });

  it('comes back on its port with its conversations and its key', async () => {
    const record = join(folder, 'record');
    const first = await start('--record', record);
    const port = new URL(first.origin).port;
    await fetch(`${first.origin}${messages}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ author_id: HARBOUR.authors.Mira, body: 'remember me' }),
    });
    const key = readFileSync(join(folder, 'key'), 'utf8');
    await stop('SIGINT');
    const second = await start('--record', record, '--port', port);
    expect(second.origin).toBe(first.origin);
    expect(readFileSync(join(folder, 'key'), 'utf8')).toBe(key);
    const page = (await (await fetch(`${second.origin}${messages}`)).json()) as { messages: { body: string }[] };
    expect(page.messages.map(({ body }) => body)).toEqual(['remember me']);
    await stop('SIGTERM');
  });

  it.each([
    ['no key file', [], '--key-file is missing'],
    ['an unknown flag', ['--api-key', 'x'], '--api-key'],
    ['a port that is none', ['--key-file', 'key', '--port', '70000'], '--port is a number from 0 to 65535'],
  ])('refuses %s with its usage', async (_what, args, text) => {
    const { stderr } = run(...args);
    let said = '';
    stderr!.on('data', (data: Buffer) => (said += data.toString()));
    const [code] = (await once(child!, 'close')) as [number];
    expect(code).toBe(1);
    expect(said).toContain(text);
    expect(said).toContain('Usage:');
  });

  it('ends when its port is taken', async () => {
    const { origin } = await start();
    const second = run('--key-file', join(folder, 'other'), '--port', new URL(origin).port);
    const [code] = (await once(second, 'exit')) as [number];
    expect(code).toBe(1);
  });
});
