// SPDX-License-Identifier: Apache-2.0
import { chmodSync, closeSync, fstatSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { newReceipt } from '../../../../../test/support/store.js';
import { packReceipt, type WireOutcome, type WireStep } from '../wire.js';
import { BatchRunner } from './batch.js';
import { LedgerCore } from './ledger-core.js';

const PAGE = 4_096;

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

  /** Sets something on the connection behind the core's back, at the beginning of the next batch. */
  const pragmaInNextBatch = (pragma: string): void => {
    const run = BatchRunner.prototype.run; // eslint-disable-line @typescript-eslint/unbound-method -- called with its own `this` below
    jest.spyOn(BatchRunner.prototype, 'run').mockImplementationOnce(function (this: BatchRunner, steps, writes) {
      (this as unknown as { readonly db: Database.Database }).db.pragma(pragma);
      return run.call(this, steps, writes);
    });
  };
  const admit = (id: string, body: string): WireStep => ['admit', packReceipt(newReceipt(id, { body }))];
  const stored = (ingestSeq: number): object => ({ value: [ingestSeq, false, 'pending', null] });
  const refusal = (code: string, reason: string): object => ({ error: { code, details: { step: 'admit', reason } } });

  it('[F-44] fails the step alone that finds the disk full, and takes it when there is room again, on the same connection', async () => {
    const large = 'x'.repeat(400_000);
    pragmaInNextBatch('max_page_count = 90');
    const full = refusal('ledger_write_failed', 'SQLITE_FULL');
    const outcomes = await run(admit('before', ''), admit('large', large), admit('after', ''));
    expect(outcomes).toMatchObject([stored(1), full, stored(2)]);
    // The limit belongs to the connection: it would be gone with it.
    expect(await run(admit('large', large))).toMatchObject([full]);
    expect(await run(admit('small', ''))).toMatchObject([stored(3)]);
    pragmaInNextBatch('max_page_count = 4294967294');
    expect(await run(admit('large', large))).toMatchObject([stored(4)]);
  });

  it('[F-44] refuses by name when the file has become read-only, and opens it anew for the next batch', async () => {
    await run(admit('before', ''));
    pragmaInNextBatch('query_only = 1');
    const outcomes = await run(admit('refused', ''), admit('before', ''));
    expect(outcomes).toMatchObject(outcomes.map(() => refusal('ledger_write_failed', 'SQLITE_READONLY')));
    expect(await run(admit('stored', ''))).toMatchObject([stored(2)]);
  });

  describe('[F-50] a page that is damaged while the ledger is open', () => {
    beforeEach(async () => {
      const steps = Array.from({ length: 3_000 }, (_, index) => admit(`m_${index}`, 'x'.repeat(10_000)));
      expect((await run(...steps)).every((outcome) => 'value' in outcome)).toBe(true);
      pragmaInNextBatch('wal_checkpoint(TRUNCATE)');
      await run(['probe', []]);
      const file = openSync(path(), 'r+');
      const { size } = fstatSync(file);
      // The older half of the receipts, which the connection does not remember any more.
      for (let at = 100 * PAGE; at < size / 2; at += PAGE) writeSync(file, Buffer.alloc(PAGE, 0xa5), 0, PAGE, at);
      closeSync(file);
    });

    it.each<[string, WireStep]>([
      ['a move', ['claim', [500, 'claim']]],
      ['a read', ['showReceipt', [500, true]]],
    ])('[F-50] [INB-1] is named by %s that meets it, and nothing is acknowledged from then on', async (_name, step) => {
      expect(await run(step)).toMatchObject([{ error: { code: 'ledger_corrupt', details: { step: step[0] } } }]);
      for (let round = 0; round < 3; round += 1) {
        const outcomes = await run(admit('later', ''), ['probe', []]);
        expect(outcomes).toMatchObject(outcomes.map(() => ({ error: { code: 'ledger_corrupt' } })));
      }
    });
  });

  it('[F-50] [F-43] looks closely at the file after an error of the disk: an index that disagrees with its table is damage', async () => {
    await run(admit('m_1', ''));
    pragmaInNextBatch('wal_checkpoint(TRUNCATE)');
    await run(['probe', []]);
    const reader = new Database(path(), { readonly: true });
    const root = reader.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'receipts_dedupe_key'").pluck().get();
    reader.close();
    const file = openSync(path(), 'r+');
    // The page stays well formed: its one entry just names another key than its row.
    writeSync(file, Buffer.alloc(4, 0xee), 0, 4, Number(root) * PAGE - 8);
    closeSync(file);
    spoilNextBatch();
    await run(keep('lost'));
    expect(await run(keep('refused'))).toMatchObject([
      { error: { code: 'ledger_corrupt', details: { reason: 'integrity_check' } } },
    ]);
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
