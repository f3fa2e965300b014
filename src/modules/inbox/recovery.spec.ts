// SPDX-License-Identifier: Apache-2.0
import { InlineLedgerStore } from '../../../test/support/inline-ledger-store.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { ledgerFolder, newReceipt, type LedgerFolder } from '../../../test/support/store.js';
import { AngeliaError, ErrorCode } from '../../common/errors.js';
import { Telemetry } from '../../common/telemetry.js';
import { Recovery, type SessionControl } from './recovery.js';
import { Scheduler } from './scheduler.js';

/** Sessions of a Hermes process: those that exist, those whose suspension is refused, and what was suspended. */
class FakeSessions implements SessionControl {
  readonly suspended: string[] = [];
  refuse = false;

  constructor(private readonly existing: readonly string[]) {}

  suspendSession(sessionKey: string): Promise<{ existed: boolean }> {
    if (this.refuse) return Promise.reject(new AngeliaError(ErrorCode.HermesStartRefused));
    this.suspended.push(sessionKey);
    return Promise.resolve({ existed: this.existing.includes(sessionKey) });
  }
}

describe('Recovery', () => {
  let folder: LedgerFolder;
  let store: InlineLedgerStore;
  let scheduler: Scheduler;
  let recovery: Recovery;

  beforeEach(async () => {
    folder = ledgerFolder();
    store = new InlineLedgerStore({ path: folder.path });
    await store.open();
    await prepare('a', { started: false });
    await prepare('b', { started: true });
    await reopen();
  });

  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  /** Leaves a claimed receipt and one that waits behind it; the claim's token is the lane's name 32 times. */
  async function prepare(lane: string, { started }: { started: boolean }): Promise<void> {
    const { ingestSeq } = await store.admit(newReceipt(`${lane}1`, { lane }));
    await store.admit(newReceipt(`${lane}2`, { lane }));
    await store.claim(ingestSeq, lane.repeat(32));
    if (started) await store.markStarted(lane.repeat(32));
  }

  async function reopen(): Promise<void> {
    await store.close();
    store = new InlineLedgerStore({ path: folder.path });
    const { lanes } = await store.open();
    const telemetry = new Telemetry();
    scheduler = new Scheduler(store, new ManualClock(), telemetry);
    scheduler.restore(lanes);
    recovery = new Recovery(store, scheduler, telemetry);
  }

  const known = (...lanes: string[]): Set<string> => new Set(lanes.map((lane) => lane.repeat(32)));

  it('[INB-12] [HST-11] carries on what the Hermes process knows', async () => {
    const result = await recovery.reconcile(known('a', 'b'), new FakeSessions([]));
    expect(result).toEqual({ carriedOn: 2, released: 0, quarantined: 0, inDoubt: 0 });
    expect(scheduler.runningClaims()).toHaveLength(2);
  });

  it('[INB-12] returns an unstarted claim that Hermes does not know to pending', async () => {
    const result = await recovery.reconcile(known('b'), new FakeSessions([]));
    expect(result).toMatchObject({ carriedOn: 1, released: 1 });
    expect(await store.findClaimed('a'.repeat(32))).toBeNull();
    expect((await store.statistics()).receipts.pending).toBe(3);
  });

  it('[INB-3] [INB-4] quarantines a started claim that Hermes does not know, its session suspended first', async () => {
    const sessions = new FakeSessions(['b']);
    const result = await recovery.reconcile(known('a'), sessions);
    expect(result).toMatchObject({ carriedOn: 1, quarantined: 1 });
    expect(sessions.suspended).toEqual(['b']);
    expect(scheduler.blockedLanes()).toEqual([{ lane: 'b', block: 'quarantined', waiting: 1 }]);
    expect((await store.statistics()).receipts).toMatchObject({ quarantined: 1, pending: 2 });
  });

  it('[INB-3] quarantines it all the same when its session is missing', async () => {
    const result = await recovery.reconcile(known('a'), new FakeSessions([]));
    expect(result.quarantined).toBe(1);
  });

  it('[INB-3] keeps it in doubt and its lane closed while the suspension is refused, also after a restart', async () => {
    const sessions = new FakeSessions(['b']);
    sessions.refuse = true;
    expect(await recovery.reconcile(known('a'), sessions)).toMatchObject({ inDoubt: 1, quarantined: 0 });
    expect(scheduler.blockedLanes()).toMatchObject([{ lane: 'b', block: 'in_doubt' }]);
    await reopen();
    expect(scheduler.blockedLanes()).toMatchObject([{ lane: 'b', block: 'in_doubt' }]);
    sessions.refuse = false;
    expect(await recovery.reconcile(known('a'), sessions)).toMatchObject({ quarantined: 1 });
    expect(scheduler.blockedLanes()).toMatchObject([{ lane: 'b', block: 'quarantined' }]);
  });

  it('[INB-4] leaves a quarantined receipt alone at every further start', async () => {
    await recovery.reconcile(known('a'), new FakeSessions([]));
    for (let start = 0; start < 3; start += 1) {
      await reopen();
      await recovery.reconcile(known('a'), new FakeSessions([]));
    }
    expect((await store.statistics()).receipts).toMatchObject({ quarantined: 1, processing: 1, pending: 2 });
  });
});
