// SPDX-License-Identifier: Apache-2.0
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GrowingFile, sizeOf, waitForLine, waitForSign } from './growing-file.js';

const bounds = { timeoutMs: 10_000, what: 'The line' };
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'growing-'));
  file = join(folder, 'log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('[PLY-1] a file that another process writes', () => {
  it('is read line by line, a character that comes in two halves included', () => {
    const lines: string[] = [];
    const growing = new GrowingFile(file, (line) => lines.push(line));
    const [first, second] = [Buffer.from('one\nt\u00e4').subarray(0, -1), Buffer.from('\u00e4').subarray(1)];
    writeFileSync(file, first);
    growing.read();
    appendFileSync(file, Buffer.concat([second, Buffer.from('b\nrest')]));
    growing.close();
    expect(lines).toEqual(['one', 't\u00e4b']);
  });

  it('is read from its beginning again after it was cut', () => {
    const lines: string[] = [];
    writeFileSync(file, 'a long first line\n');
    const growing = new GrowingFile(file, (line) => lines.push(line));
    growing.read();
    writeFileSync(file, 'new\n');
    growing.close();
    expect(lines).toEqual(['a long first line', 'new']);
  });

  it('has no size before it exists', () => {
    expect(sizeOf(file)).toBe(0);
  });
});

describe('[PLY-1] [TST-2] waiting for a sign', () => {
  it('finds a line that is written later, and only behind the given place', async () => {
    writeFileSync(file, 'ready\n');
    const waiting = waitForLine(file, (line) => line.startsWith('ready'), sizeOf(file), bounds);
    appendFileSync(file, 'ready again\n');
    expect(await waiting).toBe('ready again');
  });

  it('names what did not come', async () => {
    const waiting = waitForLine(file, () => true, 0, { timeoutMs: 1, what: 'The readiness' });
    await expect(waiting).rejects.toThrow('The readiness did not come within 0.001 s.');
  });

  it('ends with its signal, with its reason', async () => {
    const aborter = new AbortController();
    const waiting = waitForSign(() => null, { ...bounds, signal: aborter.signal });
    aborter.abort(new Error('it ended'));
    await expect(waiting).rejects.toThrow('it ended');
  });

  it('passes on what the look throws', async () => {
    const look = (): null => {
      throw new Error('no such folder');
    };
    await expect(waitForSign(look, bounds)).rejects.toThrow('no such folder');
  });
});
