// SPDX-License-Identifier: Apache-2.0
import { ManualClock } from '../../../test/support/manual-clock.js';
import { InlineLedgerStore } from '../../../test/support/inline-ledger-store.js';
import { ledgerFolder, newReceipt, type LedgerFolder } from '../../../test/support/store.js';
import { Telemetry } from '../../common/telemetry.js';
import type { DispatchClass } from './dispatch-class.js';
import { Scheduler, type TurnRunner } from './scheduler.js';
import type { ClaimedReceipt } from './store/index.js';

/** A runner that keeps what it is given; the test ends the turns. */
class HeldRunner implements TurnRunner {
  readonly given: ClaimedReceipt[] = [];
  private arrivals: (() => void)[] = [];
  handOver = true;

  run(receipt: ClaimedReceipt, mayHandOver: () => boolean): Promise<void> {
    this.handOver = mayHandOver();
    this.given.push(receipt);
    for (const wake of this.arrivals.splice(0)) wake();
    return Promise.resolve();
  }

  /** Resolves when that many turns were given in all. */
  async reached(count: number): Promise<void> {
    while (this.given.length < count) await new Promise<void>((resolve) => this.arrivals.push(resolve));
  }

  bodies(): string[] {
    return this.given.map(({ body }) => body);
  }
}

