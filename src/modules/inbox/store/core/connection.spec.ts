// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ledgerSettings } from '../options.js';
import { assertDurable, ledgerDataSource, openConnection } from './connection.js';

describe('the connection of the ledger', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'angelia-connection-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
  const path = (): string => join(folder, 'ledger.sqlite3');

  describe('[K2] durability', () => {
    it('[K2] is in force after the first write, with the bounds that were asked for', async () => {
      const settings = ledgerSettings({ path: path(), walMaxBytes: 2_097_152, busyTimeoutMs: 1_234 });
      const connection = await openConnection(settings);
      const { db } = connection;
      db.exec('UPDATE ledger_meta SET probes = 1');
      expect(() => assertDurable(db)).not.toThrow();
      const read = (pragma: string): unknown => db.pragma(pragma, { simple: true });
      expect([read('synchronous'), read('journal_mode'), read('foreign_keys')]).toEqual([2, 'wal', 1]);
      expect([read('journal_size_limit'), read('busy_timeout'), read('wal_autocheckpoint')]).toEqual([
        2_097_152, 1_234, 2_000,
      ]);
      await connection.close();
    });

    it.each([
      ['synchronous = NORMAL', '(synchronous=1, journal=wal)'],
      ['journal_mode = DELETE', '(synchronous=2, journal=delete)'],
    ])('[K2] is denied with %s', (pragma, details) => {
      const db = new Database(path());
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = FULL');
      db.pragma(pragma);
      db.exec('CREATE TABLE written (x)');
      expect(() => assertDurable(db)).toThrow(details);
      db.close();
    });
  });

  describe('[U-4] the schema', () => {
    const tables = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migrations'`;

    it('[U-4] that the migrations make is the one that the entities say', async () => {
      const source = ledgerDataSource(path(), 0, () => undefined);
      await source.initialize();
      await source.runMigrations();
      const { upQueries } = await source.driver.createSchemaBuilder().log();
      expect(upQueries.map(({ query }) => query)).toEqual([]);
      await source.destroy();
    });

    it('[U-4] goes down to nothing and up again', async () => {
      const source = ledgerDataSource(path(), 0, () => undefined);
      await source.initialize();
      const names = async (): Promise<unknown[]> =>
        (await source.query<{ name: string }[]>(tables)).map(({ name }) => name).sort();
      for (let round = 0; round < 2; round += 1) {
        const { length } = await source.runMigrations();
        expect(await names()).toEqual([
          'host_watermarks',
          'ledger_meta',
          'outbound_ids',
          'outbox',
          'pauses',
          'questions',
          'receipt_history',
          'receipts',
          'remediations',
          'seen_keys',
        ]);
        for (let undone = 0; undone < length; undone += 1) await source.undoLastMigration();
        expect(await names()).toEqual([]);
      }
      await source.destroy();
    });

    it('[U-4] removes what a receipt brought with it when the receipt goes', async () => {
      const connection = await openConnection(ledgerSettings({ path: path() }));
      const { db } = connection;
      db.exec(`INSERT INTO receipts (dedupe_key, evidence, state, kind, lane, channel_id, channel_type, message_id, author_id,
          author_name, source_created_at, received_at, body)
        VALUES (zeroblob(16), zeroblob(16), 4, 'message', 'l', 'c', 0, 'm', 'a', 'n', 1, 1, 'b')`);
      db.exec(
        `INSERT INTO outbox (ingest_seq, channel_id, kind, part, created_at, updated_at, content) VALUES (1, 'c', 0, 0, 1, 1, 't')`,
      );
      db.exec('DELETE FROM receipts');
      expect(db.prepare('SELECT count(*) FROM outbox').pluck().get()).toBe(0);
      await connection.close();
    });
  });
});
