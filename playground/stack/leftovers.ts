// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** A process that lives on a folder: its environment or its working folder names it. */
export interface FolderProcess {
  readonly pid: number;
  readonly command: string;
}

/** Processes that live on a folder, our own left out; what the model's commands started is among them. */
export function processesOn(folder: string): FolderProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => environmentOf(pid).includes(folder) || folderOf(pid).startsWith(folder))
    .map((pid) => ({ pid: Number(pid), command: commandOf(pid) }));
}

/** Kills what still lives on a folder of ours. @returns what was killed */
export function killLeftovers(folder: string): FolderProcess[] {
  const left = processesOn(folder);
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  return left;
}

function environmentOf(pid: string): string {
  return read(() => readFileSync(join('/proc', pid, 'environ'), 'utf8'));
}

function folderOf(pid: string): string {
  return read(() => readlinkSync(join('/proc', pid, 'cwd')));
}

function commandOf(pid: string): string {
  return read(() =>
    readFileSync(join('/proc', pid, 'cmdline'), 'utf8')
      .replaceAll('\0', ' ')
      .trim(),
  );
}

/** A process may end while it is looked at, or belong to somebody else: then it is none of ours. */
function read(look: () => string): string {
  try {
    return look();
  } catch {
    return '';
  }
}
