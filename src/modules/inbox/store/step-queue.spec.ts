// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../../../common/errors.js';
import { StepQueue } from './step-queue.js';
import type { WireOutcome, WireStep } from './wire.js';

describe('StepQueue', () => {
  /** Batches under way, each with the function that ends it. */
  const sent: {
    readonly names: unknown[];
    readonly answer: (outcomes?: readonly WireOutcome[]) => void;
    fail: (error: Error) => void;
  }[] = [];
  let arrived: () => void = () => undefined;
  const send = (steps: readonly WireStep[]): Promise<readonly WireOutcome[]> =>
    new Promise((resolve, reject) => {
      const names = steps.map(([, [name]]) => name);
      sent.push({ names, answer: (outcomes) => resolve(outcomes ?? names.map((value) => ({ value }))), fail: reject });
      arrived();
    });
  const nextBatch = (): Promise<void> => new Promise((resolve) => (arrived = resolve));
  const submit = (queue: StepQueue, name: string): Promise<unknown> => queue.submit('keepSettings', [name]);

  beforeEach(() => {
    sent.length = 0;
  });

  it('[INB-13] sends what one turn submits as one batch, and what comes meanwhile as the next', async () => {
    const queue = new StepQueue(100, send);
    queue.begin();
    const first = nextBatch();
    const values = [submit(queue, 'a'), submit(queue, 'b')];
    await first;
    values.push(submit(queue, 'c'), submit(queue, 'd'));
    const second = nextBatch();
    sent[0]?.answer();
    await second;
    sent[1]?.answer();
    expect(await Promise.all(values)).toEqual(['a', 'b', 'c', 'd']);
    expect(sent.map(({ names }) => names)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('[INB-13] never sends more than the bound at once, and keeps the order', async () => {
    const queue = new StepQueue(2, (steps) => {
      const batch = send(steps);
      sent.at(-1)?.answer();
      return batch;
    });
    queue.begin();
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => submit(queue, name)));
    expect(sent.map(({ names }) => names)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('[INB-9] lets steps wait until it begins, and settles before it says so', async () => {
    const queue = new StepQueue(10, send);
    const value = submit(queue, 'early');
    await queue.settled();
    expect(sent).toEqual([]);
    const batch = nextBatch();
    queue.begin();
    await batch;
    let done = false;
    const settled = queue.settled().then(() => (done = true));
    expect(done).toBe(false);
    sent[0]?.answer();
    await settled;
    expect(await value).toBe('early');
  });

  it('[INB-9] rejects what waits when it is told to', async () => {
    const queue = new StepQueue(10, send);
    const value = submit(queue, 'early');
    queue.fail(new Error('refused'));
    await expect(value).rejects.toThrow('refused');
  });

  it('[F-43] goes on after a batch that failed as a whole', async () => {
    const queue = new StepQueue(10, send);
    queue.begin();
    const first = nextBatch();
    const lost = submit(queue, 'lost');
    await first;
    const second = nextBatch();
    const kept = submit(queue, 'kept');
    sent[0]?.fail(new Error('gone'));
    await second;
    sent[1]?.answer();
    await expect(lost).rejects.toThrow('gone');
    expect(await kept).toBe('kept');
  });

  it('[INB-13] rejects one step with its own error, and one without an answer too', async () => {
    const queue = new StepQueue(10, send);
    queue.begin();
    const batch = nextBatch();
    const steps = [submit(queue, 'a'), submit(queue, 'b'), submit(queue, 'c')];
    const settled = Promise.allSettled(steps);
    await batch;
    const error = { code: ErrorCode.LedgerWriteFailed, details: { reason: 'SQLITE_FULL' }, cause: undefined };
    sent[0]?.answer([{ value: 1 }, { error }]);
    expect(await settled).toMatchObject([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: { code: 'ledger_write_failed', details: { reason: 'SQLITE_FULL' } } },
      { status: 'rejected', reason: { message: 'a step without an outcome' } },
    ]);
  });
});
