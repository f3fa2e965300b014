// SPDX-License-Identifier: Apache-2.0
import { type BorgeePlayground, HARBOUR, type Message } from '../../playground/borgee/index.js';
import type { ChatPage } from '../support/browser-page.js';
import { emptyWorld, Stage } from '../support/browser-stage.js';

const GENERAL = HARBOUR.channels.general;
const PEOPLE = Object.values(HARBOUR.authors);
const COUNT = 2_000;

/** Rows that the page draws at most (view/timeline-window.ts). */
const MAX_ROWS = 240;

/** A channel with 2,000 messages of different lengths. */
function longHistory(): { world: ReturnType<typeof emptyWorld>; messages: Message[] } {
  const world = emptyWorld();
  const start = Date.UTC(2026, 4, 1);
  const messages = Array.from({ length: COUNT }, (_, index) =>
    world.post({
      channelId: GENERAL,
      authorId: PEOPLE[(index * 7) % PEOPLE.length]!,
      body: `Message ${index + 1}. ${'A few more words to fill the line. '.repeat((index * 13) % 9)}`,
      createdAt: start + index * 90_000,
    }),
  );
  return { world, messages };
}

/** The first row that is seen, and where its upper edge stands. */
function firstSeen(chat: ChatPage): Promise<{ id: string; top: number }> {
  return chat.list.evaluate((list) => {
    const edge = list.getBoundingClientRect().top;
    const rows = [...list.querySelectorAll<HTMLElement>('[data-message]')];
    const row = rows.find((each) => each.getBoundingClientRect().bottom > edge)!;
    return { id: row.dataset['message']!, top: row.getBoundingClientRect().top };
  });
}

/**
 * Scrolls up by most of a page. Looking, scrolling and looking again are one step within the page, so that nothing can come between.
 * @returns by how many pixels the first row that was seen stands beside its place, null when it is no longer drawn
 */
function readUp(chat: ChatPage): Promise<number | null> {
  return chat.list.evaluate(async (list) => {
    const edge = list.getBoundingClientRect().top;
    const rows = [...list.querySelectorAll<HTMLElement>('[data-message]')];
    const seen = rows.find((row) => row.getBoundingClientRect().bottom > edge)!;
    const [id, before, from] = [seen.dataset['message']!, seen.getBoundingClientRect().top, list.scrollTop];
    list.scrollTop -= 700;
    const moved = from - list.scrollTop;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const row = [...list.querySelectorAll<HTMLElement>('[data-message]')].find(
      (each) => each.dataset['message'] === id,
    );
    return row === undefined ? null : Math.abs(row.getBoundingClientRect().top - before - moved);
  });
}

describe('[PLY-1] a history of 2,000 messages', () => {
  const stage = new Stage();
  let playground: BorgeePlayground;
  let messages: Message[];
  beforeAll(() => stage.open());
  beforeEach(async () => {
    const history = longHistory();
    ({ messages } = history);
    playground = await stage.playground(history.world);
  });
  afterEach(() => stage.endTest());
  afterAll(() => stage.close());

  it('opens at its end and draws only a part', async () => {
    const chat = await stage.page(playground);
    await chat.message(messages.at(-1)!.id).waitFor();
    expect(await chat.fromEnd()).toBeLessThan(2);
    expect(await chat.messages.count()).toBeLessThanOrEqual(MAX_ROWS);
  });

  it('can be read upwards to its beginning, each message once and in order, without a jump', async () => {
    const chat = await stage.page(playground);
    const seen = new Set<string>();
    const jumps: number[] = [];
    let rows = 0;
    for (let steps = 0; seen.size < COUNT; steps += 1) {
      if (steps > 3_000) throw new Error(`Only ${seen.size} messages were seen.`);
      const jump = await readUp(chat);
      if (jump !== null) jumps.push(jump);
      const drawn = await chat.messages.evaluateAll((all) =>
        all.map((row) => (row as HTMLElement).dataset['message']!),
      );
      rows = Math.max(rows, drawn.length);
      const at = messages.findIndex((message) => message.id === drawn[0]);
      expect(drawn).toEqual(messages.slice(at, at + drawn.length).map((message) => message.id));
      for (const id of drawn) seen.add(id);
    }
    await chat.page.getByText('This is where the conversation begins.').waitFor({ state: 'attached' });
    expect(jumps.length).toBeGreaterThan(50);
    expect(Math.max(...jumps)).toBeLessThanOrEqual(1.5);
    expect(rows).toBeLessThanOrEqual(MAX_ROWS);
  }, 120_000);

  it('keeps the place of the reader when a page is read, a message changes and new ones come', async () => {
    const chat = await stage.page(playground);
    await chat.list.evaluate((list) => (list.scrollTop -= 1_500));
    await chat.page.locator('.to-latest').waitFor();
    const place = await firstSeen(chat);

    const above = await chat.messages.first().getAttribute('data-message');
    playground.editMessage(above!, `Longer. ${'Much longer than before. '.repeat(80)}`);
    await chat.message(above!).getByText('Longer.').waitFor({ state: 'attached' });
    expect(Math.abs((await chat.topOf(place.id)) - place.top)).toBeLessThanOrEqual(1);

    for (let count = 1; count <= 30; count += 1) playground.say(GENERAL, PEOPLE[0]!, `New ${count}`);
    await chat.page.getByRole('button', { name: '30 new messages' }).waitFor();
    expect(Math.abs((await chat.topOf(place.id)) - place.top)).toBeLessThanOrEqual(1);

    await chat.page.setViewportSize({ width: 900, height: 700 });
    await chat.page.waitForFunction(
      ([id, top]) => {
        const row = document.querySelector(`[data-message="${id}"]`);
        return row !== null && Math.abs(row.getBoundingClientRect().top - Number(top)) <= 1;
      },
      [place.id, String(place.top)],
    );
  });

  it('a burst of 300 messages leaves the reader at the end, with a bounded number of rows', async () => {
    const chat = await stage.page(playground);
    for (let count = 1; count <= 300; count += 1) playground.say(GENERAL, PEOPLE[count % 3]!, `Burst ${count}`);
    await chat.showing('Burst 300').waitFor();
    expect(await chat.fromEnd()).toBeLessThan(2);
    expect(await chat.messages.count()).toBeLessThanOrEqual(MAX_ROWS);
  });

  it('a keystroke and an edit of an answer are drawn within a frame or two', async () => {
    const chat = await stage.page(playground);
    await chat.list.evaluate((list) => (list.scrollTop -= 3_000));
    await chat.page.locator('.to-latest').waitFor();
    await chat.box.focus();
    const longest = await chat.box.evaluate((box: HTMLTextAreaElement) => {
      const times = Array.from({ length: 30 }, (_, index) => {
        const start = performance.now();
        box.value += String(index);
        box.dispatchEvent(new InputEvent('input', { bubbles: true }));
        return performance.now() - start;
      });
      return times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)]!;
    });
    expect(longest).toBeLessThan(33);
    expect(await chat.box.inputValue()).toMatch(/^0123/u);
  });

  it('a reply leads to a message far above, which is read and drawn', async () => {
    const agent = await stage.agent(playground);
    const target = messages[300]!;
    const id = await agent.send(GENERAL, 'That one', target.id);
    const chat = await stage.page(playground);
    await chat.message(id).getByRole('button', { name: 'In reply to' }).click();
    await chat.page.locator(`[data-message="${target.id}"]:focus`).waitFor();
    await chat.showing('Message 290.').waitFor({ state: 'attached' });
  });
});
