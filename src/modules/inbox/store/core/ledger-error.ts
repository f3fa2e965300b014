// SPDX-License-Identifier: Apache-2.0
import Database from 'better-sqlite3';
import { AngeliaError, ErrorCode } from '../../../../common/errors.js';

/** Results of SQLite that blame the step itself, not the disk: the same step would fail on any machine. */
const STEP_AT_FAULT = /^SQLITE_(CONSTRAINT|TOOBIG|MISMATCH|RANGE)/;
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;
const BUSY = /^SQLITE_(BUSY|LOCKED)/;
const DISK = /^SQLITE_(IOERR|CORRUPT|NOTADB|NOMEM|READONLY|CANTOPEN)/;

/** @returns SQLite's extended result code of an error, or null when it is none of SQLite */
function sqliteCode(error: unknown): string | null {
  return error instanceof Database.SqliteError ? error.code : null;
}

/** Whether another process held the lock. */
export function isBusy(error: unknown): boolean {
  return BUSY.test(sqliteCode(error) ?? '');
}

/** Whether what the connection remembers of the file can no longer be trusted (F-43). */
export function spoilsConnection(error: unknown): boolean {
  return DISK.test(sqliteCode(error) ?? '');
}

/**
 * The error of the catalogue for whatever a step or a commit threw. Details name SQLite's result code, never a value.
 * @param step name of the step, for the log
 */
export function ledgerError(error: unknown, step: string): AngeliaError {
  if (error instanceof AngeliaError) return error;
  const reason = sqliteCode(error) ?? ioCode(error);
  if (reason === null || STEP_AT_FAULT.test(reason)) {
    return new AngeliaError(ErrorCode.Internal, reason === null ? { step } : { step, reason }, error);
  }
  const code = DAMAGED.test(reason) ? ErrorCode.LedgerCorrupt : ErrorCode.LedgerWriteFailed;
  return new AngeliaError(code, { step, reason }, error);
}

/** Code of an error of the file system, such as ENOSPC or EACCES. */
function ioCode(error: unknown): string | null {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code !== undefined && /^E[A-Z]+$/.test(code) ? code : null;
}
