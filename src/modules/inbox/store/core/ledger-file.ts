// SPDX-License-Identifier: Apache-2.0
import { existsSync, lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { AngeliaError, ErrorCode } from '../../../../common/errors.js';
import { createPrivateFolder, createSecretFile, syncFolder } from '../../../../common/secret-file.js';

const GROUP_AND_OTHERS = 0o077;

/** Files that SQLite keeps beside the ledger, by the role that an error names. */
const COMPANIONS = { wal: '-wal', shm: '-shm', journal: '-journal' } as const;

/**
 * Makes sure that the ledger exists and is readable by its owner alone, before SQLite opens it: SQLite itself would create it with
 * whatever the umask leaves (K5, F-38). Nothing is changed on what exists, it is refused.
 * @returns whether the file holds nothing yet
 * @throws AngeliaError `ledger_mode` naming the role of the path and what is wrong with it
 */
export function prepareLedgerFile(path: string): { readonly fresh: boolean } {
  const folder = dirname(path);
  if (!existsSync(folder)) {
    createPrivateFolder(folder);
    syncFolder(dirname(folder));
  }
  checkFolder(folder);
  if (statOf(path) === null) createIfMissing(path);
  checkLedgerFiles(path);
  return { fresh: lstatSync(path).size === 0 };
}

/**
 * Checks the ledger and what SQLite keeps beside it.
 * @throws AngeliaError `ledger_mode`
 */
export function checkLedgerFiles(path: string): void {
  checkFile(path, 'file');
  for (const [role, suffix] of Object.entries(COMPANIONS)) checkFile(`${path}${suffix}`, role);
}

/** @returns bytes of the write-ahead log, 0 when there is none */
export function walBytes(path: string): number {
  return statOf(`${path}${COMPANIONS.wal}`)?.size ?? 0;
}

/** Another process may win the race between look and creation; the checks that follow judge what it made. */
function createIfMissing(path: string): void {
  try {
    createSecretFile(path, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function checkFolder(folder: string): void {
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) refuse('folder', stat.isSymbolicLink() ? 'symbolic_link' : 'no_folder');
  checkOwnerOnly(stat, 'folder');
}

function checkFile(path: string, role: string): void {
  const stat = statOf(path);
  if (stat === null) return;
  if (!stat.isFile()) refuse(role, stat.isSymbolicLink() ? 'symbolic_link' : 'no_regular_file');
  checkOwnerOnly(stat, role);
}

function checkOwnerOnly(stat: Stats, role: string): void {
  if (process.geteuid !== undefined && stat.uid !== process.geteuid()) refuse(role, 'foreign_owner');
  if ((stat.mode & GROUP_AND_OTHERS) !== 0) refuse(role, 'open_to_others');
}

function statOf(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

function refuse(role: string, problem: string): never {
  throw new AngeliaError(ErrorCode.LedgerMode, { role, problem });
}
