// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitForLine } from './growing-file.js';
import { killLeftovers, processesOn } from './leftovers.js';
import { lastLines, ManagedProcess, ProcessEnded } from './managed-process.js';
import { ProcessRecord } from './process-record.js';

let folder: string;
let record: ProcessRecord;
const started: ManagedProcess[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'managed-')));
  record = new ProcessRecord(join(folder, 'processes.jsonl'));
});
afterEach(async () => {
  for (const each of started.splice(0)) await each.stop('SIGKILL', 1_000);
  rmSync(folder, { recursive: true, force: true });
});

const output = (): string => join(folder, 'out');

/** Starts a program of Node. */
async function start(program: string, env: Readonly<Record<string, string>> = {}): Promise<ManagedProcess> {
  const spec = {
    role: 'helper',
    command: process.execPath,
    args: ['-e', program],
    env,
    cwd: folder,
    outputFile: output(),
  };
  const managed = await ManagedProcess.start(spec, record);
  started.push(managed);
  return managed;
}

const STAY = 'console.log("up"); setInterval(() => undefined, 1000);';

const up = (managed: ManagedProcess): Promise<string> =>
  managed.until((signal) =>
    waitForLine(output(), (line) => line === 'up', 0, { timeoutMs: 30_000, what: 'up', signal }),
  );

describe('[PLY-1] [TST-2] a process of the stack', () => {
  it('has the environment that it was given and nothing else', async () => {
    const managed = await start('console.log(JSON.stringify(Object.keys(process.env)))', { ONLY: 'this' });
    await managed.exited;
    expect(JSON.parse(readFileSync(output(), 'utf8'))).toEqual(['ONLY']);
  });

  it('ends by its signal, and the record tells when', async () => {
    const managed = await start(STAY);
    await up(managed);
    expect(record.running()).toMatchObject([{ pid: managed.pid, role: 'helper', end: null }]);
    expect(await managed.stop('SIGTERM', 30_000)).toEqual({ code: null, signal: 'SIGTERM', forced: false });
    expect(record.running()).toEqual([]);
    const line = JSON.parse(readFileSync(join(folder, 'processes.jsonl'), 'utf8')) as Record<string, unknown>;
    expect(line).toEqual(record.list()[0]);
    expect(Number(line['end'])).toBeGreaterThanOrEqual(Number(line['start']));
  });

  it('is killed when it does not end in time', async () => {
    const managed = await start(`process.on("SIGTERM", () => undefined); ${STAY}`);
    await up(managed);
    expect(await managed.stop('SIGTERM', 1)).toEqual({ code: null, signal: 'SIGKILL', forced: true });
  });

  it('may be stopped again after its end', async () => {
    const managed = await start('process.exitCode = 3');
    await managed.exited;
    expect(await managed.stop('SIGTERM', 1_000)).toEqual({ code: 3, signal: null, forced: false });
  });

  it('that ends before it is ready says so, with the place of its last words', async () => {
    const managed = await start('console.log("first\\nlast"); process.exitCode = 78');
    const error: unknown = await up(managed).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProcessEnded);
    expect(error).toMatchObject({ message: 'The helper ended (exit code 78).', outputFile: output() });
    expect(lastLines(output(), 1)).toEqual(['last']);
    expect(lastLines(join(folder, 'none'), 1)).toEqual([]);
  });

  it('that cannot be started is an error', async () => {
    const spec = { role: 'none', command: join(folder, 'none'), args: [], env: {}, cwd: folder, outputFile: output() };
    await expect(ManagedProcess.start(spec, record)).rejects.toThrow('ENOENT');
    expect(record.list()).toEqual([]);
  });
});

describe('[TST-2] what is left on a folder', () => {
  it('is found by working folder and environment, and ended by its pid', async () => {
    const managed = await start(STAY);
    await up(managed);
    expect(processesOn(folder)).toEqual([{ pid: managed.pid, command: expect.stringContaining('setInterval') }]);
    expect(killLeftovers(folder)).toHaveLength(1);
    expect(await managed.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(processesOn(folder)).toEqual([]);
  });
});
