// SPDX-License-Identifier: Apache-2.0
import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChildProgram } from '../support/child-program.js';
import { StubWorld } from '../support/stub-world.js';

const MESSAGES = 20_000;
const CHANNELS = 50;

/** How long the other process keeps the ledger's write lock, milliseconds. */
const LOCK_HELD_MS = 2_000;

/** How long all answers may take on a busy machine, milliseconds. */
const ANSWERS_TIMEOUT_MS = 300_000;

jest.setTimeout(ANSWERS_TIMEOUT_MS + 60_000);

/** The real server drops silently behind so many unsent frames. */
const DROP_BEHIND = 256;

let stub: StubWorld;
beforeEach(async () => void (stub = await StubWorld.start({ playground: { dropBehind: DROP_BEHIND } })));
afterEach(() => stub.close());

const channels = (): string[] => Array.from({ length: CHANNELS }, () => stub.world.channel());

/** Waits until so many messages were written to the agent's socket. */
async function written(count: number): Promise<void> {
  let seen = 0;
  await stub.world.entry((entry) => {
    if (entry.kind === 'frame' && entry.dir === 'out' && entry.type === 'inbound_message') seen += 1;
    return seen >= count;
  });
}

describe(`[INB-1] [INB-13] [SCH-1] ${MESSAGES} messages at once over ${CHANNELS} channels`, () => {
  it('while another process holds the write lock of the ledger: none is lost, each channel is answered in order', async () => {
    const where = channels();
    const burst = stub.world.playground.burst(MESSAGES, where);
    await written(1_000);
    const holder = new ChildProgram(
      process.execPath,
      'dist/test/support/ledger-lock-holder.js',
      stub.world.home.ledgerFile,
    );
    await holder.line((line) => line === 'held');
    await sleep(LOCK_HELD_MS);
    holder.tell('free');
    await holder.line((line) => line === 'free');
    const ids = await burst;
    await stub.finished(MESSAGES, ANSWERS_TIMEOUT_MS);
    expect(stub.world.playground.drops).toBe(0);
    for (const [index, channel] of where.entries()) {
      expect(stub.answeredIn(channel)).toEqual(ids.filter((_, position) => position % CHANNELS === index));
    }
    expect(await stub.world.audit()).toMatchObject({ answers: MESSAGES, lost: [], repeated: [], violations: [] });
  });

  it('cut in the middle of the burst: all that arrived is answered, in order, and the rest after the reconnect', async () => {
    const where = channels();
    const burst = stub.world.playground.burst(MESSAGES, where);
    await written(5_000);
    stub.world.playground.connection?.kill();
    await burst;
    await stub.world.logged('gateway.state', { state: 'online', attempt: 2 });
    await stub.world.agentOnline();
    // Each channel is answered in order: behind its last answer nothing waits.
    const last = where.map((channel) => stub.world.say(channel, 'After the cut.'));
    await Promise.all(last.map((id) => stub.answered(id)));
    const report = await stub.world.audit({ answered: last });
    expect(report).toMatchObject({ lost: [], repeated: [], violations: [] });
    const { receipts } = stub.world.ledger();
    expect(receipts.length).toBeGreaterThan(4_000);
    const stored = receipts.filter((receipt) => receipt.outcome === 'hermes_completed');
    for (const channel of where) {
      const asked = stored.filter((receipt) => receipt.channelId === channel).map((receipt) => receipt.messageId);
      expect(stub.answeredIn(channel)).toEqual(asked);
    }
  });
});
