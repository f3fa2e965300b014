// SPDX-License-Identifier: Apache-2.0
import { HARBOUR } from '../../playground/borgee/index.js';
import { takePicture } from '../support/browser-pictures.js';
import { Stage } from '../support/browser-stage.js';
import { askForNote, beginNote, greetElsewhere, story, STORY_NOW } from '../support/browser-story.js';

const ENGINEERING = HARBOUR.channels.engineering;
const DESK = { width: 1280, height: 940, now: STORY_NOW, channelId: ENGINEERING, scale: 2 } as const;
const PHONE = { ...DESK, width: 360, height: 740, touch: true } as const;

/** First bytes of a PNG, and its width in pixels. */
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const widthOf = (picture: Buffer): number => picture.readUInt32BE(16);

describe('[PLY-1] the pictures of the documentation are made from the running page', () => {
  const stage = new Stage();
  beforeAll(() => stage.open());
  afterEach(() => stage.endTest());
  afterAll(() => stage.close());

  it.each([
    ['chat-light', { ...DESK, scheme: 'light' }],
    ['chat-dark', { ...DESK, scheme: 'dark' }],
    ['chat-phone', { ...PHONE, scheme: 'light' }],
  ] as const)('%s', async (name, options) => {
    const playground = await stage.playground(story());
    await stage.agent(playground);
    const chat = await stage.page(playground, options);
    greetElsewhere(playground.world);
    await chat.page.locator('.unread').getByText('2').waitFor({ state: 'attached' });

    const picture = await takePicture(chat, name);

    expect(picture.subarray(0, PNG.length)).toEqual(PNG);
    expect(widthOf(picture)).toBe(options.width * options.scale);
  });

  it('chat-streaming', async () => {
    const world = story();
    const playground = await stage.playground(world);
    const agent = await stage.agent(playground);
    const chat = await stage.page(playground, { ...DESK, scheme: 'light' });
    const question = askForNote(world);
    const end = agent.begin(ENGINEERING);
    await chat.page.getByText('Hermes is working').waitFor();
    const note = beginNote(world, question);
    await chat.message(note.id).getByText('begins to download at once').waitFor();

    const picture = await takePicture(chat, 'chat-streaming');

    expect(picture.subarray(0, PNG.length)).toEqual(PNG);
    end();
    await chat.page.getByText('Hermes is working').waitFor({ state: 'hidden' });
  });
});
