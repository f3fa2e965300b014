// SPDX-License-Identifier: Apache-2.0
import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEntries, Recorder } from './recorder.js';

interface Note {
  readonly kind: string;
  readonly value: number;
}

const note = (value: number): Note => ({ kind: 'note', value });

describe('[PLY-1] the record', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'angelia-record-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('stamps each entry and numbers it', () => {
    const recorder = new Recorder<Note>();
    const before = process.hrtime.bigint();
    const [first, second] = [recorder.append(note(1)), recorder.append(note(2))];
    expect([first.n, second.n]).toEqual([1, 2]);
    expect(BigInt(first.mono_ns)).toBeGreaterThanOrEqual(before);
    expect(Date.now() - first.at).toBeLessThan(60_000);
  });

  it('[SEC-2] writes lines to a file of mode 0600 and adds to an existing one', async () => {
    const file = join(folder, 'new', 'record.jsonl');
    const first = new Recorder<Note>({ file });
    first.append(note(1));
    await first.flush();
    expect(readEntries<Note>(file).map(({ value }) => value)).toEqual([1]);
    await first.close();
    const second = new Recorder<Note>({ file });
    second.append(note(2));
    await second.close();
    await second.close();
    expect(readEntries<Note>(file).map(({ value }) => value)).toEqual([1, 2]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700);
  });

  it('cuts off the half line that a killed process left', async () => {
    const file = join(folder, 'record.jsonl');
    appendFileSync(file, '{"kind":"note","value":1}\n{"kind":"no');
    const recorder = new Recorder<Note>({ file });
    recorder.append(note(2));
    await recorder.close();
    expect(readEntries<Note>(file).map(({ value }) => value)).toEqual([1, 2]);
  });

  it('reads nothing from a file that is missing', () => {
    expect(readEntries(join(folder, 'none.jsonl'))).toEqual([]);
  });

  it('says so when it cannot write', async () => {
    const recorder = new Recorder<Note>({ file: '/dev/full' });
    recorder.append(note(1));
    await expect(recorder.close()).rejects.toThrow('could not be written');
  });

  it('lets a test wait for what is there, for what comes, and gives up in time', async () => {
    const recorder = new Recorder<Note>();
    recorder.append(note(1));
    await expect(recorder.waitFor(({ value }) => value === 1)).resolves.toMatchObject({ n: 1 });
    const waiting = recorder.waitFor(({ value }) => value === 2);
    recorder.append(note(2));
    await expect(waiting).resolves.toMatchObject({ n: 2 });
    await expect(recorder.waitFor(() => false, 1, 'a miracle')).rejects.toThrow('1 ms in vain for a miracle');
  });

  it('tells listeners until they leave', () => {
    const recorder = new Recorder<Note>();
    const heard: number[] = [];
    const leave = recorder.onEntry(({ value }) => heard.push(value));
    recorder.append(note(1));
    leave();
    recorder.append(note(2));
    expect(heard).toEqual([1]);
  });

  it('shows an entry to its maker before anyone who waits', async () => {
    const recorder = new Recorder<Note>();
    let made = 0;
    const waiting = recorder.waitFor(() => made === 1);
    recorder.append(note(1), ({ n }) => (made = n));
    await expect(waiting).resolves.toMatchObject({ value: 1 });
  });

  it('keeps the newest entries in memory, all of them in the file', async () => {
    const file = join(folder, 'record.jsonl');
    const recorder = new Recorder<Note>({ file, keep: 10 });
    for (let value = 1; value <= 100; value += 1) recorder.append(note(value));
    expect(recorder.entries.length).toBeLessThanOrEqual(20);
    expect(recorder.entries.at(-1)).toMatchObject({ value: 100 });
    await recorder.close();
    expect(readEntries(file)).toHaveLength(100);
  });
});
