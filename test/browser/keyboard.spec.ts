// SPDX-License-Identifier: Apache-2.0
import { type BorgeePlayground, HARBOUR } from '../../playground/borgee/index.js';
import type { ChatPage } from '../support/browser-page.js';
import { Stage } from '../support/browser-stage.js';

const { channels, authors } = HARBOUR;

/** What has the focus, as a screen reader names it. */
function focused(chat: ChatPage): Promise<string> {
  return chat.page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return 'nothing';
    const label = element.getAttribute('aria-label') ?? element.closest('label')?.textContent ?? element.textContent;
    return `${element.tagName.toLowerCase()} ${label}`.trim();
  });
}

describe('[PLY-1] the chat page by keyboard alone', () => {
  const stage = new Stage();
  let playground: BorgeePlayground;
  beforeAll(() => stage.open());
  beforeEach(async () => {
    playground = await stage.playground();
  });
  afterEach(() => stage.endTest());
  afterAll(() => stage.close());

  it('the tab key goes through the page in the order in which it is read, and every stop is seen', async () => {
    playground.say(channels.general, authors.Jonas, 'Look at https://example.com/harbour');
    playground.say(channels.general, authors.Mira, 'Thanks');
    const chat = await stage.page(playground);
    const stops: string[] = [];
    for (let step = 0; step < 13; step += 1) {
      await chat.page.keyboard.press('Tab');
      stops.push(await focused(chat));
      const shown = await chat.page.evaluate(() => {
        const element = document.activeElement!;
        const marks = [element, element.closest('label'), element.closest('.composer-box')].filter(
          (each) => each !== null,
        );
        return marks.some((each) => getComputedStyle(each).boxShadow !== 'none');
      });
      expect([stops.at(-1), shown]).toEqual([stops.at(-1), true]);
    }
    expect(stops).toEqual([
      'a Skip to messages',
      'a Skip to message box',
      'a #general',
      'a #engineering',
      'a #random',
      'a Hermes',
      'input System',
      'a https://example.com/harbour',
      expect.stringMatching(/^article Mira, \d\d:\d\d$/u),
      'button Edit message',
      'button Delete message',
      'input MMira',
      'textarea Message #general',
    ]);
  });

  it('the skip links lead past the sidebar', async () => {
    playground.say(channels.general, authors.Jonas, 'one');
    const chat = await stage.page(playground);
    await chat.page.keyboard.press('Tab');
    await chat.page.keyboard.press('Tab');
    await chat.page.keyboard.press('Enter');
    expect(await focused(chat)).toBe('textarea Message #general');
    await chat.page.keyboard.press('Shift+Tab');
    await chat.page.keyboard.press('Shift+Tab');
    expect(await focused(chat)).toMatch(/^article Jonas/u);
    expect(new URL(chat.page.url()).hash).toBe(`#/${channels.general}`);
  });

  it('channel, person and colour scheme are chosen, a message is written, and its text has a line break', async () => {
    const chat = await stage.page(playground);
    const { keyboard } = chat.page;
    for (let step = 0; step < 5; step += 1) await keyboard.press('Tab');
    await keyboard.press('Enter');
    await chat.page.getByRole('heading', { level: 1, name: 'random' }).waitFor();
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    expect(await chat.page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');

    for (const radio of ['Mira', 'Jonas']) {
      while (!(await focused(chat)).endsWith(radio)) await keyboard.press(radio === 'Mira' ? 'Tab' : 'ArrowRight');
    }
    await keyboard.press('Tab');
    await keyboard.type('first line');
    await keyboard.press('Shift+Enter');
    await keyboard.type('second line');
    expect(playground.messages(channels.random)).toEqual([]);
    await keyboard.press('Enter');
    await chat.showing('second line').waitFor();

    const [message] = playground.messages(channels.random);
    expect([message?.authorId, message?.body]).toEqual([authors.Jonas, 'first line\nsecond line']);
    expect(await focused(chat)).toBe('textarea Message #random');
    expect(await chat.box.inputValue()).toBe('');
  });

  it('an empty text is not sent', async () => {
    const chat = await stage.page(playground);
    await chat.say('   \n  ');
    await chat.say('real');
    await chat.showing('real').waitFor();
    expect(playground.messages(channels.general).map(({ body }) => body)).toEqual(['real']);
  });

  it('Enter that ends the input of a composed character does not send', async () => {
    const chat = await stage.page(playground);
    await chat.box.fill('かな');
    await chat.box.evaluate((box) =>
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })),
    );
    expect(await chat.box.inputValue()).toBe('かな');
    expect(playground.messages(channels.general)).toEqual([]);
  });

  it('Up in the empty box edits the last own message, Escape leaves it, Enter saves it', async () => {
    const own = playground.say(channels.general, authors.Mira, 'Wrong');
    playground.say(channels.general, authors.Jonas, 'Not hers');
    const chat = await stage.page(playground);
    await chat.box.focus();
    await chat.page.keyboard.press('ArrowUp');
    expect(await focused(chat)).toBe('textarea Edit message');
    await chat.page.keyboard.type(' indeed');
    await chat.page.keyboard.press('Escape');
    expect(await focused(chat)).toBe('textarea Message #general');
    expect(playground.world.message(own.id).body).toBe('Wrong');

    await chat.page.keyboard.press('ArrowUp');
    await chat.page.keyboard.press('ControlOrMeta+A');
    await chat.page.keyboard.type('Right');
    await chat.page.keyboard.press('Enter');
    await chat.message(own.id).getByText('edited', { exact: true }).waitFor();
    await chat.page.locator('#message-box:focus').waitFor();
    expect(playground.world.message(own.id).body).toBe('Right');
  });

  it('Up reaches an own message that is not drawn; an edit that began in its row ends there', async () => {
    const own = playground.say(channels.general, authors.Mira, 'Long ago');
    for (let count = 1; count <= 90; count += 1) playground.say(channels.general, authors.Jonas, `Line ${count}`);
    const chat = await stage.page(playground);
    const { keyboard } = chat.page;
    expect(await chat.message(own.id).count()).toBe(0);
    await chat.box.focus();
    await keyboard.press('ArrowUp');
    await chat.message(own.id).locator('textarea:focus').waitFor();
    const seen = await chat.message(own.id).evaluate((row) => {
      const list = row.closest('.timeline-scroll')!.getBoundingClientRect();
      const { top, bottom } = row.getBoundingClientRect();
      return { above: list.top - top, below: bottom - list.bottom };
    });
    expect(seen.above).toBeLessThanOrEqual(0);
    expect(seen.below).toBeLessThanOrEqual(0);
    await keyboard.press('Escape');
    expect(await focused(chat)).toBe('textarea Message #general');

    await chat.message(own.id).focus();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await chat.message(own.id).locator('textarea:focus').waitFor();
    await keyboard.type('!');
    await keyboard.press('Enter');
    await chat.page.locator(`[data-message="${own.id}"]:focus`).waitFor();
    expect(playground.world.message(own.id).body).toBe('Long ago!');
  });

  it('arrow keys go from message to message; an own one is deleted after a question', async () => {
    playground.say(channels.general, authors.Jonas, 'first');
    const own = playground.say(channels.general, authors.Mira, 'second');
    playground.say(channels.general, authors.Aiko, 'third');
    const chat = await stage.page(playground);
    const { keyboard } = chat.page;
    await chat
      .message(own.id)
      .evaluate((row) => row.closest('ol')?.querySelector<HTMLElement>('[tabindex="0"]')?.focus());
    expect(await focused(chat)).toMatch(/^article Aiko/u);
    await keyboard.press('Home');
    expect(await focused(chat)).toMatch(/^article Jonas/u);
    await keyboard.press('ArrowUp');
    expect(await focused(chat)).toMatch(/^article Jonas/u);
    await keyboard.press('ArrowDown');
    expect(await focused(chat)).toMatch(/^article Mira/u);
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    expect(await focused(chat)).toBe('button Delete message');
    await keyboard.press('Enter');
    const keep = chat.page.getByRole('button', { name: 'Keep' }).and(chat.page.locator(':focus'));
    await keep.waitFor();
    await keyboard.press('Escape');
    await chat.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused(chat)).toBe('button Delete message');
    expect(playground.world.message(own.id).deleted).toBe(false);

    await keyboard.press('Enter');
    await keep.waitFor();
    await keyboard.press('Tab');
    expect(await focused(chat)).toBe('button Delete');
    await keyboard.press('Enter');
    await chat.message(own.id).getByText('Message deleted').waitFor();
    expect(await focused(chat)).toMatch(/^article Mira/u);
  });

  it('new messages are announced: of others at once, of the agent when its answer is complete, own ones not', async () => {
    const agent = await stage.agent(playground);
    const chat = await stage.page(playground);
    const log = chat.page.getByRole('log', { name: 'New messages' });
    await chat.say('I said this');
    await chat.showing('I said this').waitFor();
    playground.say(channels.general, authors.Jonas, 'Hello **there**');
    await log.getByText('Jonas: Hello there').waitFor({ state: 'attached' });

    const end = agent.begin(channels.general);
    const id = await agent.send(channels.general, 'Let me');
    await agent.edit(id, 'Let me see. Done.');
    await chat.message(id).getByText('Let me see. Done.').waitFor();
    expect(await log.locator('p').allTextContents()).toEqual(['Jonas: Hello there']);
    end();
    await log.getByText('Hermes: Let me see. Done.').waitFor({ state: 'attached' });
    playground.say(channels.random, authors.Jonas, 'Somewhere else');
    await chat.page.getByRole('link', { name: /random.*1 new/u }).waitFor();
    expect(await log.locator('p').allTextContents()).toEqual(['Jonas: Hello there', 'Hermes: Let me see. Done.']);
  });
});
