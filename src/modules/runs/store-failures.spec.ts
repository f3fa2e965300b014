// SPDX-License-Identifier: Apache-2.0
import { TurnBench } from '../../../test/support/turn-bench.js';
import { AngeliaError, ErrorCode } from '../../common/errors.js';
import type { LedgerStore } from '../inbox/index.js';

/** Steps of the store that a turn takes on its way. */
const STEPS = ['admit', 'claim', 'applyHostEffects', 'takeOutbox', 'confirmOutbox', 'closeTask'] as const;

/** Three messages in two lanes. */
const MESSAGES = [
  { id: 'm1', lane: 'a' },
  { id: 'm2', lane: 'a' },
  { id: 'm3', lane: 'b' },
] as const;

/** Lets the n-th of these steps fail, once; the step has not happened then. @returns how many steps were asked for */
function failNth(store: LedgerStore, n: number): () => number {
  let calls = 0;
  const steps = store as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  for (const name of STEPS) {
    const real = steps[name]?.bind(store);
    if (real === undefined) throw new Error(`${name} is no step`);
    steps[name] = (...args) => {
      calls += 1;
      return calls === n ? Promise.reject(new AngeliaError(ErrorCode.LedgerWriteFailed)) : real(...args);
    };
  }
  return () => calls;
}

/** Asks again until it succeeds, as the gateway does with an event and the shim with a request. */
async function persist<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof AngeliaError)) throw error;
    return step();
  }
}

/** Hermes: takes every turn that it is handed, asks before its model, answers once. */
async function serve(bench: TurnBench, served: Set<string>): Promise<void> {
  for (const { admission, message_id: id } of bench.host.starts) {
    if (served.has(admission)) continue;
    served.add(admission);
    const first = served.size * 10;
    const started = await persist(() => bench.events.apply('i', [{ type: 'started', admission, seq: first }]));
    expect(started.get(first)).toEqual({ go: true });
    await persist(() =>
      bench.events.apply('i', [
        { type: 'send', admission, handle: `h-${admission}`, chat_id: 'ch_1', text: `to ${id}`, seq: first + 1 },
        { ...bench.ended(admission, 'completed'), seq: first + 2 },
      ]),
    );
  }
}

/** Runs the messages to their ends while the n-th step fails. @returns how many steps it took */
async function run(n: number): Promise<number> {
  const bench = await TurnBench.open();
  try {
    const calls = failNth(bench.store, n);
    for (const { id, lane } of MESSAGES) await persist(() => bench.admit(id, { lane }));
    bench.scheduler.setDispatch(true, 4);
    const served = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      await bench.scheduler.quiesce();
      await serve(bench, served);
      bench.clock.advance(1_000);
      await bench.store.probe();
    }
    await bench.taskClosed();
    const { receipts } = await bench.store.statistics();
    expect(receipts).toMatchObject({ completed: 3, pending: 0, processing: 0, in_doubt: 0, quarantined: 0 });
    expect(bench.host.starts.map(({ message_id: id }) => id).sort()).toEqual(['m1', 'm2', 'm3']);
    const texts = bench.chat.writes.map((write) => ('content' in write ? write.content : write.kind));
    expect([...texts].sort()).toEqual(['to m1', 'to m2', 'to m3']);
    expect(texts.indexOf('to m1')).toBeLessThan(texts.indexOf('to m2'));
    return calls();
  } finally {
    await bench.close();
  }
}

describe('[INB-1] [INB-4] [SCH-1] a step of the ledger fails in the middle of turns', () => {
  it('whichever it is: every message runs once, in order, and is answered once', async () => {
    const steps = await run(0);
    expect(steps).toBeGreaterThan(15);
    for (let n = 1; n <= steps; n += 1) await run(n);
  });
});
