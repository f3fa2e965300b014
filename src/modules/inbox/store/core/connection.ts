// SPDX-License-Identifier: Apache-2.0
import Database from 'better-sqlite3';
import { DataSource, QueryFailedError } from 'typeorm';
import { LEDGER_MIGRATIONS } from '../../../../../migrations/index.js';
import { AngeliaError, ErrorCode } from '../../../../common/errors.js';
import { LEDGER_ENTITIES } from '../entities/index.js';
import type { LedgerSettings } from '../options.js';
import { prepareLedgerFile, walBytes } from './ledger-file.js';

/** Marks the file as a ledger of Angelia ("Ange"), so that another database is never taken for one. */
const APPLICATION_ID = 0x416e6765;

/** Value of `PRAGMA synchronous` under which a commit survives a power cut in WAL mode. */
const SYNCHRONOUS_FULL = 2;

/** Frames after which SQLite moves the log into the database (4 KiB each). */
const AUTOCHECKPOINT_PAGES = 2_000;

const MIGRATIONS_TABLE = 'migrations';

/** The one connection of the store: TypeORM opens and migrates it, hot statements are prepared on it (U-4, K1). */
export interface LedgerConnection {
  readonly db: Database.Database;
  close(): Promise<void>;
}

/**
 * Opens the file, creates or migrates it, and looks for damage.
 * @param doubt there is a reason to look closely: the connection before met what damage looks like
 * @throws AngeliaError `ledger_mode`, `ledger_corrupt`, `ledger_too_new`; SQLite's error when it can't be opened
 */
export async function openConnection(settings: LedgerSettings, doubt = false): Promise<LedgerConnection> {
  const { fresh } = prepareLedgerFile(settings.path);
  const orphanedLog = walBytes(settings.path) > 0;
  let db: Database.Database | undefined;
  const source = ledgerDataSource(settings.path, settings.busyTimeoutMs, (opened) => {
    db = opened;
    if (!fresh) assertUndamaged(opened, doubt || orphanedLog);
    configure(opened, settings, fresh);
  });
  try {
    await source.initialize();
    if (db === undefined) throw new AngeliaError(ErrorCode.Internal, { step: 'open' });
    assertKnownMigrations(db);
    await source.runMigrations({ transaction: 'all' });
    return { db, close: () => source.destroy() };
  } catch (error) {
    db?.close();
    throw error instanceof QueryFailedError ? error.driverError : error;
  }
}

/**
 * The data source of the ledger.
 * @param prepare called with the connection before TypeORM uses it
 */
export function ledgerDataSource(
  path: string,
  busyTimeoutMs: number,
  prepare: (db: Database.Database) => void,
): DataSource {
  return new DataSource({
    type: 'better-sqlite3',
    database: path,
    driver: Database,
    timeout: busyTimeoutMs,
    entities: LEDGER_ENTITIES,
    migrations: LEDGER_MIGRATIONS,
    migrationsTableName: MIGRATIONS_TABLE,
    logging: false,
    prepareDatabase: (opened) => prepare(opened as Database.Database),
  });
}

/**
 * Proves that commits reach the disk. Called after the first write: before it, the pragma tells what was asked for, not what holds (K2).
 * @throws AngeliaError `ledger_not_durable`
 */
export function assertDurable(db: Database.Database): void {
  const synchronous = Number(db.pragma('synchronous', { simple: true }));
  const journal = String(db.pragma('journal_mode', { simple: true }));
  if (synchronous !== SYNCHRONOUS_FULL || journal !== 'wal') {
    throw new AngeliaError(ErrorCode.LedgerNotDurable, { synchronous, journal });
  }
}

function configure(db: Database.Database, settings: LedgerSettings, fresh: boolean): void {
  if (fresh) {
    // Only before the first page is written; FreePages needs it.
    db.pragma('auto_vacuum = INCREMENTAL');
    db.pragma(`application_id = ${APPLICATION_ID}`);
  }
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  db.pragma('temp_store = MEMORY');
  db.pragma(`wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}`);
  db.pragma(`journal_size_limit = ${settings.walMaxBytes}`);
}

/**
 * Looks for damage (F-50). A log that nobody closed is a reason for doubt: then the indexes are compared with their tables as well,
 * which costs a few times as much as the quick check of the structure.
 */
function assertUndamaged(db: Database.Database, doubt: boolean): void {
  if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
    throw new AngeliaError(ErrorCode.LedgerCorrupt, { reason: 'not_a_ledger' });
  }
  const check = doubt ? 'integrity_check' : 'quick_check';
  if (db.pragma(`${check}(1)`, { simple: true }) !== 'ok') {
    throw new AngeliaError(ErrorCode.LedgerCorrupt, { reason: check });
  }
}

/** Refuses a file that a newer version has changed: what this one would write could break it. */
function assertKnownMigrations(db: Database.Database): void {
  const exists = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(MIGRATIONS_TABLE);
  if (exists === undefined) return;
  const known = new Set<string>(LEDGER_MIGRATIONS.map((migration) => migration.name));
  const applied = db.prepare<[], string>(`SELECT name FROM ${MIGRATIONS_TABLE}`).pluck().all();
  const unknown = applied.find((name) => !known.has(name));
  if (unknown !== undefined) throw new AngeliaError(ErrorCode.LedgerTooNew, { migration: unknown });
}
