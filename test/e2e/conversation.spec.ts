// SPDX-License-Identifier: Apache-2.0
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditAtTheEnd, PEOPLE, worldOfFile } from '../support/world.js';

const world = worldOfFile();

describe('[BPP-4] [INB-2] a plain answer', () => {
  it('comes once, as a reply, inside of its task', async () => {
    const channel = world().channel();
    const turn = await world().ask(channel, 'plain', { text: 'The ferry leaves at noon.' });
    expect(turn).toMatchObject({ state: 'completed', texts: ['The ferry leaves at noon.'] });
    expect(world().requestsFor('[[plain]]')).toHaveLength(1);
    expect(world().playground.busy).not.toContain(channel);
  });

  it('[BPP-11] the model is told where the conversation stands, and every turn has a prompt of its own', async () => {
    const channel = world().channel();
    await world().ask(channel, 'where-1', { text: 'One.' });
    await world().ask(channel, 'where-2', { text: 'Two.' });
    const [first, second] = ['[[where-1]]', '[[where-2]]'].map((tag) => world().requestsFor(tag)[0]!.system);
    expect(first).toContain(channel);
    expect(first).toContain('guild-harbour');
    expect(second).toContain(channel);
    expect(first).not.toBe(second);
  });

  it('is cut nowhere: a text beyond one frame comes whole, in order', async () => {
    const text = Array.from({ length: 3_000 }, (_, index) => `Sentence ${index} about the lighthouse.`).join('\n');
    const turn = await world().ask(world().channel(), 'long', { text, chunks: 40 });
    expect(turn.texts.length).toBeGreaterThan(1);
    expect(turn.texts.join('').replaceAll(/\s+/g, '')).toBe(text.replaceAll(/\s+/g, ''));
  });
});

describe('[BPP-2] people and sessions', () => {
  it('two authors of one channel share a session and keep their names', async () => {
    const channel = world().channel();
    world().script('shared', { text: 'Noted.' });
    await world().ended(world().say(channel, 'Mine is red [[shared]]', PEOPLE.Mira));
    await world().ended(world().say(channel, 'Mine is blue [[shared]]', PEOPLE.Jonas));
    const request = world().requestsFor('Mine is blue')[0]!;
    expect(request.user.at(-2)).toContain('[Mira] Mine is red');
    expect(request.user.at(-1)).toContain('[Jonas] Mine is blue');
  });

  it('Hermes keys the session of a channel and of a direct message by the channel alone', async () => {
    const [channel, direct] = [world().channel(), world().directMessage(PEOPLE.Jonas)];
    world().script('keys', { text: 'Keyed.' });
    for (const person of [PEOPLE.Mira, PEOPLE.Jonas])
      await world().ended(world().say(channel, 'Hello [[keys]]', person));
    await world().ended(world().say(direct, 'Hello [[keys]]', PEOPLE.Jonas));
    const sessions = JSON.parse(
      readFileSync(join(world().home.hermesHome, 'sessions', 'sessions.json'), 'utf8'),
    ) as object;
    const keys = Object.keys(sessions).filter((key) => key.includes(channel) || key.includes(direct));
    expect(keys.sort()).toEqual([`agent:main:borgee:channel:${channel}`, `agent:main:borgee:dm:${direct}`]);
  });

  it('two channels and a direct message know nothing of each other', async () => {
    const [one, two] = [world().channel(), world().channel()];
    const direct = world().directMessage();
    await world().ask(one, 'apart-1', { text: 'One.' });
    await world().ask(two, 'apart-2', { text: 'Two.' });
    await world().ask(direct, 'apart-3', { text: 'Three.' });
    for (const tag of ['[[apart-1]]', '[[apart-2]]', '[[apart-3]]']) {
      expect(
        world()
          .requestsFor(tag)[0]!
          .user.filter((text) => text.includes('[[apart-')),
      ).toHaveLength(1);
    }
    expect(world().requestsFor('[[apart-3]]')[0]!.last_user).not.toContain('[Mira]');
  });
});

