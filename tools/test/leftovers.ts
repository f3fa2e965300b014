// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type DetailedResult } from './results.js';
import { type Workshop } from './workshop.js';

const POLL_MS = 200;
const DEFAULT_GRACE_MS = 10_000;
/** Folders that programs of the machine, not our code, keep in a home: browser and package caches. */
const CACHES_IN_HOME: ReadonlySet<string> = new Set(['.cache', '.config', '.local', '.npm', '.pki', '.dbus']);

/** A process of the run that is still there. */
interface LeftProcess {
  readonly pid: number;
  readonly name: string;
}

/** What the clone looks like to git: tracked changes and new files. */
export function workTreeState(root: string): string {
  return execFileSync('git', ['-C', root, 'status', '--porcelain', '--untracked-files=all'], { encoding: 'utf8' });
}

/**
 * Looks for what the tests left behind, and ends processes that they left.
 * @param before the work tree as it was before the run
 * @param graceMs how long a process that was told to end may take
 * @returns one test for each promise
 */
export async function checkLeftovers(
  workshop: Workshop,
  before: string,
  graceMs = DEFAULT_GRACE_MS,
): Promise<DetailedResult[]> {
  const processes = await processesAfterGrace(workshop.folder, graceMs);
  for (const { pid } of processes) endProcess(pid);
  const changes = difference(before, workTreeState(workshop.root));
  return [
    verdict(
      '[TST-2] the run leaves no process behind',
      processes.map(({ pid, name }) => `${String(pid)} ${name}`),
    ),
    verdict('[TST-2] the run leaves no file in the temporary folder', readdirSync(workshop.temporary)),
    verdict(
      '[TST-2] the run writes nothing into the home folder',
      readdirSync(workshop.home).filter((name) => !CACHES_IN_HOME.has(name)),
    ),
    verdict('[TST-2] the run changes nothing in the clone', changes),
  ];
}

async function processesAfterGrace(mark: string, graceMs: number): Promise<LeftProcess[]> {
  const deadline = performance.now() + graceMs;
  let left = markedProcesses(mark);
  while (left.length > 0 && performance.now() < deadline) {
    await wait(POLL_MS);
    left = markedProcesses(mark);
  }
  return left;
}

/** Processes whose environment, arguments or working folder name the folder of the run. */
function markedProcesses(mark: string): LeftProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) =>
      [read(pid, 'environ'), read(pid, 'cmdline'), workingFolder(pid)].some((text) => text.includes(mark)),
    )
    .map((pid) => ({ pid: Number(pid), name: read(pid, 'comm').trim() }));
}

/** A file of a process; empty when it has ended meanwhile or belongs to somebody else. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(join('/proc', pid, file), 'utf8');
  } catch {
    return '';
  }
}

function workingFolder(pid: string): string {
  try {
    return readlinkSync(join('/proc', pid, 'cwd'));
  } catch {
    return '';
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself meanwhile.
  }
}

function difference(before: string, after: string): string[] {
  const known = new Set(before.split('\n'));
  return after.split('\n').filter((line) => line !== '' && !known.has(line));
}

function verdict(title: string, left: readonly string[]): DetailedResult {
  const result = left.length === 0 ? 'passed' : 'failed';
  return { title, file: 'tools/test/leftovers.ts', hermes: null, result, ms: 0, detail: left.join('\n') };
}
