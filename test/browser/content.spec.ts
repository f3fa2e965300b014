// SPDX-License-Identifier: Apache-2.0
import { type BorgeePlayground, HARBOUR } from '../../playground/borgee/index.js';
import { Stage } from '../support/browser-stage.js';

const { channels, authors } = HARBOUR;

describe('[PLY-1] what a message says stays text', () => {
  const stage = new Stage();
  let playground: BorgeePlayground;
  beforeAll(() => stage.open());
  beforeEach(async () => {
    playground = await stage.playground();
  });
  afterEach(() => stage.endTest());
  afterAll(() => stage.close());

  it.each([
    '<script>globalThis.ran = true</script>',
    '<img src="x" onerror="globalThis.ran = true">',
    '<svg/onload=globalThis.ran=true>',
    '"><iframe srcdoc="<script>parent.ran=true</script>">',
    '&lt;b&gt; &amp; <b>bold</b>',
    '<style>* { display: none }</style>',
  ])('%s is shown and not run', async (body) => {
    const message = playground.say(channels.general, authors.Jonas, body);
    const chat = await stage.page(playground);

    expect(await chat.message(message.id).locator('.text p').textContent()).toBe(body);
    expect(await chat.message(message.id).locator('script, img, svg, iframe, b, style').count()).toBe(0);
    expect(await chat.page.evaluate(() => Reflect.get(globalThis, 'ran') as unknown)).toBeUndefined();
  });

  it('markup in names, quotations, dialogs and titles is text as well', async () => {
    const name = '<img src=x onerror=alert(1)>';
    playground.world.addAuthor(name, 'author-markup');
    playground.addChannel({ id: 'channel-markup', name: '<b>x</b>' });
    const question = playground.say('channel-markup', 'author-markup', '<u>why</u>');
    const agent = await stage.agent(playground);
    await agent.send('channel-markup', 'because', question.id);
    const chat = await stage.page(playground, { channelId: 'channel-markup' });
    await chat.speakAs(name);
    await chat.message(question.id).hover();
    await chat.message(question.id).getByRole('button', { name: 'Delete message' }).click();

    expect(await chat.page.getByRole('dialog').locator('blockquote').textContent()).toBe('<u>why</u>');
    expect(await chat.page.locator('main img, main b, main u, dialog u').count()).toBe(0);
    expect(await chat.page.title()).toBe('#<b>x</b> · Angelia playground');
  });

  it('links lead only to http and https, in a window that does not know us', async () => {
    const body =
      'https://example.com/a?b=(c). [docs](https://example.com/docs) [bad](javascript:alert(1)) javascript:alert(2) data:text/html,x';
    const message = playground.say(channels.general, authors.Jonas, body);
    const chat = await stage.page(playground);

    const links = await chat
      .message(message.id)
      .locator('a')
      .evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.textContent, link.getAttribute('rel')]));

    const rel = 'noopener noreferrer nofollow';
    expect(links).toEqual([
      ['https://example.com/a?b=(c)', 'https://example.com/a?b=(c)', rel],
      ['https://example.com/docs', 'docs', rel],
    ]);
  });

  it('code keeps its spaces and marks, and an open fence is code already', async () => {
    const message = playground.say(
      channels.general,
      authors.Jonas,
      'See:\n\n```py\ndef f():\n    return "**x** <b>"\n',
    );
    const chat = await stage.page(playground);
    const code = chat.message(message.id).getByRole('group', { name: 'Code, py' });
    expect(await code.textContent()).toBe('def f():\n    return "**x** <b>"\n');
  });

  it('long words, other writing directions and emoji stay inside the column', async () => {
    const word = playground.say(channels.general, authors.Jonas, 'w'.repeat(600));
    const hebrew = playground.say(channels.general, authors.Jonas, 'שלום עולם 👋🏽');
    const chat = await stage.page(playground, { width: 360, height: 700 });
    expect(await chat.list.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await chat.message(word.id).waitFor();
    const direction = await chat
      .message(hebrew.id)
      .locator('.text')
      .evaluate((text) => getComputedStyle(text).direction);
    expect(direction).toBe('rtl');
  });

  it('a very long message is cut until somebody wants all of it', async () => {
    const message = playground.say(channels.general, authors.Jonas, `${'word '.repeat(10_000)}end`);
    const chat = await stage.page(playground);
    const text = chat.message(message.id).locator('.text');
    expect((await text.textContent())!.length).toBeLessThan(21_000);
    await text.getByRole('button', { name: 'Show the whole message (50,003 characters)' }).click();
    expect(await text.textContent()).toMatch(/ end$/u);
  });

  it('the page keeps the strict Content-Security-Policy: nothing inline, nothing foreign', async () => {
    const answer = await fetch(playground.origin);
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const html = await answer.text();
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/u);

    const chat = await stage.page(playground);
    const broken: string[] = [];
    await chat.page.exposeFunction('noteViolation', (directive: string) => broken.push(directive));
    await chat.page.evaluate(() => {
      const note = Reflect.get(globalThis, 'noteViolation') as (directive: string) => void;
      addEventListener('securitypolicyviolation', (event) => note(event.violatedDirective));
    });
    await chat.say('a\nb\nc');
    await chat.showing('b').waitFor();
    await chat.box.press('ArrowUp');
    await chat.page.getByRole('button', { name: 'Cancel' }).click();
    const sources = await chat.page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin),
    );
    expect(new Set(sources)).toEqual(new Set([playground.origin]));
    expect(broken).toEqual([]);
  });
});
