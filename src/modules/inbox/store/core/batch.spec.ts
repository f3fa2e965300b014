// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { BatchRunner, type StepOutcome } from './batch.js';

describe('BatchRunner', () => {
  let folder: string;
  let db: Database.Database;
  let runner: BatchRunner;
  let now: number;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'angelia-batch-'));
    db = new Database(join(folder, 'batch.sqlite3'), { timeout: 0 });
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON;
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED, body TEXT)`);
    now = 0;
    runner = new BatchRunner(db, 1_000, () => now);
  });
  afterEach(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });

  const insert =
    (body: string, parent: number | null = null) =>
    (): unknown =>
      db.prepare('INSERT INTO child (parent, body) VALUES (?, ?)').run(parent, body).changes;
  const bodies = (): unknown[] => db.prepare('SELECT substr(body, 1, 10) FROM child ORDER BY id').pluck().all();
  const failing = (): never => {
    throw new RangeError('a step that fails');
  };
  const errorsOf = (outcomes: readonly StepOutcome[]): unknown[] =>
    outcomes.map((outcome) => ('error' in outcome ? ((outcome.error as { code?: string }).code ?? 'error') : null));

  it('[INB-13] commits all steps at once and gives their values', () => {
    expect(runner.run([insert('a'), () => undefined, insert('b')], true)).toEqual([
      { value: 1 },
      { value: undefined },
      { value: 1 },
    ]);
    expect(db.inTransaction).toBe(false);
    expect(bodies()).toEqual(['a', 'b']);
  });

  it('[INB-13] undoes a failing step alone, also what it had written', () => {
    const half = (): never => {
      insert('half')();
      return failing();
    };
    expect(errorsOf(runner.run([insert('a'), half, insert('b')], true))).toEqual([null, 'error', null]);
    expect(bodies()).toEqual(['a', 'b']);
  });

  it('[F-43] fails every step when the commit fails, and leaves the connection idle and usable', () => {
    const outcomes = runner.run([insert('a'), insert('orphan', 99), insert('b')], true);
    expect(new Set(errorsOf(outcomes))).toEqual(new Set(['SQLITE_CONSTRAINT_FOREIGNKEY']));
    expect([db.inTransaction, runner.doubtful]).toEqual([false, false]);
    expect(runner.run([insert('later')], true)).toEqual([{ value: 1 }]);
    expect(bodies()).toEqual(['later']);
  });

  it('[F-43] says so when the connection cannot be brought to rest', () => {
    const stuck = new Proxy(db, {
      get: (target, key) => {
        if (key === 'exec') return failing;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const careful = new BatchRunner(stuck, 1_000, () => now);
    careful.run([insert('orphan', 99)], true);
    expect(careful.doubtful).toBe(true);
    db.exec('ROLLBACK');
  });

  it.each([
    ['SQLITE_IOERR_FSYNC', true],
    ['SQLITE_CORRUPT', true],
    ['SQLITE_FULL', false],
    ['SQLITE_CONSTRAINT_UNIQUE', false],
  ])('[F-43] after %s of a step, the connection is doubtful: %s', (code, doubtful) => {
    const step = (): never => {
      throw new Database.SqliteError('x', code);
    };
    expect(errorsOf(runner.run([step, insert('a')], true))).toEqual([code, null]);
    expect(runner.doubtful).toBe(doubtful);
  });

  it('[F-50] after a read that met damage, the connection is doubtful too', () => {
    const step = (): never => {
      throw new Database.SqliteError('x', 'SQLITE_CORRUPT_INDEX');
    };
    expect(errorsOf(runner.run([step, bodies], false))).toEqual(['SQLITE_CORRUPT_INDEX', null]);
    expect(runner.doubtful).toBe(true);
  });

  it('[F-44] on a full disk fails the step that did not fit and keeps the others', () => {
    db.pragma('max_page_count = 20');
    const outcomes = runner.run([insert('a'), insert('x'.repeat(200_000)), insert('b')], true);
    expect(errorsOf(outcomes)).toEqual([null, 'SQLITE_FULL', null]);
    expect(bodies()).toEqual(['a', 'b']);
  });

  it('[F-44] gives a batch up when step after step finds the disk full, and works again when there is room', () => {
    db.pragma('max_page_count = 20');
    const large = Array.from({ length: 10 }, () => insert('x'.repeat(200_000)));
    const outcomes = runner.run([insert('a'), ...large], true);
    expect(new Set(errorsOf(outcomes))).toEqual(new Set(['SQLITE_FULL']));
    expect([db.inTransaction, bodies()]).toEqual([false, []]);
    db.pragma('max_page_count = 100000');
    expect(errorsOf(runner.run([insert('a'), ...large], true))).toEqual(Array(11).fill(null));
  });

  describe('while another connection holds the write lock', () => {
    let other: Database.Database;
    beforeEach(() => {
      other = new Database(db.name);
      other.exec('BEGIN IMMEDIATE');
    });
    afterEach(() => {
      other.close();
    });

    it('[INB-13] tries the whole batch again until it gets the lock, and runs each step once', () => {
      let ran = 0;
      const patient = new BatchRunner(db, 1_000, () => {
        now += 100;
        if (now === 500) other.exec('ROLLBACK');
        return now;
      });
      expect(patient.run([() => (ran += 1), insert('a')], true)).toEqual([{ value: 1 }, { value: 1 }]);
      expect(bodies()).toEqual(['a']);
    });

    it('[INB-13] gives the batch up after the stall time', () => {
      const impatient = new BatchRunner(db, 1_000, () => (now += 100));
      expect(errorsOf(impatient.run([insert('a'), insert('b')], true))).toEqual(['SQLITE_BUSY', 'SQLITE_BUSY']);
      expect([db.inTransaction, impatient.doubtful]).toEqual([false, false]);
    });

    it('[INB-13] reads all the same', () => {
      expect(runner.run([bodies, failing], false)).toMatchObject([{ value: [] }, { error: { name: 'RangeError' } }]);
    });
  });
});
