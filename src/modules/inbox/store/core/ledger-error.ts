// SPDX-License-Identifier: Apache-2.0
import { AngeliaError, ErrorCode } from '../../../../common/errors.js';

/** Results of SQLite that blame the step itself, not the disk: the same step would fail on any machine. */
const STEP_AT_FAULT = /^SQLITE_(CONSTRAINT|TOOBIG|MISMATCH|RANGE)/;
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;
const BUSY = /^SQLITE_(BUSY|LOCKED)/;
/** What the disk did may have left the file other than SQLite believes; a write that it refused did not. */
const SUSPICIOUS = /^SQLITE_(CORRUPT|NOTADB|IOERR(?!_WRITE))/;
const DISK = /^SQLITE_(IOERR|CORRUPT|NOTADB|NOMEM|READONLY|CANTOPEN)/;

/** Result codes of SQLite, and codes of the file system such as ENOSPC or EACCES. */
const SYSTEM_CODE = /^(SQLITE_[A-Z_]+|E[A-Z]+)$/;

/**
 * @returns the code that SQLite or the system gave an error, or null. The class of the error is not asked: SQLite's binding gives all
 * users of one process the class of the first one.
 */
function systemCode(error: unknown): string | null {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' && SYSTEM_CODE.test(code) ? code : null;
}

/** Whether another process held the lock. */
export function isBusy(error: unknown): boolean {
  return BUSY.test(systemCode(error) ?? '');
}

/** Whether what the connection remembers of the file can no longer be trusted (F-43). */
export function spoilsConnection(error: unknown): boolean {
  return DISK.test(systemCode(error) ?? '');
}

/** Whether the file itself has to be looked at closely before it is trusted again (F-50). */
export function suspectsDamage(error: unknown): boolean {
  return SUSPICIOUS.test(systemCode(error) ?? '');
}

/**
 * The error of the catalogue for whatever a step or a commit threw. Details name SQLite's result code, never a value.
 * @param step name of the step, for the log
 */
export function ledgerError(error: unknown, step: string): AngeliaError {
  if (error instanceof AngeliaError) return error;
  const reason = systemCode(error);
  if (reason === null || STEP_AT_FAULT.test(reason)) {
    return new AngeliaError(ErrorCode.Internal, reason === null ? { step } : { step, reason }, error);
  }
  const code = DAMAGED.test(reason) ? ErrorCode.LedgerCorrupt : ErrorCode.LedgerWriteFailed;
  return new AngeliaError(code, { step, reason }, error);
}
