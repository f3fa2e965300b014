// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, linkSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ERROR_SENTENCES, ErrorCode } from '../../../common/errors.js';
import { InterprocessLock } from './interprocess-lock.js';

/** Another program that holds the lock by the means of SQLite alone, until it is killed. */
const HOLDER = `
  import Database from 'better-sqlite3';
  const database = new Database(process.argv[1], { timeout: 0 });
  try { database.exec('BEGIN EXCLUSIVE'); console.log('held'); } catch (error) { console.log(error.code); }
  setInterval(() => {}, 1000);
`;

describe('[HST-6] the lock between processes', () => {
  let folder: string;
  let path: string;
  let children: ChildProcess[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'angelia-lock-'));
    path = join(folder, 'locks', 'profile.lock');
    children = [];
  });
  afterEach(async () => {
    await Promise.all(children.map(kill));
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts the other program. @returns it and its first line */
  async function hold(): Promise<{ child: ChildProcess; said: string }> {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', HOLDER, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const lines = createInterface({ input: child.stdout });
    const [said] = (await once(lines, 'line')) as [string];
    lines.close();
    return { child, said };
  }

  /** Ends the other program as a crash does. */
  async function kill(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  const taken = (at: string): InterprocessLock => {
    const lock = InterprocessLock.acquire(at);
    if (lock === null) throw new Error('the lock is held by another');
    return lock;
  };

  it('[HST-6] is refused to a second holder of the same process until it is released', () => {
    const first = taken(path);
    expect(InterprocessLock.acquire(path)).toBeNull();
    // The refused attempt has opened and closed the file: the lock must still hold.
    expect(InterprocessLock.acquire(path)).toBeNull();
    first.release();
    first.release();
    taken(path).release();
  });

  it('[HST-6] is refused to another process, also after a refused attempt in our own', async () => {
    const lock = taken(path);
    expect(InterprocessLock.acquire(path)).toBeNull();
    expect((await hold()).said).toMatch(/^SQLITE_BUSY/);
    lock.release();
    expect((await hold()).said).toBe('held');
  });

  it('[HST-6] is free at once when its holder was killed by SIGKILL', async () => {
    taken(path).release();
    const { child, said } = await hold();
    expect(said).toBe('held');
    expect(InterprocessLock.acquire(path)).toBeNull();
    await kill(child);
    taken(path).release();
  });

  it('[HST-6] is one lock under every name of its file', () => {
    const lock = taken(path);
    const other = join(folder, 'other.lock');
    linkSync(path, other);
    expect(InterprocessLock.acquire(other)).toBeNull();
    lock.release();
  });

  it('[SEC-2] stands in a private file of a private folder and leaves the file when it is released', () => {
    taken(path).release();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'locks')).mode & 0o777).toBe(0o700);
  });

  it('[SEC-2] is refused on a file that others can read, or behind a link', () => {
    const open = join(folder, 'open.lock');
    writeFileSync(open, '');
    chmodSync(open, 0o644);
    expect(() => InterprocessLock.acquire(open)).toThrow(ERROR_SENTENCES[ErrorCode.SecretFileMode]);
    const link = join(folder, 'link.lock');
    symlinkSync(open, link);
    expect(() => InterprocessLock.acquire(link)).toThrow(ERROR_SENTENCES[ErrorCode.SecretFileMode]);
  });

  it('[HST-6] names what is wrong when the file is no lock of ours', () => {
    const foreign = join(folder, 'foreign.lock');
    writeFileSync(foreign, 'this is not a database, and long enough to be recognised as none'.repeat(20), {
      mode: 0o600,
    });
    expect(() => InterprocessLock.acquire(foreign)).toThrow('not a database');
  });
});
