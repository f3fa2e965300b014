// SPDX-License-Identifier: Apache-2.0
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { copyLedger, readLedger } from './read-ledger.js';

const SCHEMA = `
  CREATE TABLE receipts (ingest_seq INTEGER PRIMARY KEY, message_id TEXT, channel_id TEXT, lane TEXT, state INTEGER, outcome TEXT,
    attempt INTEGER, received_at INTEGER, started_at INTEGER, ended_at INTEGER, dispatch_class INTEGER);
  CREATE TABLE outbox (id INTEGER PRIMARY KEY, ingest_seq INTEGER, kind INTEGER, state INTEGER, code TEXT, message_id TEXT);`;

describe("[TST-2] reading a ledger's copy", () => {
  let folder: string;
  let ledger: DatabaseSync;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ledger-'));
    ledger = new DatabaseSync(join(folder, 'live.sqlite3'));
    ledger.exec(`PRAGMA journal_mode = WAL; ${SCHEMA}`);
    ledger.exec("INSERT INTO receipts VALUES (1, 'm1', 'general', 'lane', 4, 'completed', 1, 10, 20, 30, 0)");
    ledger.exec("INSERT INTO receipts VALUES (2, 'm2', 'general', 'lane', 0, NULL, 0, 11, NULL, NULL, 1)");
    ledger.exec("INSERT INTO outbox VALUES (1, 1, 0, 2, NULL, 'a1'), (2, 1, 1, 4, 'target_unsettled', NULL)");
  });

  afterEach(() => {
    ledger.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('takes what stands in the write-ahead log and leaves one private file', () => {
    const copy = join(folder, 'copy.sqlite3');
    copyLedger(join(folder, 'live.sqlite3'), copy);
    expect(existsSync(`${copy}-wal`)).toBe(false);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(readLedger(copy)).toEqual({
      receipts: [
        {
          ingestSeq: 1,
          messageId: 'm1',
          channelId: 'general',
          lane: 'lane',
          state: 'completed',
          outcome: 'completed',
          ordinary: true,
          attempt: 1,
          receivedAt: 10,
          startedAt: 20,
          endedAt: 30,
        },
        expect.objectContaining({ ingestSeq: 2, state: 'pending', outcome: null, ordinary: false, startedAt: null }),
      ],
      outbox: [
        { id: 1, ingestSeq: 1, kind: 'send', state: 'confirmed', code: null, messageId: 'a1' },
        { id: 2, ingestSeq: 1, kind: 'edit', state: 'refused', code: 'target_unsettled', messageId: null },
      ],
    });
  });

  it.each([
    ['a code that is not known', 'UPDATE receipts SET state = 9'],
    ['bytes where a text belongs', "UPDATE receipts SET outcome = x'05'"],
    ['an empty number', 'UPDATE receipts SET attempt = NULL'],
  ])('refuses %s', (_what, change) => {
    ledger.exec(change);
    const copy = join(folder, 'copy.sqlite3');
    copyLedger(join(folder, 'live.sqlite3'), copy);
    expect(() => readLedger(copy)).toThrow(/column/);
  });
});
