// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { ChildProgram } from '../../support/child-program.js';
import { WorkerLedgerStore } from '../../../src/modules/inbox/store/index.js';
import { newReceipt, storeWorkerUrl, workerStore } from '../../support/store.js';
import { StoreWorld } from './store-world.js';

// Processes are started, and the machine may be busy.
jest.setTimeout(60_000);

/** How long another process holds the lock, as in the acceptance of the issue. */
const HELD_MS = 2_000;

describe('the ledger among other processes', () => {
  let world: StoreWorld;
  const children: ChildProgram[] = [];
  const program = (name: string): string => join('dist', 'test', 'support', `${name}.js`);
  const run = (...command: string[]): ChildProgram => {
    const child = new ChildProgram(...command);
    children.push(child);
    return child;
  };

  beforeAll(() => {
    storeWorkerUrl();
  });
  beforeEach(() => {
    world = new StoreWorld(workerStore);
  });
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.kill()));
    await world.end();
  });

  /** Message ids that a process was told to be stored. */
  const acknowledged = (child: ChildProgram): string[] =>
    child.lines.filter((line) => line.startsWith('stored ')).map((line) => line.slice('stored '.length));

  const stored = async (): Promise<Set<string>> => {
    const rows = await world.rows<{ id: string }>('SELECT message_id AS id FROM receipts');
    return new Set(rows.map(({ id }) => id));
  };

  describe('[INB-1] SIGKILL', () => {
    it.each([1, 700, 2_500])('[INB-1] after %i acknowledgements leaves every one of them', async (count) => {
      const child = run(process.execPath, program('ledger-admitter'), world.place.path, '300');
      await child.said(count + 1);
      await child.kill();
      const opened = await world.open();
      expect(opened.epoch).toBe(2);
      const found = await stored();
      expect(acknowledged(child).filter((id) => !found.has(id))).toEqual([]);
      expect(found.size).toBeGreaterThanOrEqual(count);
    });
  });

  describe('[INB-13] a write lock that another process holds', () => {
    const hold = async (): Promise<ChildProgram> => {
      const holder = run(process.execPath, program('ledger-lock-holder'), world.place.path);
      await holder.line((line) => line === 'held');
      return holder;
    };

    it.each([
      ['within one wait', 5_000],
      ['over many waits', 150],
    ])('[INB-13] for 2 s loses nothing and never stops this thread, %s', async (_name, busyTimeoutMs) => {
      await world.open({ busyTimeoutMs });
      const holder = await hold();
      let settled = 0;
      const admitted = Array.from({ length: 3_000 }, async (_, index) => {
        await world.store.admit(newReceipt(`m_${index}`));
        settled += 1;
      });
      const end = performance.now() + HELD_MS;
      let longest = 0;
      for (let last = performance.now(); last < end;) {
        await wait(5);
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }
      expect(settled).toBe(0);
      expect(longest).toBeLessThan(HELD_MS / 4);
      holder.tell('free');
      await Promise.all(admitted);
      expect((await stored()).size).toBe(3_000);
    });

    it('[INB-13] is waited for by an open too', async () => {
      await world.open();
      await world.store.close();
      const holder = await hold();
      const opening = world.open({ busyTimeoutMs: 50 });
      await wait(200);
      holder.tell('free');
      expect((await opening).epoch).toBe(2);
    });

    it('[INB-13] [F-44] for longer than the stall time refuses what waits, answers reads, and recovers by itself', async () => {
      await world.open({ busyTimeoutMs: 50, writeStallMs: 200 });
      const known = await world.admit('m_0');
      await world.store.claim(known, 'claim-0');
      const holder = await hold();
      const refused = { code: 'ledger_write_failed', details: { step: 'admit', reason: 'SQLITE_BUSY' } };
      const results = await Promise.allSettled([world.admit('m_1'), world.admit('m_2')]);
      expect(results).toMatchObject(results.map(() => ({ status: 'rejected', reason: refused })));
      expect(await world.store.findClaimed('claim-0')).toMatchObject({ ingestSeq: known });
      expect((await world.store.statistics()).receipts.processing).toBe(1);
      holder.tell('free');
      await holder.line((line) => line === 'free');
      await world.store.probe();
      await world.admit('m_1');
      expect(await stored()).toEqual(new Set(['m_0', 'm_1']));
    });
  });

  describe('[F-44] [INB-1] a disk that takes no more', () => {
    it('[F-44] [INB-1] refuses by name, keeps what was acknowledged, and works again when there is room', async () => {
      const limit = `ulimit -S -f 4096; trap '' XFSZ; exec "$@"`;
      const admitter = [process.execPath, program('ledger-admitter'), world.place.path, '20000'];
      const child = run('/bin/bash', '-c', limit, 'limited', ...admitter);
      await child.line((line) => line === 'refused ledger_write_failed');
      const before = acknowledged(child).length;
      child.tell('still full');
      await child.line(() => child.lines.filter((line) => line.startsWith('refused')).length >= 2);
      execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited:']);
      child.tell('room again');
      await child.line((line) => line === 'probed');
      await child.line(() => acknowledged(child).length >= before + 200);
      await child.kill();
      await world.open();
      const found = await stored();
      expect(acknowledged(child).filter((id) => !found.has(id))).toEqual([]);
      expect(before).toBeGreaterThan(0);
    });
  });

  describe('[INB-1] the thread of the store', () => {
    it('[INB-1] that cannot be started is told by open, and leaves nothing open', async () => {
      const missing = new URL('./missing.worker.js', import.meta.url);
      const store = new WorkerLedgerStore({ path: world.place.path, workerUrl: missing });
      await expect(store.open()).rejects.toMatchObject({
        code: 'ledger_write_failed',
        details: { reason: 'thread_ended' },
      });
      await store.close();
    });
  });
});
