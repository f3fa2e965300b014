// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { jest } from '@jest/globals';
import { ChildProgram } from '../../support/child-program.js';
import { InlineLedgerStore } from '../../support/inline-ledger-store.js';
import { type LedgerFolder, ledgerFolder, storeWorkerUrl } from '../../support/store.js';
import { copyState, cutPower, dice, freeze, type SyncedState, thaw } from './disk-state.js';

// A process is started, and the machine may be busy.
jest.setTimeout(120_000);

const CUTS = 12;

/** A copy of the ledger at one moment, with what had been acknowledged before it. */
interface Moment {
  readonly path: string;
  readonly acknowledged: readonly string[];
  readonly synced: SyncedState;
}

describe('[INB-1] a power cut', () => {
  let place: LedgerFolder;
  let child: ChildProgram;

  beforeAll(() => {
    storeWorkerUrl();
  });
  beforeEach(() => {
    place = ledgerFolder();
  });
  afterEach(async () => {
    await child.kill();
    place.remove();
  });

  const acknowledged = (): string[] =>
    child.lines.filter((line) => line.startsWith('stored ')).map((line) => line.slice('stored '.length));

  /** Stops the process where it stands and copies what it has written. */
  const take = (number: number): Moment => {
    const known = acknowledged();
    freeze(child.pid);
    try {
      const path = join(place.folder, `copy-${number}`, 'ledger.sqlite3');
      return { path, acknowledged: known, synced: copyState(place.path, path) };
    } finally {
      thaw(child.pid);
    }
  };

  const storedIn = async (path: string): Promise<ReadonlySet<string>> => {
    const store = new InlineLedgerStore({ path });
    await store.open();
    await store.close();
    const db = new Database(path, { readonly: true });
    try {
      return new Set(db.prepare<[], string>('SELECT message_id FROM receipts').pluck().all());
    } finally {
      db.close();
    }
  };

  it('[INB-1] [K2] at any moment loses nothing that was acknowledged, and leaves a sound ledger', async () => {
    const seed = Date.now() % 2 ** 31;
    const roll = dice(seed);
    child = new ChildProgram(
      process.execPath,
      join('dist', 'test', 'support', 'ledger-admitter.js'),
      place.path,
      '3000',
    );
    const moments: Moment[] = [];
    for (let number = 0; number < CUTS; number += 1) {
      await child.said(child.lines.length + 1 + roll(1_000));
      moments.push(take(number));
    }
    await child.kill();
    for (const [number, { path, acknowledged: promised, synced }] of moments.entries()) {
      cutPower(path, synced, roll);
      const stored = await storedIn(path);
      const lost = promised.filter((id) => !stored.has(id));
      expect({ seed, number, lost }).toEqual({ seed, number, lost: [] });
    }
    expect(moments.at(-1)?.acknowledged.length).toBeGreaterThan(CUTS);
    expect(new Set(moments.map(({ synced }) => synced.walBytes)).size).toBeGreaterThan(1);
  });
});
