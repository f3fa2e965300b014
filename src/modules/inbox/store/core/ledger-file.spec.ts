// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { jest } from '@jest/globals';
import { checkLedgerFiles, prepareLedgerFile, walBytes } from './ledger-file.js';

describe('[SEC-2] the file of the ledger', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'angelia-file-'));
    path = join(folder, 'a', 'b', 'ledger.sqlite3');
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  it('[SEC-2] is made with its folders, whatever the umask, and is fresh until it has content', () => {
    const umask = process.umask(0);
    try {
      expect(prepareLedgerFile(path)).toEqual({ fresh: true });
    } finally {
      process.umask(umask);
    }
    const modes = [path, dirname(path), dirname(dirname(path))].map((each) => statSync(each).mode & 0o777);
    expect(modes).toEqual([0o600, 0o700, 0o700]);
    expect(prepareLedgerFile(path)).toEqual({ fresh: true });
    expect(walBytes(path)).toBe(0);
  });

  it('[SEC-2] is refused when another user owns it', () => {
    prepareLedgerFile(path);
    const own = statSync(path).uid;
    jest.spyOn(process as Required<typeof process>, 'geteuid').mockReturnValue(own + 1);
    expect(() => prepareLedgerFile(path)).toThrow('(role=folder, problem=foreign_owner)');
    expect(() => checkLedgerFiles(path)).toThrow('(role=file, problem=foreign_owner)');
  });
});
