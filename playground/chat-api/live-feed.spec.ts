// SPDX-License-Identifier: Apache-2.0
import { BorgeePlayground, HARBOUR } from '../borgee/index.js';

const { general } = HARBOUR.channels;
const { Mira } = HARBOUR.authors;

interface SeenEvent {
  readonly id: string;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A page that reads the live stream. */
class Page {
  private text = '';
  private readonly leaving = new AbortController();
  private reader!: ReadableStreamDefaultReader<Uint8Array>;

  static async open(playground: BorgeePlayground, lastEventId?: string): Promise<Page> {
    const page = new Page();
    const response = await fetch(`${playground.origin}/chat/api/live`, {
      headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
      signal: page.leaving.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    page.reader = response.body!.getReader();
    return page;
  }

  /** Reads until so many events are there. */
  async events(count: number): Promise<SeenEvent[]> {
    while (this.seen().length < count) {
      const { done, value } = await this.reader.read();
      if (done) throw new Error('The stream has ended.');
      this.text += Buffer.from(value).toString('utf8');
    }
    return this.seen();
  }

  leave(): void {
    this.leaving.abort();
  }

  private seen(): SeenEvent[] {
    return [...this.text.matchAll(/id: (.*)\nevent: (.*)\ndata: (.*)\n\n/g)].map(([, id, name, data]) => ({
      id: id!,
      name: name!,
      data: JSON.parse(data!) as Record<string, unknown>,
    }));
  }
}

describe('[PLY-1] the live stream of the chat page', () => {
  let playground: BorgeePlayground;
  beforeEach(async () => {
    playground = await BorgeePlayground.start();
  });
  afterEach(() => playground.close());

  it('tells of messages, edits and deletions', async () => {
    const page = await Page.open(playground);
    const { id } = playground.say(general, Mira, 'line one\nline two');
    playground.editMessage(id, 'edited');
    playground.deleteMessage(id);
    const events = await page.events(3);
    expect(events.map(({ name, data }) => [name, data['body']])).toEqual([
      ['message', 'line one\nline two'],
      ['edited', 'edited'],
      ['deleted', ''],
    ]);
    expect(new Set(events.map((event) => event.id)).size).toBe(3);
    page.leave();
  });

  it('gives a page that comes back what it missed, once', async () => {
    const page = await Page.open(playground);
    playground.say(general, Mira, 'seen');
    const [seen] = await page.events(1);
    page.leave();
    playground.say(general, Mira, 'missed');
    const back = await Page.open(playground, seen!.id);
    playground.say(general, Mira, 'new');
    expect((await back.events(2)).map(({ data }) => data['body'])).toEqual(['missed', 'new']);
    back.leave();
  });

  it.each(['other-3', 'nonsense', '-'])('asks a page to load anew when its place %j is unknown', async (lastId) => {
    playground.say(general, Mira, 'before');
    const page = await Page.open(playground, lastId);
    const [event] = await page.events(1);
    expect(event!.name).toBe('resync');
    page.leave();
    playground.say(general, Mira, 'after');
    const back = await Page.open(playground, event!.id);
    expect((await back.events(1))[0]!.data['body']).toBe('after');
    back.leave();
  });

  it('asks a page to load anew that was away for too long', async () => {
    const page = await Page.open(playground);
    playground.say(general, Mira, 'first');
    const [first] = await page.events(1);
    page.leave();
    for (let index = 0; index < 10_100; index += 1) playground.say(general, Mira, `message ${index}`);
    const back = await Page.open(playground, first!.id);
    expect((await back.events(1)).map(({ name }) => name)).toEqual(['resync']);
    back.leave();
  });

  it('ends with the playground', async () => {
    const page = await Page.open(playground);
    await playground.close();
    await expect(page.events(1)).rejects.toThrow();
  });
});