describe('Scheduler', () => {
  let folder: LedgerFolder;
  let store: InlineLedgerStore;
  let clock: ManualClock;
  let runner: HeldRunner;
  let scheduler: Scheduler;

  beforeEach(async () => {
    folder = ledgerFolder();
    clock = new ManualClock();
    store = new InlineLedgerStore({ path: folder.path, clock });
    await store.open();
    runner = new HeldRunner();
    scheduler = new Scheduler(store, clock, new Telemetry());
    scheduler.setRunner(runner);
  });

  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  async function admit(lane: string, text: string, dispatchClass: DispatchClass = 'ordinary'): Promise<void> {
    const { ingestSeq } = await store.admit(newReceipt(text, { lane, body: text, dispatchClass }));
    scheduler.admitted(lane, ingestSeq, dispatchClass);
  }

  async function end(claim: string): Promise<void> {
    scheduler.slotFreed(claim);
    await store.endClaim(claim, { to: 'completed', outcome: 'done', errorCode: null, notice: null });
    scheduler.ended(claim);
  }

  it('[SCH-1] runs one lane in the order of its receipts, one at a time', async () => {
    for (const text of ['a1', 'a2', 'a3']) await admit('a', text);
    scheduler.setDispatch(true, 4);
    for (let turn = 1; turn <= 3; turn += 1) {
      await runner.reached(turn);
      expect(runner.given).toHaveLength(turn);
      await end(runner.given[turn - 1]!.claim);
    }
    expect(runner.bodies()).toEqual(['a1', 'a2', 'a3']);
  });

  it('[SCH-1] runs at most max_concurrent_dispatches lanes at once', async () => {
    for (const lane of ['a', 'b', 'c']) await admit(lane, `${lane}1`);
    scheduler.setDispatch(true, 2);
    await runner.reached(2);
    await scheduler.quiesce();
    expect(runner.bodies()).toEqual(['a1', 'b1']);
    await end(runner.given[0]!.claim);
    await runner.reached(3);
    expect(runner.bodies()).toEqual(['a1', 'b1', 'c1']);
  });

  it('gives the slot away when Hermes has ended, the lane at the terminal commit', async () => {
    for (const text of ['a1', 'a2']) await admit('a', text);
    await admit('b', 'b1');
    scheduler.setDispatch(true, 1);
    await runner.reached(1);
    scheduler.slotFreed(runner.given[0]!.claim);
    await runner.reached(2);
    expect(runner.bodies()).toEqual(['a1', 'b1']);
    scheduler.slotFreed(runner.given[1]!.claim);
    await scheduler.quiesce();
    expect(runner.given).toHaveLength(2);
  });

  it('[INB-2] commits the claim before the runner is given the turn', async () => {
    const order: string[] = [];
    const claim = store.claim.bind(store);
    store.claim = async (ingestSeq, token) => {
      const receipt = await claim(ingestSeq, token);
      order.push('committed');
      return receipt;
    };
    scheduler.setRunner({
      run: (receipt, mayHandOver) => {
        order.push('given');
        return runner.run(receipt, mayHandOver);
      },
    });
    await admit('a', 'a1');
    scheduler.setDispatch(true, 1);
    await runner.reached(1);
    expect(order).toEqual(['committed', 'given']);
    expect(await store.findClaimed(runner.given[0]!.claim)).toMatchObject({ body: 'a1', attempt: 1 });
  });

  it('dispatches nothing while it is closed, and tells a runner in between', async () => {
    await admit('a', 'a1');
    expect(runner.given).toEqual([]);
    scheduler.setDispatch(true, 1);
    scheduler.setDispatch(false);
    await scheduler.quiesce();
    expect([runner.bodies(), runner.handOver]).toEqual([['a1'], false]);
  });

  it('[INB-12] runs a released receipt again before what came after it, after its rest', async () => {
    for (const text of ['a1', 'a2']) await admit('a', text);
    scheduler.setDispatch(true, 4);
    await runner.reached(1);
    const { claim } = runner.given[0]!;
    await store.endClaim(claim, { to: 'pending', outcome: 'never_started', disproved: false });
    scheduler.released(claim, 500);
    await scheduler.quiesce();
    expect(runner.given).toHaveLength(1);
    clock.advance(500);
    await runner.reached(2);
    expect(runner.given[1]).toMatchObject({ body: 'a1', released: true });
  });

  it('[INB-3] keeps a blocked lane from running and lets the others go on', async () => {
    for (const text of ['a1', 'a2']) await admit('a', text);
    scheduler.setDispatch(true, 1);
    await runner.reached(1);
    scheduler.blocked(runner.given[0]!.claim, 'quarantined');
    await admit('b', 'b1');
    await runner.reached(2);
    expect(runner.bodies()).toEqual(['a1', 'b1']);
    expect(scheduler.blockedLanes()).toEqual([{ lane: 'a', block: 'quarantined', waiting: 1 }]);
  });

  it('restores lanes, claims and blocks of an earlier process', async () => {
    for (const text of ['a1', 'a2']) await admit('a', text);
    scheduler.setDispatch(true, 1);
    await runner.reached(1);
    const { claim } = runner.given[0]!;
    await store.close();
    const reopened = new InlineLedgerStore({ path: folder.path, clock });
    const { lanes } = await reopened.open();
    const next = new Scheduler(reopened, clock, new Telemetry());
    next.restore(lanes);
    expect(next.runningClaims()).toMatchObject([{ claim, lane: 'a', holdsSlot: true, inDoubt: false }]);
    const nextRunner = new HeldRunner();
    next.setRunner(nextRunner);
    next.setDispatch(true, 2);
    await reopened.endClaim(claim, { to: 'completed', outcome: 'done', errorCode: null, notice: null });
    next.ended(claim);
    await nextRunner.reached(1);
    expect(nextRunner.bodies()).toEqual(['a2']);
    await reopened.close();
  });

  it('claims again after the ledger refused the claim', async () => {
    await admit('a', 'a1');
    const claim = store.claim.bind(store);
    let failures = 1;
    store.claim = (...args) => (failures-- > 0 ? Promise.reject(new Error('disk')) : claim(...args));
    scheduler.setDispatch(true, 1);
    await scheduler.quiesce();
    expect(runner.given).toEqual([]);
    clock.advance(1000);
    await runner.reached(1);
    expect(runner.bodies()).toEqual(['a1']);
  });

  it('drains when the last turn has ended', async () => {
    await admit('a', 'a1');
    await admit('a', 'a2');
    scheduler.setDispatch(true, 1);
    await runner.reached(1);
    const drained = scheduler.drain();
    await end(runner.given[0]!.claim);
    await drained;
    expect(runner.bodies()).toEqual(['a1']);
  });
});
