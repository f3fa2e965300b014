// SPDX-License-Identifier: Apache-2.0
import { HARBOUR } from '../../playground/borgee/index.js';
import type { ChatPage } from '../support/browser-page.js';
import { Stage } from '../support/browser-stage.js';
import { story, STORY_NOW } from '../support/browser-story.js';

const ENGINEERING = HARBOUR.channels.engineering;
const PHONE = { width: 360, height: 740, touch: true, now: STORY_NOW, channelId: ENGINEERING } as const;

/** Whether a person can see an element at all: it is in the window and not hidden. */
function inView(chat: ChatPage, selector: string): Promise<boolean> {
  return chat.page.locator(selector).evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    return right > 0 && left < innerWidth && getComputedStyle(element).visibility === 'visible';
  });
}

/** Ground of the page, as the browser paints it: mean of red, green and blue, 0 to 255. */
function brightness(chat: ChatPage): Promise<number> {
  return chat.page.evaluate(() => {
    const [red, green, blue] = getComputedStyle(document.documentElement)
      .backgroundColor.match(/[\d.]+/gu)!
      .map(Number);
    return (red! + green! + blue!) / 3;
  });
}

describe('[PLY-1] the chat page at 360 pixels', () => {
  const stage = new Stage();
  beforeAll(() => stage.open());
  afterEach(() => stage.endTest());
  afterAll(() => stage.close());

  it('nothing stands beside the window, and what can be touched is large enough', async () => {
    const chat = await stage.page(await stage.playground(story()), PHONE);
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    const beside = await chat.page.locator('main *').evaluateAll((all) =>
      all
        .filter((element) => element.closest('pre, .visually-hidden, .composer-hint, legend') === null)
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
        .map((element) => element.outerHTML.slice(0, 80)),
    );
    expect(beside).toEqual([]);
    const small = await chat.page
      .locator('main button:visible, main label:visible')
      .evaluateAll((all) =>
        all
          .filter((element) => element.getBoundingClientRect().height < 24 && !element.matches('.answered'))
          .map((element) => element.textContent),
      );
    expect(small).toEqual([]);
  });

  it('the hint of an empty channel is read from its top', async () => {
    const playground = await stage.playground();
    const chat = await stage.page(playground, { ...PHONE, height: 420 });
    expect(await chat.list.evaluate((list) => [list.scrollTop, list.scrollHeight > list.clientHeight])).toEqual([
      0,
      true,
    ]);
    playground.say(ENGINEERING, HARBOUR.authors.Jonas, 'The first');
    await chat.showing('The first').waitFor();
    expect(await chat.fromEnd()).toBeLessThan(2);
  });

  it('the sidebar is a drawer that opens by its button and closes by choice, Escape and a touch beside it', async () => {
    const chat = await stage.page(await stage.playground(story()), PHONE);
    const menu = chat.page.getByRole('button', { name: 'Open sidebar' });
    const closed = (): Promise<unknown> =>
      chat.page.locator('.sidebar[data-open="false"]').waitFor({ state: 'attached' });
    expect(await inView(chat, '.sidebar')).toBe(false);
    await chat.page.keyboard.press('Tab');
    await chat.page.keyboard.press('Tab');
    await chat.page.keyboard.press('Tab');
    expect(await menu.evaluate((button) => button === document.activeElement)).toBe(true);

    await chat.page.keyboard.press('Enter');
    await chat.page.getByRole('button', { name: 'Close sidebar' }).and(chat.page.locator(':focus')).waitFor();
    expect(await menu.getAttribute('aria-expanded')).toBe('true');
    expect(await chat.page.locator('main').evaluate((main: HTMLElement) => main.inert)).toBe(true);
    await chat.page.keyboard.press('Escape');
    await closed();
    expect(await menu.evaluate((button) => button === document.activeElement)).toBe(true);

    await menu.tap();
    await chat.page.touchscreen.tap(350, 400);
    await closed();

    await menu.tap();
    await chat.page.getByRole('link', { name: 'random' }).tap();
    await chat.page.getByRole('heading', { level: 1, name: 'random' }).waitFor();
    await closed();
    await chat.page
      .locator('.sidebar')
      .evaluate((sidebar) => Promise.all(sidebar.getAnimations().map((each) => each.finished)));
    expect(await inView(chat, '.sidebar')).toBe(false);
  });

  it('an open drawer gives way when the window becomes wide', async () => {
    const chat = await stage.page(await stage.playground(story()), { ...PHONE, touch: false });
    await chat.page.getByRole('button', { name: 'Open sidebar' }).click();
    await chat.page.setViewportSize({ width: 1100, height: 740 });
    await chat.page.locator('main:not([inert])').waitFor();
    expect(await inView(chat, '.sidebar')).toBe(true);
    await chat.say('wide again');
    await chat.showing('wide again').waitFor();
  });

  it('new messages elsewhere show at the button of the drawer', async () => {
    const playground = await stage.playground(story());
    const chat = await stage.page(playground, PHONE);
    playground.say(HARBOUR.channels.random, HARBOUR.authors.Aiko, 'Lunch?');
    await chat.page.getByRole('button', { name: 'Open sidebar, 1 new in other channels' }).waitFor();
  });

  it('an own message is edited by touch', async () => {
    const playground = await stage.playground(story());
    const chat = await stage.page(playground, PHONE);
    await chat.speakAs('Jonas');
    await chat.showing('tests included').getByRole('button', { name: 'Edit message' }).tap();
    await chat.page.getByRole('textbox', { name: 'Edit message' }).fill('Merged.');
    await chat.page.getByRole('button', { name: 'Save' }).tap();
    await chat.showing('Merged.').waitFor();
  });
});