describe('[BPP-4] [RUN-12] turns with tools, without text, and with errors', () => {
  it('an answer after a tool call is complete', async () => {
    const turn = await world().ask(
      world().channel(),
      'tool',
      { text: 'I look it up.', tool: 'terminal', args: { command: 'echo harbour-42' } },
      { text: 'The tool said it.' },
    );
    expect(turn.state).toBe('completed');
    expect(turn.text).toContain('The tool said it.');
    const [first, second] = world().requestsFor('[[tool]]');
    expect(first?.last_role).toBe('user');
    expect(second?.messages.at(-1)).toMatchObject({ role: 'tool', text: expect.stringContaining('harbour-42') });
  });

  it('a model error ends the receipt failed and is said once, in a sentence of ours with the code', async () => {
    const turn = await world().ask(world().channel(), 'refused', { status: 401, error: 'the-text-of-the-provider' });
    expect(turn).toMatchObject({ state: 'failed', outcome: 'hermes_failed' });
    expect(turn.texts).toEqual(['The agent could not answer: its model request failed (model_failed, HTTP 401).']);
  });

  it('no error text of Hermes or of the provider reaches a channel', async () => {
    const channel = world().channel();
    await world().ask(channel, 'broken', { status: 500, error: 'the-text-of-the-provider' });
    expect(world().answersIn(channel)).toHaveLength(1);
    expect(world().answersIn(channel).join()).not.toMatch(/the-text-of-the-provider|retry|API/i);
  });

  it('the next turn of that channel runs as usual', async () => {
    const channel = world().channel();
    await world().ask(channel, 'fails-first', { status: 400 });
    expect(await world().ask(channel, 'works-then', { text: 'Fine again.' })).toMatchObject({ texts: ['Fine again.'] });
  });
});

describe('[HST-9] [BPP-4] questions of Hermes, until cards come', () => {
  it('a clarify is answered at once and said once', async () => {
    const turn = await world().ask(
      world().channel(),
      'clarify',
      { tool: 'clarify', args: { question: 'Which one?', choices: ['red', 'blue'] } },
      { text: 'Then I choose myself.' },
    );
    expect(turn.state).toBe('completed');
    expect(turn.texts.filter((text) => text.includes('question'))).toHaveLength(1);
    expect(turn.texts.at(-1)).toContain('Then I choose myself.');
  });

  it('an approval is denied at once, said once, and the command does not run', async () => {
    const victim = `${world().home.temporary}/victim`;
    const turn = await world().ask(
      world().channel(),
      'approval',
      { tool: 'terminal', args: { command: `mkdir -p ${victim}` } },
      { tool: 'terminal', args: { command: `rm -rf ${victim}` } },
      { text: 'It was not allowed.' },
    );
    expect(turn.state).toBe('completed');
    expect(turn.texts.filter((text) => text.includes('approval'))).toHaveLength(1);
    const listed = await world().ask(
      world().channel(),
      'approval-after',
      { tool: 'terminal', args: { command: `ls -d ${victim}` } },
      { text: 'Listed.' },
    );
    expect(listed.state).toBe('completed');
    expect(world().requestsFor('[[approval-after]]')[1]?.messages.at(-1)?.text).toContain('victim');
  });
});

describe('[INB-7] slash commands', () => {
  it('one that channels may not use is refused with one sentence and never reaches the model', async () => {
    const channel = world().channel();
    const id = world().say(channel, '/model other-model');
    const turn = await world().answered(id);
    expect(turn.outcome).toBe('command_refused');
    expect(world().answersIn(channel)).toEqual([expect.stringContaining('command_refused')]);
    expect(world().requestsFor('/model')).toEqual([]);
  });

  it('/status is answered by Hermes without the model', async () => {
    const channel = world().channel();
    await world().ask(channel, 'before-status', { text: 'Hello.' });
    const turn = await world().answered(world().say(channel, '/status'));
    expect(turn.state).toBe('completed');
    expect(turn.text).not.toBe('');
    expect(world().requestsFor('/status')).toEqual([]);
  });

  it('/new begins a new session', async () => {
    const channel = world().channel();
    await world().ask(channel, 'old-talk', { text: 'Old.' });
    const turn = await world().answered(world().say(channel, '/new'));
    expect(turn.state).toBe('completed');
    await world().ask(channel, 'new-talk', { text: 'New.' });
    expect(world().requestsFor('[[new-talk]]')[0]!.user.join()).not.toContain('[[old-talk]]');
  });
});

describe('[RUN-11] pictures, documents and MEDIA tags of Hermes', () => {
  it.each([
    ['a MEDIA tag of a picture', 'media-picture', (file: string) => `Look at this.\nMEDIA:${file}`],
    ['an address of a picture', 'media-address', () => 'Look: ![harbour](https://images.example.com/harbour.png)'],
  ])('%s sends nothing but the text', async (_what, tag, text) => {
    const file = `${world().home.temporary}/harbour.png`;
    writeFileSync(file, Buffer.from('89504e470d0a1a0a', 'hex'));
    const channel = world().channel();
    world().script(tag, { text: text(file) });
    const id = world().say(channel, `Show me [[${tag}]]`);
    // Hermes takes the tag or the address out of the text: what stands in the channel is not all that the model said.
    world().expectSilence(id);
    const turn = await world().ended(id);
    expect(turn).toMatchObject({ state: 'completed', texts: [expect.stringContaining('Look')] });
    expect(turn.text).not.toMatch(/MEDIA|png/);
  });
});

auditAtTheEnd(world);
