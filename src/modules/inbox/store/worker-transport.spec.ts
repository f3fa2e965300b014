// SPDX-License-Identifier: Apache-2.0
import { EventEmitter, once } from 'node:events';
import type { AngeliaError } from '../../../common/errors.js';
import { WorkerTransport } from './worker-transport.js';

/** A thread that greets and then does what `onBatch` says. */
const thread = (onBatch: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', (batch) => { if (batch === null) parentPort.close(); else { ${onBatch} } });
      parentPort.postMessage({ opened: { epoch: 1 } });
    `)}`,
  );

describe('WorkerTransport', () => {
  const losses = new EventEmitter();
  const transport = (url: URL): WorkerTransport =>
    new WorkerTransport(url, { path: 'unused' }, (error) => losses.emit('lost', error));
  const batch = { now: 1, steps: [['probe', []]] } as const;

  it('[INB-13] sends a batch as one message and gives back one message', async () => {
    const store = transport(thread('parentPort.postMessage(batch.steps.map(([name]) => ({ value: name })))'));
    expect(await store.open(1)).toEqual({ epoch: 1 });
    expect(await store.run(batch)).toEqual([{ value: 'probe' }]);
    await store.close();
    await store.close();
  });

  it.each([
    ['ends', 'process.exit(3)'],
    ['throws', 'throw new Error("unexpected")'],
  ])('[INB-1] tells once when the thread %s by itself, and refuses from then on', async (_name, onBatch) => {
    const store = transport(thread(onBatch));
    await store.open(1);
    const lost = once(losses, 'lost');
    const refusal = { code: 'ledger_write_failed', details: { reason: 'thread_ended' } };
    await expect(store.run(batch)).rejects.toMatchObject(refusal);
    expect((await lost) as [AngeliaError]).toMatchObject([refusal]);
    await expect(store.run(batch)).rejects.toMatchObject(refusal);
    await store.close();
  });

  it('[INB-1] tells why the ledger was refused, after the thread has ended', async () => {
    const refused = { code: 'ledger_mode', details: { role: 'file' } };
    const url = new URL(
      `data:text/javascript,${encodeURIComponent(`
        import { parentPort } from 'node:worker_threads';
        parentPort.postMessage({ refused: ${JSON.stringify(refused)} });
      `)}`,
    );
    const store = transport(url);
    await expect(store.open(1)).rejects.toMatchObject(refused);
    await store.close();
  });

  it('[INB-9] closes although it was never opened', async () => {
    await expect(transport(thread('')).close()).resolves.toBeUndefined();
  });
});
