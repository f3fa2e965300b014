// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { AngeliaError, ErrorCode } from './errors.js';

/** Mode of a secret that only its owner reads (SEC-2). */
export const OWNER_ONLY = 0o600;

/** Mode of a secret that is shared with one group, by the operator's wish (SEC-2). */
export const OWNER_AND_GROUP = 0o640;

const OTHERS = 0o077;
const WRITE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Creates a folder that only its owner enters (0700), parents too; an existing one is left as it is.
 * @throws the system's error when it cannot be made
 */
export function createPrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Makes the entries of a folder survive a power cut. */
export function syncFolder(path: string): void {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Creates a secret file and never changes one that exists (architecture, K5): the mode holds from the first byte on.
 * @param mode permission bits; the umask does not touch them
 * @throws the system's error: `EEXIST` when something stands at that path, a symbolic link included
 */
export function createSecretFile(path: string, content: string, mode: number = OWNER_ONLY): void {
  writeNew(path, content, mode);
  syncFolder(dirname(path));
}

/**
 * Puts a secret file in the place of whatever stands there: readers see the old or the new one, never a part.
 * @param mode permission bits; the umask does not touch them
 * @throws the system's error; nothing is left behind then
 */
export function replaceSecretFile(path: string, content: string, mode: number = OWNER_ONLY): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  writeNew(temporary, content, mode);
  try {
    renameSync(temporary, path);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
  syncFolder(dirname(path));
}

/**
 * Removes a file only while it still holds what was written to it: a successor may have put its own there.
 * @returns whether it was removed
 */
export function removeOwnFile(path: string, content: string): boolean {
  try {
    if (readSecretFile(path) !== content) return false;
    unlinkSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof AngeliaError) return false;
    throw error;
  }
}

/**
 * Reads a secret file after looking at what was really opened: a regular file of this user that nobody else can read.
 * @throws AngeliaError `secret_file_mode` with the path; the system's error, `ENOENT` for a missing file
 */
export function readSecretFile(path: string): string {
  const descriptor = open(path);
  try {
    const stat = fstatSync(descriptor);
    const own = process.getuid === undefined || stat.uid === process.getuid();
    if (!stat.isFile() || !own || (stat.mode & OTHERS) !== 0) {
      throw new AngeliaError(ErrorCode.SecretFileMode, { path, mode: (stat.mode & 0o777).toString(8), own });
    }
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Opens without following a link at the end of the path and without waiting for the writer of a pipe. */
function open(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
    throw new AngeliaError(ErrorCode.SecretFileMode, { path, link: true }, error);
  }
}

function writeNew(path: string, content: string, mode: number): void {
  const descriptor = openSync(path, WRITE_NEW, OWNER_ONLY);
  try {
    fchmodSync(descriptor, mode);
    writeFileSync(descriptor, content, 'utf8');
    fsyncSync(descriptor);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
