// SPDX-License-Identifier: Apache-2.0
import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import { createPrivateFolder, createSecretFile } from '../../../common/secret-file.js';

/**
 * A lock between processes that the system frees when its holder dies, SIGKILL included (architecture, K6): an exclusive transaction on an
 * empty database. It excludes a second holder in the same process too.
 *
 * The file stays when the lock is released: removing it would let two processes lock two files of one name. Nothing else may open it, since
 * any close of it in the holder's process drops the lock (POSIX); other code only ever stats it.
 */
export class InterprocessLock {
  private constructor(private readonly database: Database.Database) {}

  /**
   * Takes the lock or finds it taken; never waits.
   * @param path file of the lock; it and its folder are created (0600, 0700)
   * @returns null when another holder has it
   * @throws AngeliaError `secret_file_mode` when the file is not a private one of this user
   */
  static acquire(path: string): InterprocessLock | null {
    preparePrivateFile(path);
    const database = new Database(path, { fileMustExist: true, timeout: 0 });
    try {
      // Nothing is ever written, so no journal has to lie beside the file.
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      if (String((error as NodeJS.ErrnoException).code).startsWith('SQLITE_BUSY')) return null;
      throw error;
    }
    return new InterprocessLock(database);
  }

  /** Gives the lock back; any number of times. */
  release(): void {
    if (this.database.open) this.database.close();
  }
}

/** Creates the file or looks at the one that is there, without opening it. */
function preparePrivateFile(path: string): void {
  createPrivateFolder(dirname(path));
  try {
    createSecretFile(path, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const stat = lstatSync(path);
  const own = process.getuid === undefined || stat.uid === process.getuid();
  if (!stat.isFile() || !own || (stat.mode & 0o077) !== 0) {
    throw new AngeliaError(ErrorCode.SecretFileMode, { path, mode: (stat.mode & 0o777).toString(8), own });
  }
}
