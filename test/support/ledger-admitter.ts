// SPDX-License-Identifier: Apache-2.0
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { codeOf } from '../../src/common/errors.js';
import { WorkerLedgerStore } from '../../src/modules/inbox/store/index.js';
import { newReceipt } from './store.js';

/**
 * A process of its own that admits receipts until it is killed: `node ledger-admitter.js <path> <bytes of a body>`. Lines on stdout, each
 * written whole before the next step: `opened`, `stored <message id>` after each acknowledgement, `refused <code>` at the first refusal. After
 * a refusal it waits for a line on stdin, proves by a probe that the disk takes writes again (`probed`, or `refused <code>`), and goes on.
 */
const [path = '', bytes = '0'] = process.argv.slice(2);
const WIDTH = 64;
const store = new WorkerLedgerStore({ path });
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
let next = 0;

/** Writes a line whole; a reader that is slow or stopped makes it wait. */
function say(line: string): void {
  for (let rest = Buffer.from(`${line}\n`); rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

const admitOne = async (): Promise<void> => {
  const id = `m_${(next += 1)}`;
  await store.admit(newReceipt(id, { body: 'x'.repeat(Number(bytes)) }));
  say(`stored ${id}`);
};

/** Admits in parallel until a step is refused. @returns the code of the first refusal */
const admitUntilRefused = async (): Promise<string> => {
  for (;;) {
    const settled = await Promise.allSettled(Array.from({ length: WIDTH }, admitOne));
    const refused = settled.find((result) => result.status === 'rejected');
    if (refused !== undefined) return codeOf(refused.reason);
  }
};

await store.open();
say('opened');
for (;;) {
  say(`refused ${await admitUntilRefused()}`);
  await lines.next();
  await store.probe().then(
    () => say('probed'),
    (error: unknown) => say(`refused ${codeOf(error)}`),
  );
}
