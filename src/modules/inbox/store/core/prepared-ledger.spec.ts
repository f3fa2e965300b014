// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { OPEN_STATES } from '../receipt-types.js';
import { ledgerSettings } from '../options.js';
import { OUTBOX_STATE_CODES, outboxKindOf, RECEIPT_STATE_CODES, receiptStateOf } from './codes.js';
import { type LedgerConnection, openConnection } from './connection.js';
import { PreparedLedger } from './prepared-ledger.js';

describe('the statements of the ledger', () => {
  let folder: string;
  let connection: LedgerConnection;
  const statements: string[] = [];

  /** Notes every statement that the ledger prepares. */
  const noting = (db: Database.Database): Database.Database =>
    new Proxy(db, {
      get: (target, key) => {
        if (key !== 'prepare') return Reflect.get(target, key, target) as unknown;
        return (sql: string) => {
          statements.push(sql);
          return target.prepare(sql);
        };
      },
    });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'angelia-plans-'));
    connection = await openConnection(ledgerSettings({ path: join(folder, 'ledger.sqlite3') }));
    const ledger = new PreparedLedger(
      noting(connection.db),
      () => 0,
      () => 0,
    );
    ledger.beginEpoch();
  });
  afterAll(async () => {
    await connection.close();
    rmSync(folder, { recursive: true });
  });

  const plan = (sql: string): string => {
    const parameters = Array<number>(sql.split('?').length - 1).fill(0);
    const rows = connection.db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
    return rows.map(({ detail }) => detail).join('; ');
  };

  it('[F-18] never walk through a whole table, however long its history is', () => {
    const scans = statements.filter((sql) =>
      /SCAN (receipts|outbox|outbound_ids|host_watermarks)(?! USING)/.test(plan(sql)),
    );
    expect(statements.length).toBeGreaterThan(25);
    expect(scans).toEqual([]);
  });

  it('[F-18] find open receipts, claims and tasks by indexes that hold nothing else', () => {
    const plans = statements.map(plan).join('\n');
    for (const index of [
      'receipts_open',
      'receipts_claim',
      'receipts_task',
      'receipts_failed',
      'receipts_dedupe_key',
      'outbox_unconfirmed',
      'outbox_handle',
      'outbox_receipt',
    ]) {
      expect(plans).toContain(index);
    }
  });

  it('[INB-2] agree with the words of the partial indexes about what is open', () => {
    const open = Object.entries(RECEIPT_STATE_CODES).filter(([, code]) => code < 4);
    expect(open.map(([state]) => state)).toEqual([...OPEN_STATES]);
    expect(OUTBOX_STATE_CODES.confirmed).toBe(2);
  });

  it('[INB-2] refuse a code that no version wrote', () => {
    expect(() => receiptStateOf(6)).toThrow(RangeError);
    expect(() => outboxKindOf(-1)).toThrow(RangeError);
  });
});
