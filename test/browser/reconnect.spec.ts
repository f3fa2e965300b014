// SPDX-License-Identifier: Apache-2.0
import { type BorgeePlayground, HARBOUR } from '../../playground/borgee/index.js';
import type { ChatPage } from '../support/browser-page.js';
import { emptyWorld, Stage } from '../support/browser-stage.js';

const { channels, authors } = HARBOUR;

describe('[PLY-1] reload and reconnect of the chat page', () => {
  const stage = new Stage();
  beforeAll(() => stage.open());
  afterEach(() => stage.endTest());
  afterAll(() => stage.close());

  const bodies = (chat: ChatPage): Promise<string[]> => chat.messages.locator('.text p').allTextContents();

  it('a reload keeps channel, person and drafts', async () => {
    const playground = await stage.playground();
    const chat = await stage.page(playground);
    await chat.openChannel('random');
    await chat.speakAs('Aiko');
    await chat.box.fill('half a thought');
    await chat.openChannel('engineering');
    await chat.box.fill('another');

    await chat.page.reload();
    await chat.connected();

    expect(await chat.page.getByRole('heading', { level: 1 }).textContent()).toBe('#engineering');
    expect(await chat.page.getByRole('radio', { name: 'Aiko' }).isChecked()).toBe(true);
    expect(await chat.box.inputValue()).toBe('another');
    await chat.openChannel('random');
    expect(await chat.box.inputValue()).toBe('half a thought');
  });

  it('the address names the channel: it can be shared, and the way back works', async () => {
    const playground = await stage.playground();
    const chat = await stage.page(playground, { channelId: channels.random });
    expect(await chat.page.getByRole('heading', { level: 1 }).textContent()).toBe('#random');
    await chat.openChannel('general');
    await chat.page.goBack();
    await chat.page.getByRole('heading', { level: 1, name: 'random' }).waitFor();
    await chat.page.goto(`${playground.origin}/#/no-such-channel`);
    await chat.page.getByRole('heading', { level: 1, name: 'general' }).waitFor();
    expect(new URL(chat.page.url()).hash).toBe(`#/${channels.general}`);
  });

  it('two tabs can be two people', async () => {
    const playground = await stage.playground();
    const chat = await stage.page(playground);
    await chat.speakAs('Jonas');
    const second = await chat.context.newPage();
    await second.goto(playground.origin);
    await second.getByRole('radio', { name: 'Jonas' }).and(second.locator(':checked')).waitFor({ state: 'attached' });
    await second.locator('.authors label', { hasText: 'Aiko' }).click();
    await chat.page.reload();
    await chat.connected();
    expect(await chat.page.getByRole('radio', { name: 'Jonas' }).isChecked()).toBe(true);
    await second.reload();
    await second.getByRole('radio', { name: 'Aiko' }).and(second.locator(':checked')).waitFor({ state: 'attached' });
  });

  it('shows that the server is away and catches up by itself: nothing is lost, nothing is shown twice', async () => {
    const playground = await stage.playground();
    playground.say(channels.general, authors.Mira, 'before');
    const edited = playground.say(channels.general, authors.Jonas, 'to be edited');
    const deleted = playground.say(channels.general, authors.Jonas, 'to be deleted');
    const chat = await stage.page(playground);
    await chat.openChannel('random');
    await chat.openChannel('general');

    await playground.goDown();
    await chat.page.getByText('Connection lost.').waitFor();
    await chat.page.locator('.presence[data-state="unknown"]').waitFor();
    expect(await chat.page.locator('.agent-line').textContent()).toBe('');
    playground.say(channels.general, authors.Mira, 'meanwhile');
    playground.say(channels.random, authors.Aiko, 'elsewhere');
    playground.editMessage(edited.id, 'was edited');
    playground.deleteMessage(deleted.id);
    await playground.comeBack();
    await chat.connected();

    expect(await bodies(chat)).toEqual(['before', 'was editededited', 'meanwhile']);
    await chat.message(deleted.id).getByText('Message deleted').waitFor();
    await chat.page.getByRole('link', { name: /random.*1 new$/u }).waitFor();
    playground.say(channels.general, authors.Mira, 'after');
    await chat.showing('after').waitFor();
    expect(await bodies(chat)).toEqual(['before', 'was editededited', 'meanwhile', 'after']);
    chat.forgiveAbsence();
  });

  it('dials at once when somebody asks for it', async () => {
    const playground = await stage.playground();
    const chat = await stage.page(playground);
    await playground.goDown();
    const retry = chat.page.getByRole('button', { name: 'Try now' });
    await retry.waitFor();
    const refused = chat.page.waitForEvent('requestfailed', (request) => request.url().endsWith('/live'));
    await retry.click();
    await refused;
    await playground.comeBack();
    await retry.click();
    await chat.connected();
    chat.forgiveAbsence();
  });

  it('a server of another run on the same port is caught up with as well', async () => {
    const world = emptyWorld();
    const first = await stage.playground(world);
    first.say(channels.general, authors.Mira, 'one');
    const chat = await stage.page(first);
    const port = Number(new URL(first.origin).port);
    await first.close();
    await chat.page.getByText('Connection lost.').waitFor();
    world.post({ channelId: channels.general, authorId: authors.Jonas, body: 'two' });

    const second = await stage.playground(world, port);
    await chat.connected();
    second.say(channels.general, authors.Mira, 'three');
    await chat.showing('three').waitFor();

    expect(await bodies(chat)).toEqual(['one', 'two', 'three']);
    chat.forgiveAbsence();
  });

  it('a server that has lost everything shows as it is', async () => {
    const first = await stage.playground();
    first.say(channels.general, authors.Mira, 'gone');
    const chat = await stage.page(first);
    const port = Number(new URL(first.origin).port);
    await first.close();
    await chat.page.getByText('Connection lost.').waitFor();

    const second = await stage.playground(emptyWorld(), port);
    second.say(channels.general, authors.Mira, 'fresh');
    await chat.connected();

    expect(await bodies(chat)).toEqual(['fresh']);
    chat.forgiveAbsence();
  });

  it('a gap of more messages than a page holds is closed without a hole', async () => {
    const playground = await stage.playground();
    for (let count = 1; count <= 150; count += 1) playground.say(channels.general, authors.Mira, `m${count}`);
    const chat = await stage.page(playground);
    await playground.goDown();
    await chat.page.getByText('Connection lost.').waitFor();
    for (let count = 151; count <= 400; count += 1) playground.say(channels.general, authors.Mira, `m${count}`);
    await playground.comeBack();
    await chat.connected();
    await chat.showing('m400').waitFor();

    const drawn: string[] = [];
    for (;;) {
      const shown = await bodies(chat);
      drawn.push(...shown.filter((body) => !drawn.includes(body)));
      if (shown.includes('m1')) break;
      await chat.list.evaluate(async (list) => {
        list.scrollTop = 0;
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      });
    }
    const numbers = drawn.map((body) => Number(body.slice(1))).sort((left, right) => left - right);
    expect(numbers).toEqual(Array.from({ length: 400 }, (_, index) => index + 1));
    chat.forgiveAbsence();
  });

  it('whoever reads far above stays there, and sees what was changed there meanwhile', async () => {
    const playground = await stage.playground();
    for (let count = 1; count <= 250; count += 1) playground.say(channels.general, authors.Mira, `m${count} says`);
    const chat = await stage.page(playground);
    while ((await chat.showing('m20 says').count()) === 0) {
      await chat.list.evaluate(async (list) => {
        list.scrollTop = 0;
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      });
    }
    const place = chat.showing('m60 says');
    await place.evaluate((row) => row.scrollIntoView({ block: 'start' }));
    const id = (await place.getAttribute('data-message'))!;
    const top = await chat.topOf(id);
    await playground.goDown();
    await chat.page.getByText('Connection lost.').waitFor();
    for (let count = 251; count <= 400; count += 1) playground.say(channels.general, authors.Mira, `m${count} says`);
    playground.editMessage(id, 'm60 says something else');
    await playground.comeBack();
    await chat.connected();

    await chat.message(id).getByText('something else').waitFor();
    expect(Math.abs((await chat.topOf(id)) - top)).toBeLessThanOrEqual(1);
    await chat.page.getByRole('button', { name: '150 new messages' }).waitFor();
    chat.forgiveAbsence();
  });

  it('what could not be sent is back in the message box, in order, with what was typed since', async () => {
    const playground = await stage.playground();
    const chat = await stage.page(playground);
    await playground.goDown();
    await chat.page.getByText('Connection lost.').waitFor();
    await chat.say('important');
    await chat.page.getByRole('alert').getByText('Not sent. The chat server cannot be reached.').waitFor();
    expect(await chat.box.inputValue()).toBe('important');
    await playground.comeBack();
    await chat.connected();
    await chat.box.press('Enter');
    await chat.showing('important').waitFor();
    expect(playground.messages(channels.general).map(({ body }) => body)).toEqual(['important']);
    expect(await chat.page.getByRole('alert').count()).toBe(0);
    chat.forgiveAbsence();
  });

  it('says why the server refuses a message', async () => {
    const playground: BorgeePlayground = await stage.playground();
    const chat = await stage.page(playground);
    const long = 'x'.repeat(300_000);
    await chat.say(long);
    await chat.page.getByRole('alert').getByText('Not sent. This message is too long. Your text is kept.').waitFor();
    expect((await chat.box.inputValue()).length).toBe(long.length);
    await chat.page.getByRole('button', { name: 'Dismiss' }).click();
    expect(await chat.page.getByRole('alert').count()).toBe(0);
    const refusals = chat.problems.splice(0);
    expect(refusals.every((problem) => problem.includes('413'))).toBe(true);
  });
});
