// SPDX-License-Identifier: Apache-2.0
import { type BorgeePlayground, HARBOUR } from '../../playground/borgee/index.js';
import type { ScriptedAgent } from '../support/browser-agent.js';
import { Stage } from '../support/browser-stage.js';

const { channels, authors, directMessages } = HARBOUR;

describe('[PLY-1] a conversation in the browser', () => {
  const stage = new Stage();
  let playground: BorgeePlayground;
  let agent: ScriptedAgent;
  beforeAll(() => stage.open());
  beforeEach(async () => {
    playground = await stage.playground();
    agent = await stage.agent(playground);
  });
  afterEach(() => stage.endTest());
  afterAll(() => stage.close());

  it('three people speak in one channel, on pages of their own, and see the same', async () => {
    const pages = await Promise.all([1, 2, 3].map(() => stage.page(playground)));
    const [mira, jonas, aiko] = pages;
    await jonas!.speakAs('Jonas');
    await aiko!.speakAs('Aiko');

    await mira!.say('Good morning');
    await jonas!.showing('Good morning').waitFor();
    await jonas!.say('Hello Mira');
    await aiko!.showing('Hello Mira').waitFor();
    await aiko!.say('Hello you two');

    for (const chat of pages) {
      await chat.showing('Hello you two').waitFor();
      expect(await chat.messages.locator('.author').allTextContents()).toEqual(['Mira', 'Jonas', 'Aiko']);
    }
    const said = playground.messages(channels.general).map(({ authorId, body }) => [authorId, body]);
    expect(said).toEqual([
      [authors.Mira, 'Good morning'],
      [authors.Jonas, 'Hello Mira'],
      [authors.Aiko, 'Hello you two'],
    ]);
  });

  it('shows the busy agent and lets its answer grow in its place, without moving the list', async () => {
    const chat = await stage.page(playground);
    await chat.say('Tell me something');
    await chat.showing('Tell me something').waitFor();
    const question = playground.messages(channels.general)[0]!;
    const end = agent.begin(channels.general);
    await chat.page.locator('.presence[data-state="working"]').waitFor();
    await chat.page.locator('.agent-line').getByText('Hermes is working').waitFor();
    const id = await agent.send(channels.general, 'Once', question.id);
    await chat.message(id).waitFor();
    const row = await chat.message(id).elementHandle();
    const paragraph = await chat.message(id).locator('.text p').elementHandle();
    const top = await chat.topOf(id);

    for (const text of ['Once upon', 'Once upon a time', 'Once upon a time there was a bridge.']) {
      await agent.edit(id, text);
      await chat.message(id).getByText(text, { exact: true }).waitFor();
      expect(await chat.topOf(id)).toBe(top);
    }
    expect(await chat.message(id).evaluate((each, first) => each === first, row)).toBe(true);
    expect(
      await chat
        .message(id)
        .locator('.text p')
        .evaluate((each, first) => each === first, paragraph),
    ).toBe(true);
    expect(await chat.message(id).getAttribute('class')).toContain('is-writing');

    end();
    await chat.page.locator('.presence[data-state="online"]').waitFor();
    expect(await chat.message(id).getAttribute('class')).not.toContain('is-writing');
    expect(await chat.page.locator('.agent-line').textContent()).toBe('');
    expect(await chat.messages.count()).toBe(2);
  });

  it('a growing answer keeps the reader at the end, and leaves alone whoever reads above', async () => {
    for (let count = 1; count <= 40; count += 1) playground.say(channels.general, authors.Mira, `Line ${count}`);
    const chat = await stage.page(playground);
    const end = agent.begin(channels.general);
    const id = await agent.send(channels.general, 'Begin');
    await chat.message(id).waitFor();
    let text = 'Begin';
    for (let step = 1; step <= 20; step += 1) {
      text += `\n\nParagraph ${step}`;
      await agent.edit(id, text);
    }
    await chat.message(id).getByText('Paragraph 20').waitFor();
    expect(await chat.fromEnd()).toBeLessThan(2);

    await chat.list.evaluate((list) => (list.scrollTop -= 900));
    await chat.page.locator('.to-latest').waitFor();
    const before = await chat.list.evaluate((list) => list.scrollTop);
    await agent.edit(id, `${text}\n\nThe last paragraph`);
    await chat.message(id).getByText('The last paragraph').waitFor();
    expect(await chat.list.evaluate((list) => list.scrollTop)).toBe(before);
    end();
  });

  it('a scroll is not taken back by what is drawn in the same moment', async () => {
    for (let count = 1; count <= 60; count += 1) playground.say(channels.general, authors.Mira, `Line ${count}`);
    const chat = await stage.page(playground);
    const [wanted, got] = await chat.list.evaluate(async (list) => {
      const box = document.querySelector<HTMLTextAreaElement>('#message-box')!;
      list.scrollTop -= 500;
      const scrolled = list.scrollTop;
      box.value = 'x';
      box.dispatchEvent(new InputEvent('input', { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return [scrolled, list.scrollTop];
    });
    expect(got).toBe(wanted);
  });

  it('says how many messages are new below, and goes there', async () => {
    for (let count = 1; count <= 40; count += 1) playground.say(channels.general, authors.Mira, `Line ${count}`);
    const chat = await stage.page(playground);
    await chat.list.evaluate((list) => (list.scrollTop -= 600));
    await chat.page.getByRole('button', { name: 'Newest messages' }).waitFor();

    playground.say(channels.general, authors.Jonas, 'One more');
    playground.say(channels.general, authors.Jonas, 'And another');
    await chat.page.getByRole('button', { name: '2 new messages' }).click();

    await chat.page.locator('.to-latest').waitFor({ state: 'detached' });
    expect(await chat.fromEnd()).toBeLessThan(2);
  });

  it('whoever sends from above is taken to the end', async () => {
    for (let count = 1; count <= 40; count += 1) playground.say(channels.general, authors.Mira, `Line ${count}`);
    const chat = await stage.page(playground);
    await chat.list.evaluate((list) => (list.scrollTop = 0));
    await chat.page.locator('.to-latest').waitFor();
    await chat.say('Down here');
    await chat.showing('Down here').waitFor();
    await chat.page.locator('.to-latest').waitFor({ state: 'detached' });
    expect(await chat.fromEnd()).toBeLessThan(2);
  });

  it('marks edited messages of people and leaves a mark of deleted ones', async () => {
    const first = playground.say(channels.general, authors.Mira, 'frist');
    const second = playground.say(channels.general, authors.Jonas, 'a slip');
    const chat = await stage.page(playground);

    playground.editMessage(first.id, 'first');
    await chat.message(first.id).getByText('edited', { exact: true }).waitFor();
    playground.deleteMessage(second.id);
    await chat.message(second.id).getByText('Message deleted').waitFor();

    expect(await chat.message(first.id).locator('.text p').textContent()).toBe('firstedited');
    expect(await chat.messages.filter({ hasText: 'a slip' }).count()).toBe(0);
  });

  it('says above a reply what it answers, and leads there', async () => {
    const question = playground.say(channels.general, authors.Mira, 'What is the **time**?');
    for (let count = 1; count <= 60; count += 1) playground.say(channels.general, authors.Jonas, `Line ${count}`);
    const id = await agent.send(channels.general, 'Noon', question.id);
    const chat = await stage.page(playground);

    const answered = chat.message(id).getByRole('button', { name: 'In reply to' });
    expect(await answered.textContent()).toContain('MiraWhat is the time?');
    await answered.click();

    await chat.page.locator(`[data-message="${question.id}"]:focus`).waitFor();
    const [top, bottom] = await chat.list.evaluate((list) => {
      const { top: upper, bottom: lower } = list.getBoundingClientRect();
      return [upper, lower];
    });
    const at = await chat.topOf(question.id);
    expect(at).toBeGreaterThanOrEqual(top);
    expect(at).toBeLessThan(bottom);
    await chat.page.getByRole('button', { name: 'Newest messages' }).click();
    await chat.message(id).waitFor();
    expect(await chat.fromEnd()).toBeLessThan(2);
  });

  it('counts what is new in other channels, and in the title', async () => {
    const chat = await stage.page(playground, { channelId: channels.general });
    playground.say(channels.random, authors.Jonas, 'Lunch?');
    playground.say(channels.random, authors.Aiko, 'Yes!');

    const link = chat.page.getByRole('link', { name: /random/u });
    await link.getByText('2 new').waitFor();
    expect(await chat.page.title()).toBe('(2) #general · Angelia playground');

    await chat.openChannel('random');
    await chat.showing('Lunch?').waitFor();
    expect(await link.textContent()).not.toContain('new');
    expect(await chat.page.title()).toBe('#random · Angelia playground');
  });

  it('shows in the sidebar where the agent is at work', async () => {
    const chat = await stage.page(playground, { channelId: channels.general });
    const end = agent.begin(channels.random);
    await chat.page.getByRole('link', { name: /random.*the agent is working here/u }).waitFor();
    expect(await chat.page.locator('.agent-line').textContent()).toBe('');
    end();
    await chat.page.getByRole('link', { name: /random$/u }).waitFor();
  });

  it('says that the agent is offline, and that it is back', async () => {
    const chat = await stage.page(playground);
    await chat.page.locator('.presence[data-state="online"]').waitFor();
    await agent.close();
    await chat.page.locator('.presence[data-state="offline"]').waitFor();
    await chat.page.locator('.agent-line').getByText('Hermes is offline.').waitFor();
    await stage.agent(playground);
    await chat.page.locator('.presence[data-state="online"]').waitFor();
  });

  it('each person has a direct message with the agent that the others do not see', async () => {
    const chat = await stage.page(playground);
    await chat.openChannel('Hermes');
    await chat.say('Between us');
    await chat.showing('Between us').waitFor();
    expect(playground.messages(directMessages.Mira).map(({ body }) => body)).toEqual(['Between us']);

    await chat.speakAs('Jonas');
    await chat.page.getByText('This is your conversation with Hermes').waitFor();
    await chat.say('Mine');
    await chat.showing('Mine').waitFor();
    expect(playground.messages(directMessages.Jonas).map(({ body }) => body)).toEqual(['Mine']);
    expect(await chat.messages.count()).toBe(1);
  });

  it('an own message can be edited and, once confirmed, deleted; others cannot', async () => {
    const other = playground.say(channels.general, authors.Jonas, 'Not yours');
    const own = playground.say(channels.general, authors.Mira, 'Teh bridge');
    const chat = await stage.page(playground);
    await chat.message(other.id).hover();
    expect(await chat.message(other.id).locator('.message-actions').count()).toBe(0);

    await chat.message(own.id).hover();
    await chat.message(own.id).getByRole('button', { name: 'Edit message' }).click();
    await chat.message(own.id).locator('textarea').fill('The bridge');
    await chat.page.getByRole('button', { name: 'Save' }).click();
    await chat.message(own.id).getByText('edited', { exact: true }).waitFor();
    expect(playground.world.message(own.id).body).toBe('The bridge');

    await chat.message(own.id).hover();
    await chat.message(own.id).getByRole('button', { name: 'Delete message' }).click();
    await chat.page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
    expect(playground.world.message(own.id).deleted).toBe(false);
    await chat.message(own.id).hover();
    await chat.message(own.id).getByRole('button', { name: 'Delete message' }).click();
    await chat.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await chat.message(own.id).getByText('Message deleted').waitFor();
    expect(playground.world.message(own.id).deleted).toBe(true);
  });

  it('an empty channel says what can be tried, and the word goes into the message box', async () => {
    const chat = await stage.page(playground);
    expect(await chat.page.locator('.suggestions strong').allTextContents()).toEqual(['tool', 'long', 'slow', 'error']);
    await chat.page.getByRole('button', { name: /^long/u }).click();
    expect(await chat.box.inputValue()).toBe('long');
    await chat.box.press('Enter');
    await chat.showing('long').waitFor();
    expect(await chat.page.locator('.empty').count()).toBe(0);
  });

  it('separates days and names them', async () => {
    const noon = Date.UTC(2026, 4, 12, 12);
    const day = 86_400_000;
    const post = (body: string, createdAt: number): void =>
      void playground.world.post({ channelId: channels.general, authorId: authors.Mira, body, createdAt });
    post('old', noon - 400 * day);
    post('last week', noon - 6 * day);
    post('yesterday', noon - day);
    post('now', noon);
    const chat = await stage.page(playground, { now: noon });
    const days = await chat.page.locator('.day').allTextContents();
    expect(days).toEqual(['7 April 2025', 'Wednesday 6 May', 'Yesterday', 'Today']);
  });
});