describe('[PLY-1] colour schemes and motion of the chat page', () => {
  const stage = new Stage();
  beforeAll(() => stage.open());
  afterEach(() => stage.endTest());
  afterAll(() => stage.close());

  it.each([
    ['light', 200, 256],
    ['dark', 0, 60],
  ] as const)('follows the %s scheme of the system', async (scheme, least, most) => {
    const chat = await stage.page(await stage.playground(story()), { scheme });
    const ground = await brightness(chat);
    expect(ground).toBeGreaterThanOrEqual(least);
    expect(ground).toBeLessThan(most);
  });

  it('a chosen scheme stays after a reload, from the first paint on, and the system can have its way again', async () => {
    const chat = await stage.page(await stage.playground(story()), { scheme: 'light' });
    await chat.page.locator('.theme-switch label', { hasText: 'Dark' }).click();
    expect(await brightness(chat)).toBeLessThan(60);
    await chat.page.route('**/assets/app.js', (route) => route.abort());
    await chat.page.reload();
    expect(await brightness(chat)).toBeLessThan(60);
    await chat.page.unrouteAll();
    chat.problems.splice(0);
    await chat.page.reload();
    await chat.connected();
    expect(await chat.page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    await chat.page.locator('.theme-switch label', { hasText: 'System' }).click();
    expect(await brightness(chat)).toBeGreaterThan(200);
    await chat.page.emulateMedia({ colorScheme: 'dark' });
    expect(await brightness(chat)).toBeLessThan(60);
  });

  it.each(['no-preference', 'reduce'] as const)('motion: %s', async (reducedMotion) => {
    const playground = await stage.playground(story());
    const agent = await stage.agent(playground);
    const chat = await stage.page(playground, { channelId: ENGINEERING, reducedMotion });
    const end = agent.begin(ENGINEERING);
    await chat.page.locator('.agent-line .busy-dots').waitFor();
    const id = await agent.send(ENGINEERING, 'Writing');
    await chat.message(id).waitFor();
    const running = await chat.page.evaluate(
      () => document.getAnimations().filter(({ effect }) => effect?.getTiming().duration !== 0).length,
    );
    expect(running > 0).toBe(reducedMotion === 'no-preference');
    end();
  });
});
