// SPDX-License-Identifier: Apache-2.0
import Database from 'better-sqlite3';
import { AngeliaError, ErrorCode } from '../../../../common/errors.js';
import { ledgerError, suspectsDamage } from './ledger-error.js';

describe('[F-44] errors of the ledger', () => {
  const sqlite = (code: string): Error => new Database.SqliteError('message', code);
  const system = (code: string): Error => Object.assign(new Error('open'), { code });

  it.each([
    [sqlite('SQLITE_FULL'), 'ledger_write_failed', 'SQLITE_FULL'],
    [sqlite('SQLITE_BUSY'), 'ledger_write_failed', 'SQLITE_BUSY'],
    [sqlite('SQLITE_IOERR_WRITE'), 'ledger_write_failed', 'SQLITE_IOERR_WRITE'],
    [sqlite('SQLITE_READONLY'), 'ledger_write_failed', 'SQLITE_READONLY'],
    [sqlite('SQLITE_CORRUPT_VTAB'), 'ledger_corrupt', 'SQLITE_CORRUPT_VTAB'],
    [sqlite('SQLITE_NOTADB'), 'ledger_corrupt', 'SQLITE_NOTADB'],
    [sqlite('SQLITE_CONSTRAINT_CHECK'), 'internal', 'SQLITE_CONSTRAINT_CHECK'],
    [sqlite('SQLITE_TOOBIG'), 'internal', 'SQLITE_TOOBIG'],
    [system('ENOSPC'), 'ledger_write_failed', 'ENOSPC'],
    [system('EACCES'), 'ledger_write_failed', 'EACCES'],
    [system('ERR_SOMETHING_OF_NODE'), 'internal', undefined],
    [new TypeError('x'), 'internal', undefined],
    ['thrown text', 'internal', undefined],
    [null, 'internal', undefined],
  ])('[F-44] %s is %s', (error, code, reason) => {
    const found = ledgerError(error, 'admit');
    expect([found.code, found.details['step'], found.details['reason'], found.cause]).toEqual([
      code,
      'admit',
      reason,
      error,
    ]);
  });

  it('[F-44] that have a name already keep it', () => {
    const error = new AngeliaError(ErrorCode.LedgerMode);
    expect(ledgerError(error, 'open')).toBe(error);
  });

  it.each([
    ['SQLITE_CORRUPT_INDEX', true],
    ['SQLITE_NOTADB', true],
    ['SQLITE_IOERR_READ', true],
    ['SQLITE_IOERR_FSYNC', true],
    ['SQLITE_IOERR_WRITE', false],
    ['SQLITE_READONLY', false],
    ['SQLITE_FULL', false],
    ['SQLITE_BUSY', false],
  ])('[F-50] of the kind %s are a reason to look closely at the file: %s', (code, suspicious) => {
    expect(suspectsDamage(sqlite(code))).toBe(suspicious);
  });
});
