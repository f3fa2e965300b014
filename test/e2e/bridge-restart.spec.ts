// SPDX-License-Identifier: Apache-2.0
import { auditAtTheEnd, worldOfFile, type World } from '../support/world.js';

const world = worldOfFile({ streaming: true, platform: { drain_timeout_seconds: 1 } });

const SENTENCES = Array.from(
  { length: 24 },
  (_, index) => `${index === 0 ? '' : ' '}Sentence ${index} of the long story.`,
);
const WHOLE = SENTENCES.join('');

/** Begins a turn that waits in the middle of its answer, with its preview and one edit in the channel. */
async function beginTurn(tag: string): Promise<{ id: string; channel: string }> {
  const channel = world().channel();
  world().script(tag, { pieces: SENTENCES, delayMs: 40, holdAfter: 12 });
  const id = world().say(channel, `Tell it [[${tag}]]`);
  await world().model.waitForHold(tag);
  const preview = await world().entry((entry) => entry.kind === 'answer' && entry.reply_to_id === id);
  await world().entry(
    (entry) => entry.kind === 'edited' && preview.kind === 'answer' && entry.message_id === preview.message_id,
  );
  return { id, channel };
}

/** The turn ended as if nothing had happened: one message with the whole text, one turn at the model. */
async function expectWhole(
  current: World,
  tag: string,
  { id, channel }: { id: string; channel: string },
): Promise<void> {
  expect(await current.ended(id)).toMatchObject({ state: 'completed', texts: [WHOLE] });
  expect(current.answersIn(channel)).toEqual([WHOLE]);
  expect(current.requestsFor(`[[${tag}]]`)).toHaveLength(1);
}

describe('[HST-10] [HST-11] the bridge restarts in the middle of a streamed turn', () => {
  it('killed: the turn finishes and is answered once', async () => {
    const turn = await beginTurn('killed');
    await world().bridge.kill();
    await world().bridge.start();
    await world().bridge.connected();
    world().model.release('killed');
    await expectWhole(world(), 'killed', turn);
  });

  it('killed, and the answer ends while it is away', async () => {
    const turn = await beginTurn('away');
    await world().bridge.kill();
    world().model.release('away');
    await world().model.waitForClosed(world().requestsFor('[[away]]')[0]!);
    await world().bridge.start();
    await expectWhole(world(), 'away', turn);
  });

  it('[INB-10] stopped orderly, with a drain shorter than the turn', async () => {
    const turn = await beginTurn('drained');
    expect(await world().bridge.stop()).toMatchObject({ code: 0, forced: false });
    await world().bridge.start();
    world().model.release('drained');
    await expectWhole(world(), 'drained', turn);
  });

  it('what waits in the same channel runs after it, in order', async () => {
    const { id, channel } = await beginTurn('first');
    world().script('second', { text: 'The second answer.' });
    const second = world().say(channel, 'And then? [[second]]');
    await world().logged('receipt.committed', { messageId: second });
    await world().bridge.kill();
    await world().bridge.start();
    await world().bridge.connected();
    world().model.release('first');
    await world().ended(id);
    await world().ended(second);
    expect(world().answersIn(channel)).toEqual([WHOLE, 'The second answer.']);
  });

  it('[INB-13] other channels go on as soon as it is back', async () => {
    const { id } = await beginTurn('held-up');
    await world().bridge.kill();
    await world().bridge.start();
    await world().bridge.connected();
    expect(await world().ask(world().channel(), 'other', { text: 'Here I am.' })).toMatchObject({
      texts: ['Here I am.'],
    });
    world().model.release('held-up');
    expect(await world().ended(id)).toMatchObject({ texts: [WHOLE] });
  });
});

auditAtTheEnd(world);
