// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { OPEN_STATES } from '../receipt-types.js';
import { ledgerSettings } from '../options.js';
import {
  dispatchClassOf,
  OUTBOX_STATE_CODES,
  outboxKindOf,
  QUESTION_STATE_CODES,
  RECEIPT_STATE_CODES,
  receiptStateOf,
} from './codes.js';
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
    // A page is looked for by one of three ways, each narrowed further by whatever was asked.
    const rest = { messageId: 'm', receivedBefore: 1, before: 1 };
    for (const query of [
      {},
      { state: 'failed' },
      { dispatchClass: 'control' },
      { lane: 'l' },
      { lane: 'l', state: 'failed' },
    ]) {
      for (const further of [{}, rest]) ledger.bind(['scanReceipts', [{ limit: 1, ...query, ...further }]])();
    }
  });
  afterAll(async () => {
    await connection.close();
    rmSync(folder, { recursive: true });
  });

  const plan = (sql: string): string => {
    const statement = connection.db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
    const named = Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, 0]));
    const unnamed = Array<number>(sql.split('?').length - 1).fill(0);
    const rows = statement.all(...unnamed, ...(sql.includes('@') ? [named] : []));
    return rows.map(({ detail }) => detail).join('; ');
  };

  it('[F-18] never walk through a whole table, however long its history is', () => {
    const scans = statements.filter((sql) =>
      /SCAN (receipts|outbox|outbound_ids|host_watermarks|questions|remediations|receipt_history|pauses|seen_keys|[a-z])\b(?! USING)/.test(
        plan(sql),
      ),
    );
    expect(statements.length).toBeGreaterThan(60);
    expect(scans).toEqual([]);
  });

  it('[F-18] sort no more than what is open', () => {
    const sorted = statements.filter((sql) => plan(sql).includes('TEMP B-TREE FOR ORDER BY'));
    expect(sorted.map((sql) => /WHERE.*?(?=ORDER|$)/s.exec(sql)?.[0].trim()).sort()).toEqual([
      'WHERE state < 4 AND state <> 0',
      'WHERE state = 3 AND lane = ?',
      'WHERE task_opened_at IS NOT NULL AND +state >= 3',
    ]);
  });

  it('[F-18] find what a claim, a number or a key names by that, never by a state', () => {
    const named = statements.filter((sql) => /WHERE (claim|ingest_seq|dedupe_key) = \?/.test(sql));
    expect(named.length).toBeGreaterThan(20);
    expect(
      named.filter((sql) => /receipts_state|receipts_lane|receipts_ended|outbox_unconfirmed/.test(plan(sql))),
    ).toEqual([]);
  });

  it('[F-18] use every index that the schema has', () => {
    const plans = statements.map(plan).join('\n');
    for (const index of [
      'receipts_state',
      'receipts_lane',
      'receipts_claim',
      'receipts_task',
      'receipts_ended',
      'receipts_dedupe_key',
      'outbox_unconfirmed',
      'outbox_handle',
      'outbox_receipt',
      'outbound_ids_created',
      'questions_receipt',
      'questions_open',
      'remediations_reset',
      'pauses_current',
      'pauses_ended',
      'seen_keys_ended',
    ]) {
      expect(plans).toContain(index);
    }
  });

  it('[INB-2] agree with the words of the conditions about what is open', () => {
    const open = Object.entries(RECEIPT_STATE_CODES).filter(([, code]) => code < 4);
    expect(open.map(([state]) => state)).toEqual([...OPEN_STATES]);
    expect(OUTBOX_STATE_CODES.confirmed).toBe(2);
    const asked = Object.entries(QUESTION_STATE_CODES).filter(([, code]) => code < 2);
    expect(asked.map(([state]) => state)).toEqual(['open', 'resolving']);
  });

  it('[INB-2] refuse a code that no version wrote', () => {
    expect(() => receiptStateOf(6)).toThrow(RangeError);
    expect(() => outboxKindOf(-1)).toThrow(RangeError);
    expect(() => dispatchClassOf(4)).toThrow(RangeError);
  });
});
