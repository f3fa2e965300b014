// SPDX-License-Identifier: Apache-2.0
import { type ChatAgent, type ChatMessage, type ChatSnapshot } from '../api/wire.js';
import { type ChatState, INITIAL_STATE, timelineOf } from './chat-state.js';
import { withAuthor, withLive, withRun, withSnapshot, withTimeline } from './transitions.js';

const agent = (...busy: string[]): ChatAgent => ({ id: 'agent', name: 'Hermes', online: true, busy });

const SNAPSHOT: ChatSnapshot = {
  agent: agent(),
  authors: [
    { id: 'mira', name: 'Mira' },
    { id: 'jonas', name: 'Jonas' },
  ],
  channels: [
    { id: 'one', type: 'channel', name: 'one', guild: 'Harbour', person_id: null },
    { id: 'two', type: 'channel', name: 'two', guild: 'Harbour', person_id: null },
    { id: 'dm-mira', type: 'dm', name: 'Mira', guild: null, person_id: 'mira' },
    { id: 'dm-jonas', type: 'dm', name: 'Jonas', guild: null, person_id: 'jonas' },
  ],
};

const message = (id: string, channel_id = 'one', author_id = 'jonas', body = id): ChatMessage => ({
  id,
  channel_id,
  author_id,
  author_name: author_id,
  body,
  created_at: 1,
  edited_at: null,
  deleted: false,
  reply_to_id: null,
  by_agent: author_id === 'agent',
});

/** Mira in channel one, both channels loaded and empty. */
function opened(): ChatState {
  const empty = { messages: [], more: false };
  const state = withSnapshot(INITIAL_STATE, SNAPSHOT);
  return withRun(withRun(state, 'one', empty, new Set()), 'two', empty, new Set());
}

const live = (state: ChatState, ...messages: ChatMessage[]): ChatState =>
  messages.reduce((before, each) => withLive(before, { type: 'message', message: each }), state);

describe('[PLY-1] who speaks, and where', () => {
  it('the first person and channel, if nothing was kept', () => {
    expect(opened()).toMatchObject({ authorId: 'mira', channelId: 'one' });
  });

  it.each([
    [
      { authorId: 'jonas', channelId: 'two' },
      { authorId: 'jonas', channelId: 'two' },
    ],
    [
      { authorId: 'jonas', channelId: 'dm-jonas' },
      { authorId: 'jonas', channelId: 'dm-jonas' },
    ],
    [
      { authorId: 'jonas', channelId: 'dm-mira' },
      { authorId: 'jonas', channelId: 'one' },
    ],
    [
      { authorId: 'gone', channelId: 'gone' },
      { authorId: 'mira', channelId: 'one' },
    ],
  ])('%j was kept', (kept, shown) => {
    expect(withSnapshot({ ...INITIAL_STATE, ...kept }, SNAPSHOT)).toMatchObject(shown);
  });

  it.each([
    ['two', 'two'],
    ['dm-mira', 'dm-jonas'],
  ])('another person speaks in %s', (before, after) => {
    const state = withAuthor({ ...opened(), channelId: before }, 'jonas');
    expect(state).toMatchObject({ authorId: 'jonas', channelId: after });
  });

  it('without channels nothing is open', () => {
    expect(withSnapshot(INITIAL_STATE, { ...SNAPSHOT, channels: [] }).channelId).toBeNull();
  });
});

describe('[PLY-1] what is new', () => {
  it('counts in channels that are not open, once for each message', () => {
    const state = live(opened(), message('1', 'two'), message('2', 'two'), message('1', 'two'), message('3'));
    expect([...state.unread]).toEqual([['two', 2]]);
  });

  it('counts in a channel that was never opened', () => {
    expect([...live(opened(), message('1', 'dm-mira')).unread]).toEqual([['dm-mira', 1]]);
  });

  it('what a run brings counts as well, without what came live', () => {
    const state = live(opened(), message('1', 'two'));
    const run = { messages: [message('1', 'two'), message('2', 'two')], more: false };
    expect([...withRun(state, 'two', run, new Set()).unread]).toEqual([['two', 2]]);
  });

  it('the first run of a channel is history, not news', () => {
    const state = withTimeline(opened(), 'dm-mira', timelineOf(opened(), 'dm-mira'));
    const run = { messages: [message('1', 'dm-mira')], more: false };
    expect(withRun(state, 'dm-mira', run, new Set()).unread.size).toBe(0);
  });

  it('is announced in the open channel, of others, five at most', () => {
    const many = Array.from({ length: 7 }, (_, index) => message(`m${index}`));
    const state = live(opened(), message('elsewhere', 'two'), message('own', 'one', 'mira'), ...many);
    expect(state.announcements.map(({ text }) => text)).toEqual(
      ['m2', 'm3', 'm4', 'm5', 'm6'].map((text) => `jonas: ${text}`),
    );
    expect(new Set(state.announcements.map(({ id }) => id)).size).toBe(5);
  });
});

describe('[PLY-1] the answer that is being written', () => {
  const busy = (state: ChatState, ...channels: string[]): ChatState =>
    withLive(state, { type: 'agent', agent: agent(...channels) });
  const grown = (body: string, at: number): ChatMessage => ({ ...message('a', 'one', 'agent', body), edited_at: at });

  it('is marked while the agent is busy, and announced once when it has ended', () => {
    const begun = live(busy(opened(), 'one'), message('a', 'one', 'agent', 'Let'));
    expect([...begun.writing]).toEqual([['one', 'a']]);
    const further = withLive(begun, { type: 'edited', message: grown('Let me see', 5) });
    expect(further.announcements).toEqual([]);
    const ended = busy(further);
    expect(ended.writing.size).toBe(0);
    expect(ended.announcements.map(({ text }) => text)).toEqual(['agent: Let me see']);
  });

  it('a second message of the same turn ends the first', () => {
    const state = live(busy(opened(), 'one'), message('a', 'one', 'agent'), message('b', 'one', 'agent'));
    expect([...state.writing]).toEqual([['one', 'b']]);
    expect(state.announcements.map(({ text }) => text)).toEqual(['agent: a']);
  });

  it('a message without a task is complete at once', () => {
    const state = live(busy(opened(), 'two'), message('a', 'one', 'agent'));
    expect(state.writing.size).toBe(0);
    expect(state.announcements).toHaveLength(1);
  });

  it('is over when the agent is gone, or the message is deleted', () => {
    const begun = live(busy(opened(), 'one'), message('a', 'one', 'agent'));
    const gone = withLive(begun, { type: 'agent', agent: { ...agent('one'), online: false } });
    expect(gone.writing.size).toBe(0);
    const removed = withLive(begun, {
      type: 'deleted',
      message: { ...message('a', 'one', 'agent', ''), deleted: true },
    });
    expect([removed.writing.size, removed.announcements.length]).toEqual([0, 0]);
  });

  it('is known again when the page was loaded in the middle of it', () => {
    const loaded = busy(withRun(opened(), 'one', { messages: [grown('Half', 3)], more: false }, new Set()), 'one');
    expect(loaded.writing.size).toBe(0);
    expect([...withLive(loaded, { type: 'edited', message: grown('Half of it', 4) }).writing]).toEqual([['one', 'a']]);
  });
});
