// SPDX-License-Identifier: Apache-2.0
import { HARBOUR, harbour } from './harbour.js';
import { type WorldChange, WorldError, type WorldErrorCode } from './types.js';
import type { World } from './world.js';

const { general } = HARBOUR.channels;
const { Mira, Jonas } = HARBOUR.authors;

describe('[PLY-1] the world of the playground', () => {
  let world: World;
  beforeEach(() => {
    world = harbour({ id: 'agent-angelia', name: 'Angelia' });
  });

  it('begins as the harbour: a guild, three channels, three people, a direct message of each', () => {
    expect(world.people.map(({ name }) => name)).toEqual(['Mira', 'Jonas', 'Aiko']);
    const channels = [...world.channels.values()];
    expect(channels.filter(({ type }) => type === 'channel').map(({ name }) => name)).toEqual([
      'general',
      'engineering',
      'random',
    ]);
    expect(channels.filter(({ type }) => type === 'dm').map(({ personId }) => personId)).toEqual(
      world.people.map(({ id }) => id),
    );
  });

  it('tells of each change', () => {
    const heard: WorldChange[] = [];
    const leave = world.onChange((change) => heard.push(change));
    const { id } = world.post({ channelId: general, authorId: Mira, body: 'hi' });
    world.edit(id, Mira, 'hi!');
    world.remove(id, Mira);
    leave();
    world.post({ channelId: general, authorId: Mira, body: 'unheard' });
    expect(heard.map(({ kind }) => kind)).toEqual(['message', 'edited', 'deleted']);
    expect(world.message(id)).toMatchObject({ body: '', deleted: true, editedAt: expect.any(Number) });
  });

  it('delivers a text that names the agent as a mention', () => {
    const kinds = ['hello', 'hello @angelia', 'hello @Angelia!'].map(
      (body) => world.post({ channelId: general, authorId: Mira, body }).kind,
    );
    expect(kinds).toEqual(['message', 'mention', 'mention']);
  });

  it('pages backwards', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'].map((body) => world.post({ channelId: general, authorId: Mira, body }).id);
    const newest = world.page(general, null, 2);
    expect(newest).toMatchObject({ messages: [{ body: 'd' }, { body: 'e' }], more: true });
    expect(world.page(general, ids[3]!, 3)).toMatchObject({
      messages: [{ body: 'a' }, { body: 'b' }, { body: 'c' }],
      more: false,
    });
    expect(world.page(HARBOUR.channels.random, null, 2)).toEqual({ messages: [], more: false });
  });

  it.each<[WorldErrorCode, (world: World, id: string) => unknown]>([
    ['channel_unknown', (each) => each.post({ channelId: 'x', authorId: Mira, body: 'x' })],
    ['author_unknown', (each) => each.post({ channelId: general, authorId: 'x', body: 'x' })],
    ['text_missing', (each) => each.post({ channelId: general, authorId: Mira, body: ' \n' })],
    ['not_a_member', (each) => each.post({ channelId: HARBOUR.directMessages.Mira, authorId: Jonas, body: 'x' })],
    ['message_unknown', (each) => each.edit('x', Mira, 'x')],
    ['message_unknown', (each) => each.page(general, 'x', 5)],
    ['not_the_author', (each, id) => each.edit(id, Jonas, 'x')],
    ['text_missing', (each, id) => each.edit(id, Mira, '')],
    ['message_deleted', (each, id) => each.edit(each.remove(id, Mira).id, Mira, 'x')],
  ])('refuses with %s', (code, act) => {
    const { id } = world.post({ channelId: general, authorId: Mira, body: 'mine' });
    expect(() => act(world, id)).toThrow(new WorldError(code));
  });
});
