// SPDX-License-Identifier: Apache-2.0
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import Database from 'better-sqlite3';
import type { WireOutcome, WireStep } from '../wire.js';
import { BatchRunner } from './batch.js';
import { LedgerCore } from './ledger-core.js';

describe('LedgerCore', () => {
  let folder: string;
  let core: LedgerCore;
  const path = (): string => join(folder, 'ledger.sqlite3');
  const run = (...steps: WireStep[]): Promise<WireOutcome[]> => core.run({ now: 1, steps });
  const keep = (settings: string): WireStep => ['keepSettings', [settings]];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'angelia-core-'));
    core = new LedgerCore({ path: path() });
    await core.open(1);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await core.close();
    rmSync(folder, { recursive: true });
  });

  /** The next batch meets an error that spoils the connection. */
  const spoilNextBatch = (): void => {
    jest.spyOn(BatchRunner.prototype, 'run').mockImplementationOnce(function (this: BatchRunner, steps) {
      this.doubtful = true;
      return steps.map(() => ({ error: new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC') }));
    });
  };

  it('[F-43] opens the file anew after an error that spoils the connection, without a new epoch', async () => {
    await run(keep('before'));
    spoilNextBatch();
    expect(await run(keep('lost'))).toMatchObject([
      { error: { code: 'ledger_write_failed', details: { step: 'keepSettings', reason: 'SQLITE_IOERR_FSYNC' } } },
    ]);
    expect(await run(['probe', []], ['watermark', ['a']])).toEqual([{ value: undefined }, { value: 0 }]);
    await core.close();
    const next = new LedgerCore({ path: path() });
    expect(await next.open(2)).toMatchObject({ epoch: 2, settings: 'before' });
    await next.close();
  });

  it('[F-43] refuses step by step while the file cannot be opened, and recovers by itself', async () => {
    spoilNextBatch();
    await run(keep('lost'));
    chmodSync(path(), 0o640);
    expect(await run(keep('refused'))).toMatchObject([{ error: { code: 'ledger_mode', details: { role: 'file' } } }]);
    chmodSync(path(), 0o600);
    expect(await run(keep('stored'))).toEqual([{ value: undefined }]);
  });
});
