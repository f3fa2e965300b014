// SPDX-License-Identifier: Apache-2.0
import { HARBOUR } from '../../playground/borgee/index.js';
import { findBarriers } from '../support/browser-axe.js';
import type { ChatPage, PageOptions } from '../support/browser-page.js';
import { Stage } from '../support/browser-stage.js';
import { askForNote, beginNote, greetElsewhere, story, STORY_NOW } from '../support/browser-story.js';

const ENGINEERING = HARBOUR.channels.engineering;

const WIDTHS = { desk: { width: 1200, height: 800 }, phone: { width: 360, height: 740, touch: true } } as const;

/** Every scheme at every width. */
const LOOKS = (['light', 'dark'] as const).flatMap((scheme) =>
  (['desk', 'phone'] as const).map((width): [string, PageOptions] => [
    `${scheme}, ${width}`,
    { ...WIDTHS[width], scheme, channelId: ENGINEERING, reducedMotion: 'reduce' },
  ]),
);

describe.each(LOOKS)('[PLY-1] axe finds no barrier: %s', (_look, options) => {
  const stage = new Stage();
  beforeAll(() => stage.open());
  afterEach(() => stage.endTest());
  afterAll(() => stage.close());

  const clean = async (chat: ChatPage): Promise<void> => expect(await findBarriers(chat)).toEqual([]);

  it('conversation, reply, code, deleted and edited messages, unread channel, streaming', async () => {
    const world = story();
    const playground = await stage.playground(world);
    const agent = await stage.agent(playground);
    const chat = await stage.page(playground, { ...options, now: STORY_NOW });
    greetElsewhere(world);
    await clean(chat);

    const end = agent.begin(ENGINEERING);
    await chat.page.getByText('Hermes is working').waitFor();
    const note = beginNote(world, askForNote(world));
    await chat.page.locator(`.is-writing[data-message="${note.id}"]`).waitFor();
    await clean(chat);
    end();

    await chat.message(note.id).getByRole('button', { name: 'In reply to' }).click();
    await chat.page.locator('.is-pointed-out').waitFor();
    await clean(chat);
  });

  it('own messages: actions, editor, dialog', async () => {
    const playground = await stage.playground(story());
    const chat = await stage.page(playground, options);
    const own = playground.say(ENGINEERING, HARBOUR.authors.Mira, 'Mine');
    await chat.message(own.id).hover();
    await clean(chat);
    await chat.message(own.id).getByRole('button', { name: 'Edit message' }).click();
    await clean(chat);
    await chat.page.keyboard.press('Escape');
    await chat.message(own.id).hover();
    await chat.message(own.id).getByRole('button', { name: 'Delete message' }).click();
    await chat.page.getByRole('dialog').waitFor();
    await clean(chat);
  });

  it('empty channel, agent offline, connection lost, text not sent, scrolled up', async () => {
    const playground = await stage.playground(story());
    const chat = await stage.page(playground, { ...options, channelId: HARBOUR.channels.random });
    await chat.page.locator('.empty').waitFor();
    await chat.page.getByText('Hermes is offline.').waitFor();
    await clean(chat);

    await playground.goDown();
    await chat.page.getByText('Connection lost.').waitFor();
    await chat.say('later');
    await chat.page.getByRole('alert').waitFor();
    await clean(chat);
    await playground.comeBack();
    await chat.connected();

    for (let count = 0; count < 60; count += 1) {
      playground.say(HARBOUR.channels.random, HARBOUR.authors.Jonas, `Line ${count}`);
    }
    await chat.showing('Line 59').waitFor();
    await chat.list.evaluate((list) => (list.scrollTop = 0));
    await chat.page.locator('.to-latest').waitFor();
    await clean(chat);
    chat.forgiveAbsence();
  });

  it('direct message, and the open drawer where there is one', async () => {
    const playground = await stage.playground(story());
    const chat = await stage.page(playground, { ...options, channelId: HARBOUR.directMessages.Mira });
    await clean(chat);
    const menu = chat.page.getByRole('button', { name: 'Open sidebar' });
    if (await menu.isVisible()) await menu.click();
    expect(await chat.page.locator('.sidebar').isVisible()).toBe(true);
    await chat.page
      .locator('.sidebar')
      .evaluate((bar) => Promise.all(bar.getAnimations().map((each) => each.finished)));
    await clean(chat);
  });
});
