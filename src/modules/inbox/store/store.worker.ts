// SPDX-License-Identifier: Apache-2.0
import 'reflect-metadata';
import { parentPort, workerData } from 'node:worker_threads';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import { LedgerCore } from './core/ledger-core.js';
import { packError } from './wire.js';
import type { WorkerGreeting, WorkerRequest, WorkerStart } from './worker-transport.js';

/**
 * The thread that holds the database, so that a slow disk or a lock that somebody else holds never stops the thread that reads the
 * sockets. It opens the ledger, answers one batch after another, and ends when it is told to or when the ledger could not be opened.
 */
if (parentPort === null) throw new AngeliaError(ErrorCode.Internal, { step: 'store.worker' });
const port = parentPort;
const { options, now } = workerData as WorkerStart;
const core = new LedgerCore(options);

const greet = (greeting: WorkerGreeting): void => port.postMessage(greeting);

const answer = async (request: WorkerRequest): Promise<void> => {
  if (request !== null) {
    port.postMessage(await core.run(request));
    return;
  }
  await core.close();
  port.close();
};

try {
  const opened = await core.open(now);
  port.on('message', (request: WorkerRequest) => void answer(request));
  greet({ opened });
} catch (error) {
  const refusal = error instanceof AngeliaError ? error : new AngeliaError(ErrorCode.Internal, { step: 'open' }, error);
  greet({ refused: packError(refusal) });
  port.close();
}
