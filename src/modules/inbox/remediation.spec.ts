// SPDX-License-Identifier: Apache-2.0
import { OperatorBench } from '../../../test/support/operator-bench.js';
import { newReceipt } from '../../../test/support/store.js';
import { AngeliaError, ErrorCode } from '../../common/errors.js';

const WHY = { actor: 'admin:ada', reason: 'looked at it' };

/** Code and details of the error that a promise rejects with. */
async function refusal(decision: Promise<unknown>): Promise<Record<string, unknown>> {
  const error: unknown = await decision.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AngeliaError)) throw new Error('nothing was refused');
  return { code: error.code, ...error.details };
}

describe('[INB-5] [ADM-1] remediation', () => {
  let bench: OperatorBench;
  let first: number;

  beforeEach(async () => {
    bench = await OperatorBench.open();
    first = await bench.quarantined('first');
    await bench.admit('second');
    await bench.openDispatch();
  });

  afterEach(() => bench.close());

  const blocks = (): unknown => bench.scheduler.view().map(({ block, waiting }) => ({ block, waiting }));
  const state = async (seq: number): Promise<string | undefined> => (await bench.store.showReceipt(seq, false))?.state;

  it('[INB-6] begins with a lane that waits', () => {
    expect([bench.ran, blocks()]).toEqual([[], [{ block: 'quarantined', waiting: 1 }]]);
  });

  it('discard resets the session, never runs the receipt, opens the lane and leaves its audit row', async () => {
    const told = bench.events('receipt.remediated');
    expect(await bench.remediation.discard(first, WHY)).toEqual({
      ingestSeq: first,
      lane: 'lane-1',
      action: 'discard',
      sessionReset: true,
    });
    await bench.settled();
    expect([bench.host.reset, bench.ran]).toEqual([['lane-1'], ['second']]);
    const receipt = await bench.store.showReceipt(first, false);
    expect(receipt).toMatchObject({ state: 'failed', outcome: 'operator_discarded' });
    expect(receipt?.history).toContainEqual(expect.objectContaining({ event: 'discarded', ...WHY }));
    expect(told).toEqual([{ ingestSeq: first, lane: 'lane-1', action: 'discard', reset: true }]);
  });

  it('requeue runs the receipt again, in front of what waits behind it', async () => {
    await bench.remediation.requeue(first, WHY, true);
    await bench.settled();
    expect(bench.turns).toMatchObject([{ messageId: 'first', attempt: 2, startedAt: null }]);
    await bench.end(bench.turns[0]!);
    expect(bench.ran).toEqual(['first', 'second']);
  });

  it('requeue needs the word that effects may happen twice', async () => {
    expect(await refusal(bench.remediation.requeue(first, WHY, false))).toEqual({ code: 'confirmation_missing' });
    expect([bench.host.reset, await state(first)]).toEqual([[], 'quarantined']);
  });

  it.each([
    ['pending', () => 2],
    ['completed', async () => (await bench.store.admit(terminal())).ingestSeq],
  ])('refuses a %s receipt and names its state', async (expected, seqOf) => {
    const seq = await seqOf();
    expect(await refusal(bench.remediation.requeue(seq, WHY, true))).toEqual({
      code: 'receipt_not_quarantined',
      ingest_seq: seq,
      state: expected,
    });
    expect(bench.host.resetReasons).toEqual([]);
  });

  it('refuses a receipt that is not there', async () => {
    expect(await refusal(bench.remediation.discard(99, WHY))).toEqual({ code: 'receipt_unknown', ingest_seq: 99 });
  });

  it('decides nothing when Hermes refuses the reset', async () => {
    bench.refuseResets();
    expect(await refusal(bench.remediation.discard(first, WHY))).toEqual({
      code: 'session_reset_refused',
      lane: 'lane-1',
      cause: 'hermes_start_refused',
    });
    expect([await state(first), blocks(), bench.ran]).toEqual([
      'quarantined',
      [{ block: 'quarantined', waiting: 1 }],
      [],
    ]);
  });

  it('counts a session that does not exist as reset', async () => {
    bench.host.resetReply = () => Promise.resolve({ existed: false });
    expect((await bench.remediation.discard(first, WHY)).sessionReset).toBe(true);
  });

  it('of two decisions at once the second one is refused', async () => {
    const decisions = [bench.remediation.discard(first, WHY), bench.remediation.requeue(first, WHY, true)];
    const [one, other] = await Promise.allSettled(decisions);
    expect(one?.status).toBe('fulfilled');
    expect(other).toMatchObject({ reason: { code: ErrorCode.ReceiptNotQuarantined, details: { state: 'failed' } } });
    await bench.settled();
    expect(bench.ran).toEqual(['second']);
  });

  it('[SCH-4] is refused while a turn of the lane runs in Hermes', async () => {
    const running = { claim: 'c'.repeat(32), ingestSeq: 7, dispatchClass: 'ordinary', state: 'processing' } as const;
    const leftover = { ...running, startedAt: 1, messageId: 'm', channelId: 'ch_1' };
    bench.scheduler.restore([{ lane: 'lane-1', pending: [], leftovers: [leftover] }]);
    expect(await refusal(bench.remediation.discard(first, WHY))).toEqual({
      code: 'lane_busy',
      lane: 'lane-1',
      running: 7,
    });
    expect(bench.host.resetReasons).toEqual([]);
  });

  describe('with Hermes away', () => {
    beforeEach(() => bench.detach());

    it.each(['discard', 'requeue'] as const)('%s is committed, and its lane opens after the reset', async (action) => {
      const decided =
        action === 'discard' ? bench.remediation.discard(first, WHY) : bench.remediation.requeue(first, WHY, true);
      expect((await decided).sessionReset).toBe(false);
      await bench.settled();
      expect([bench.ran, blocks()]).toEqual([[], [{ block: 'reset_due', waiting: 1 }]]);
      expect(bench.remediation.dueResets).toMatchObject([{ ingestSeq: first, lane: 'lane-1' }]);
      const resets = bench.events('session.reset');
      bench.attach();
      await bench.remediation.runDueResets();
      await bench.settled();
      expect([bench.remediation.dueResets, resets]).toEqual([
        [],
        [{ ingestSeq: first, lane: 'lane-1', existed: true }],
      ]);
      expect(bench.ran).toEqual(action === 'discard' ? ['second'] : ['first']);
    });

    it.each(['discard', 'requeue'] as const)('a %s whose reset is due outlives the bridge', async (action) => {
      if (action === 'discard') await bench.remediation.discard(first, WHY);
      else await bench.remediation.requeue(first, WHY, true);
      await bench.restart();
      bench.scheduler.setDispatch(true, 4);
      await bench.settled();
      expect(bench.ran).toEqual([]);
      bench.attach();
      await bench.remediation.runDueResets();
      await bench.settled();
      expect(bench.ran).toEqual(action === 'discard' ? ['second'] : ['first']);
      for (const turn of bench.turns) await bench.end(turn);
      expect(bench.ran).toEqual(action === 'discard' ? ['second'] : ['first', 'second']);
      expect((await bench.restart()).resets).toEqual([]);
    });

    it('a reset that Hermes refuses stays due, visibly, and is asked for again under another id', async () => {
      await bench.remediation.discard(first, WHY);
      const errors = bench.events('error.unexpected');
      bench.refuseResets();
      await bench.remediation.runDueResets();
      expect(errors).toMatchObject([{ where: 'remediation.reset', code: 'session_reset_refused' }]);
      expect([bench.remediation.dueResets.length, blocks()]).toEqual([1, [{ block: 'reset_due', waiting: 1 }]]);
      bench.attach();
      await bench.remediation.runDueResets();
      await bench.settled();
      expect(bench.ran).toEqual(['second']);
      expect(new Set(bench.host.resetReasons).size).toBe(bench.host.resetReasons.length);
    });

    it('nothing happens while Hermes stays away', async () => {
      await bench.remediation.discard(first, WHY);
      await bench.remediation.runDueResets();
      expect(bench.remediation.dueResets).toHaveLength(1);
    });

    it('the reset for a later decision of the lane serves the earlier one, too', async () => {
      const other = await bench.quarantined('other');
      await bench.remediation.requeue(first, WHY, true);
      bench.attach();
      await bench.remediation.discard(other, WHY);
      await bench.settled();
      expect([bench.ran, bench.remediation.dueResets, bench.host.reset]).toEqual([['first'], [], ['lane-1']]);
    });
  });

  it('a reset whose confirmation cannot be written stays due', async () => {
    bench.detach();
    await bench.remediation.discard(first, WHY);
    bench.attach();
    await bench.store.close();
    expect(await refusal(bench.remediation.runDueResets())).toEqual({ code: 'ledger_closed' });
    expect(bench.remediation.dueResets).toHaveLength(1);
  });

  it('a whole lane is discarded with one reset', async () => {
    const third = await bench.quarantined('third');
    const done = await bench.remediation.discardLane('lane-1', WHY);
    await bench.settled();
    expect(done.map(({ ingestSeq, sessionReset }) => [ingestSeq, sessionReset])).toEqual([
      [first, true],
      [third, true],
    ]);
    expect([bench.host.reset, bench.ran]).toEqual([['lane-1'], ['second']]);
    expect(await refusal(bench.remediation.discardLane('lane-1', WHY))).toEqual({
      code: 'lane_not_quarantined',
      lane: 'lane-1',
    });
  });
});

/** An event that starts no turn. */
function terminal(): Parameters<OperatorBench['store']['admit']>[0] {
  return newReceipt('edited', { terminal: { state: 'completed', outcome: 'ignored_edited' } });
}
