// SPDX-License-Identifier: Apache-2.0
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { newReceipt } from '../../support/store.js';
import { type MakeStore, StoreWorld } from './store-world.js';

const PAGE = 4_096;

/** Files, their modes, and what is refused. */
export function describeFiles(make: MakeStore): void {
  let world: StoreWorld;
  let umask: number;
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
  const refusal = (details: Record<string, unknown>): object => ({ code: 'ledger_mode', details });

  beforeEach(() => {
    umask = process.umask(0o022);
    world = new StoreWorld(make);
  });
  afterEach(async () => {
    await world.end();
    process.umask(umask);
  });

  const makeLedger = async (): Promise<void> => {
    await world.open();
    for (let index = 0; index < 40; index += 1) await world.admit(`m_${index}`, { body: 'x'.repeat(2_000) });
    await world.store.close();
  };

  describe('[SEC-2] [F-38] modes', () => {
    it('[SEC-2] [F-38] are 0700 and 0600 under umask 022, the log and the index of the log included', async () => {
      await world.open();
      await world.admit('m_1');
      const folder = dirname(world.place.path);
      expect(modeOf(folder)).toBe('700');
      const files = readdirSync(folder).sort();
      expect(files).toEqual(['ledger.sqlite3', 'ledger.sqlite3-shm', 'ledger.sqlite3-wal']);
      expect(files.map((name) => modeOf(join(folder, name)))).toEqual(['600', '600', '600']);
      await world.store.close();
      expect(readdirSync(folder)).toEqual(['ledger.sqlite3']);
    });

    it.each([
      ['file', (): void => chmodSync(world.place.path, 0o640)],
      ['folder', (): void => chmodSync(dirname(world.place.path), 0o750)],
      ['wal', (): void => writeFileSync(`${world.place.path}-wal`, '', { mode: 0o644 })],
      ['shm', (): void => writeFileSync(`${world.place.path}-shm`, '', { mode: 0o644 })],
      ['journal', (): void => writeFileSync(`${world.place.path}-journal`, '', { mode: 0o644 })],
    ])('[SEC-2] refuse a %s that others can read', async (role, open) => {
      await makeLedger();
      open();
      const refused = refusal({ role, problem: 'open_to_others' });
      await expect(world.create().open()).rejects.toMatchObject(refused);
    });

    it('[SEC-2] refuse symbolic links, of the file and of its folder', async () => {
      await makeLedger();
      const file = join(world.place.folder, 'private', 'link.sqlite3');
      mkdirSync(dirname(file), { mode: 0o700 });
      symlinkSync(world.place.path, file);
      await expect(world.create({ path: file }).open()).rejects.toMatchObject(
        refusal({ role: 'file', problem: 'symbolic_link' }),
      );
      const folder = join(world.place.folder, 'linked');
      symlinkSync(dirname(world.place.path), folder);
      await expect(world.create({ path: join(folder, 'ledger.sqlite3') }).open()).rejects.toMatchObject(
        refusal({ role: 'folder', problem: 'symbolic_link' }),
      );
    });

    it('[SEC-2] refuse what is no file and what is no folder', async () => {
      mkdirSync(world.place.path, { recursive: true, mode: 0o700 });
      await expect(world.create().open()).rejects.toMatchObject(refusal({ role: 'file', problem: 'no_regular_file' }));
      const path = join(world.place.folder, 'plain', 'ledger.sqlite3');
      writeFileSync(dirname(path), '', { mode: 0o600 });
      await expect(world.create({ path }).open()).rejects.toMatchObject(
        refusal({ role: 'folder', problem: 'no_folder' }),
      );
    });

    it('[SEC-1] are refused without a word about the path', async () => {
      await makeLedger();
      chmodSync(world.place.path, 0o644);
      const error: unknown = await world
        .create()
        .open()
        .catch((caught: unknown) => caught);
      expect(String(error)).not.toContain(world.place.folder);
    });
  });

  describe('[F-50] damage', () => {
    it.each([
      ['a header of noise', (file: Buffer): Buffer => Buffer.concat([Buffer.alloc(100, 0xa5), file.subarray(100)])],
      ['a page of noise', (file: Buffer): Buffer => file.fill(0xa5, 3 * PAGE, 5 * PAGE)],
      ['a lost end', (file: Buffer): Buffer => file.subarray(0, Math.floor(file.length / PAGE / 2) * PAGE)],
    ])('[F-50] [INB-1] of the kind "%s" is refused, and nothing is acknowledged', async (_name, damage) => {
      await makeLedger();
      writeFileSync(world.place.path, damage(readFileSync(world.place.path)), { mode: 0o600 });
      const store = world.create();
      const opened = store.open();
      const admitted = store.admit(newReceipt('m_new'));
      await expect(opened).rejects.toMatchObject({ code: 'ledger_corrupt' });
      await expect(admitted).rejects.toMatchObject({ code: 'ledger_corrupt' });
      await expect(store.admit(newReceipt('m_new'))).rejects.toMatchObject({ code: 'ledger_closed' });
    });

    it('[F-50] of an index is found when the process before did not close the ledger', async () => {
      await makeLedger();
      const db = new Database(world.place.path);
      const page = db.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'receipts_dedupe_key'").pluck().get();
      db.close();
      const bytes = readFileSync(world.place.path);
      const leaf = Number(page) * PAGE;
      // Both stay well formed: one entry of the index just names another key than its row.
      bytes.writeUInt8(bytes.readUInt8(leaf - 3) ^ 0xff, leaf - 3);
      writeFileSync(world.place.path, bytes, { mode: 0o600 });
      const unclosed = new Database(world.place.path);
      unclosed.exec('CREATE TABLE leftover (x)');
      const wal = readFileSync(`${world.place.path}-wal`);
      const ledger = readFileSync(world.place.path);
      unclosed.close();
      writeFileSync(world.place.path, ledger);
      writeFileSync(`${world.place.path}-wal`, wal, { mode: 0o600 });
      await expect(world.create().open()).rejects.toMatchObject({
        code: 'ledger_corrupt',
        details: { reason: 'integrity_check' },
      });
    });

    it('[F-50] is not claimed of a database that is no ledger', async () => {
      mkdirSync(dirname(world.place.path), { mode: 0o700 });
      writeFileSync(world.place.path, '', { mode: 0o600 });
      const db = new Database(world.place.path);
      db.exec('CREATE TABLE receipts (x)');
      db.close();
      await expect(world.create().open()).rejects.toMatchObject({
        code: 'ledger_corrupt',
        details: { reason: 'not_a_ledger' },
      });
    });
  });

  describe('[U-4] versions', () => {
    it('[U-4] refuse a ledger that a newer version has changed', async () => {
      await makeLedger();
      const db = new Database(world.place.path);
      db.exec("INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'FromTheFuture9999999999999')");
      db.close();
      await expect(world.create().open()).rejects.toMatchObject({
        code: 'ledger_too_new',
        details: { migration: 'FromTheFuture9999999999999' },
      });
    });
  });

  describe('[F-44] the write-ahead log', () => {
    it('[F-44] shrinks again after a reader that held it has gone', async () => {
      await world.open();
      const reader = new Database(world.place.path, { readonly: true });
      const body = 'x'.repeat(1_048_576);
      try {
        reader.exec('BEGIN; SELECT count(*) FROM receipts');
        for (let index = 0; index < 80; index += 1) await world.admit(`held_${index}`, { body });
        expect((await world.store.statistics()).walBytes).toBeGreaterThan(64 * 1_048_576);
      } finally {
        reader.close();
      }
      for (let index = 0; index < 2; index += 1) await world.admit(`after_${index}`, { body });
      expect((await world.store.statistics()).walBytes).toBeLessThanOrEqual(64 * 1_048_576);
    });
  });
}
