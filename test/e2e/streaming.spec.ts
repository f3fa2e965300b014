// SPDX-License-Identifier: Apache-2.0
import { auditAtTheEnd, worldOfFile, type World } from '../support/world.js';

const world = worldOfFile({ streaming: true });

/** Every text under which people saw a message, in order. */
function versionsOf({ playground }: World, messageId: string): string[] {
  return playground.recorder.entries
    .filter((entry) => (entry.kind === 'answer' || entry.kind === 'edited') && entry.message_id === messageId)
    .map((entry) => ('content' in entry ? entry.content : ''));
}

const SENTENCES = Array.from(
  { length: 24 },
  (_, index) => `${index === 0 ? '' : ' '}Word ${index} of the harbour master.`,
);
const WHOLE = SENTENCES.join('');

describe('[BPP-4] an answer that streams', () => {
  it('is a preview, then edits that grow, then the whole text; one message', async () => {
    const channel = world().channel();
    const turn = await world().ask(channel, 'stream', { pieces: SENTENCES, delayMs: 60 });
    expect(turn.texts).toEqual([WHOLE]);
    const message = world()
      .playground.messages(channel)
      .find((each) => each.byAgent)!;
    const versions = versionsOf(world(), message.id);
    expect(versions.length).toBeGreaterThan(3);
    for (const [index, version] of versions.entries()) {
      expect(WHOLE.startsWith(version.trim())).toBe(true);
      expect(version.length).toBeGreaterThanOrEqual(versions[index - 1]?.length ?? 0);
    }
    expect(versions.at(-1)).toBe(WHOLE);
  });

  it('is seen before the model has finished', async () => {
    const channel = world().channel();
    world().script('seen', { pieces: SENTENCES, holdAfter: 12 });
    const id = world().say(channel, 'Question [[seen]]');
    await world().model.waitForHold('seen');
    await world().entry((entry) => entry.kind === 'answer' && entry.reply_to_id === id);
    expect(world().playground.busy).toContain(channel);
    expect(world().answersIn(channel)[0]).not.toBe(WHOLE);
    world().model.release('seen');
    expect(await world().ended(id)).toMatchObject({ texts: [WHOLE], state: 'completed' });
  });

  it('is complete after a tool call', async () => {
    const turn = await world().ask(
      world().channel(),
      'stream-tool',
      {
        text: 'First I look at the tide table.',
        chunks: 4,
        delayMs: 20,
        tool: 'terminal',
        args: { command: 'echo high' },
      },
      { pieces: SENTENCES, delayMs: 20 },
    );
    expect(turn.state).toBe('completed');
    expect(turn.text).toContain('First I look at the tide table.');
    expect(turn.text.trim().endsWith(WHOLE)).toBe(true);
  });

  it('[SCH-1] streams in several channels at once, each complete', async () => {
    const tags = ['at-once-1', 'at-once-2', 'at-once-3'];
    const turns = await Promise.all(
      tags.map((tag) => world().ask(world().channel(), tag, { pieces: [`${tag}: `, ...SENTENCES], delayMs: 15 })),
    );
    expect(turns.map((turn) => turn.texts)).toEqual(tags.map((tag) => [`${tag}: ${WHOLE}`]));
  });

  it('keeps what was said when the model breaks off, and says once that it failed', async () => {
    const channel = world().channel();
    const turn = await world().ask(
      channel,
      'breaks',
      { pieces: SENTENCES.slice(0, 6), delayMs: 80, cut: true },
      { status: 500 },
    );
    expect(turn.state).toBe('failed');
    expect(turn.texts.filter((text) => text.includes('model_failed'))).toHaveLength(1);
  });
});

describe('[RUN-12] a turn without text', () => {
  it('ends its receipt completed and sends no message', async () => {
    const channel = world().channel();
    // Hermes's own word for an answer that is not to be sent.
    world().script('silent', { text: 'NO_REPLY' });
    const id = world().say(channel, 'Say nothing [[silent]]');
    world().expectSilence(id);
    const turn = await world().ended(id);
    expect(turn.state).toBe('completed');
    expect(world().answersIn(channel)).toEqual([]);
  });
});

auditAtTheEnd(world);
