// SPDX-License-Identifier: Apache-2.0
import { auditAtTheEnd, worldOfFile } from '../support/world.js';

const CHANNELS = 10;
const MESSAGES = 200;

/** Connection attempts that fail before the server is back: the backoff has grown five times. */
const FAILED_ATTEMPTS = 5;

const world = worldOfFile({ playground: { whileOffline: 'queue' } });

describe('[INB-1] [INB-13] [BPP-9] [SCH-1] a long absence of Hermes', () => {
  it('200 messages, a restart of the bridge and a backoff later, everything is answered in order', async () => {
    const channels = Array.from({ length: CHANNELS }, () => world().channel());
    await world().ask(channels[0]!, 'warm', { text: 'Attached once.' });
    await world().hermes.stop();

    world().script('backlog', { text: 'Answered.' });
    const saidInBatch = (from: number, to: number): string[] =>
      Array.from({ length: to - from }, (_, index) => from + index).map((number) =>
        world().say(channels[number % CHANNELS]!, `Number ${number} of the backlog [[backlog]]`),
      );
    const ids = saidInBatch(0, 80);
    await world().logged('receipt.committed', { messageId: ids.at(-1) });

    await world().bridge.stop();
    ids.push(...saidInBatch(80, 120));
    await world().bridge.start();
    await world().logged('receipt.committed', { messageId: ids.at(-1) });

    const lines = world().bridge.logSize;
    await world().playground.goDown();
    await world().logged('gateway.state', { state: 'reconnecting' }, lines);
    ids.push(...saidInBatch(120, MESSAGES));
    await world().bridge.logged(
      (line) => line['event'] === 'gateway.state' && Number(line['attempt']) >= FAILED_ATTEMPTS,
      `attempt ${FAILED_ATTEMPTS}`,
      { from: lines },
    );
    await world().playground.comeBack();
    await world().logged('receipt.committed', { messageId: ids.at(-1) }, lines);
    expect(world().requestsFor('[[backlog]]')).toEqual([]);

    await world().hermes.start();
    await Promise.all(channels.map((channel) => world().ended(ids.findLast((id) => channelOf(id) === channel)!)));
    for (const channel of channels) {
      const asked = ids.filter((id) => channelOf(id) === channel);
      const answered = world()
        .playground.messages(channel)
        .filter((message) => message.byAgent && asked.includes(message.replyToId ?? ''))
        .map((message) => message.replyToId);
      expect(answered).toEqual(asked);
    }
  });
});

function channelOf(messageId: string): string {
  return world().playground.world.message(messageId).channelId;
}

auditAtTheEnd(world);
