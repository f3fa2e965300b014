// SPDX-License-Identifier: Apache-2.0
import { type ChatAgent, type ChatMessage, type ChatPage, type ChatSnapshot, type LiveEvent } from '../api/wire.js';
import { excerpt } from '../text/blocks.js';
import { type ChatState, timelineOf, visibleChannels, withEntry, worksIn } from './chat-state.js';
import { find, rejoin, revise, type Timeline, upsert } from './timeline.js';

/** Characters of a message that a screen reader is told, and how many announcements stay in the page. */
const ANNOUNCED_LENGTH = 300;
const KEPT_ANNOUNCEMENTS = 5;

/** Takes agent, people and channels, and chooses who speaks and what is open if that is not settled or gone. */
export function withSnapshot(state: ChatState, snapshot: ChatSnapshot): ChatState {
  const author = snapshot.authors.find((each) => each.id === state.authorId) ?? snapshot.authors[0];
  const { agent, authors, channels } = snapshot;
  const told = withAgent({ ...state, authors, channels, authorId: author?.id ?? null }, agent);
  const visible = visibleChannels(told);
  const channel = visible.find((each) => each.id === state.channelId) ?? visible[0];
  return withOpenChannel(told, channel?.id ?? null);
}

/** Opens a channel; what is in it counts as read. */
export function withOpenChannel(state: ChatState, channelId: string | null): ChatState {
  return {
    ...state,
    channelId,
    unread: channelId === null ? state.unread : withEntry(state.unread, channelId, undefined),
  };
}

/** Lets somebody else speak. An open direct message gives way to that person's own. */
export function withAuthor(state: ChatState, authorId: string): ChatState {
  const next = { ...state, authorId };
  const open = visibleChannels(next).find((channel) => channel.id === state.channelId);
  if (open !== undefined) return next;
  const own = visibleChannels(next).find((channel) => channel.type === 'dm') ?? visibleChannels(next)[0];
  return withOpenChannel(next, own?.id ?? null);
}

/** Takes one live event. An event that came before changes nothing. */
export function withLive(state: ChatState, event: LiveEvent): ChatState {
  switch (event.type) {
    case 'agent':
      return withAgent(state, event.agent);
    case 'message':
      return withNewMessage(state, event.message);
    case 'edited':
    case 'deleted':
      return withChange(state, event.message);
  }
}

/** Joins a run that the server has told with what is known of a channel; see {@link rejoin}. */
export function withRun(state: ChatState, channelId: string, run: ChatPage, seen: ReadonlySet<string>): ChatState {
  const before = timelineOf(state, channelId);
  const known = new Set(before.messages.map((message) => message.id));
  const missed = before.loaded ? run.messages.filter((message) => !known.has(message.id)).length : 0;
  return withTimeline(withUnread(state, channelId, missed), channelId, rejoin(before, run, seen));
}

/** Replaces the timeline of a channel. */
export function withTimeline(state: ChatState, channelId: string, timeline: Timeline): ChatState {
  return { ...state, timelines: withEntry(state.timelines, channelId, timeline) };
}

/** Adds to what is unread in a channel that is not open. */
function withUnread(state: ChatState, channelId: string, count: number): ChatState {
  if (count === 0 || channelId === state.channelId) return state;
  return { ...state, unread: withEntry(state.unread, channelId, (state.unread.get(channelId) ?? 0) + count) };
}

/** A message that nobody has seen here, or a repeat of one. */
function withNewMessage(state: ChatState, message: ChatMessage): ChatState {
  const channelId = message.channel_id;
  const timeline = timelineOf(state, channelId);
  if (find(timeline, message.id) !== undefined) return withChange(state, message);
  const counted = withUnread(state, channelId, 1);
  const known = state.timelines.has(channelId);
  const next = known ? withTimeline(counted, channelId, upsert(timeline, message)) : counted;
  return message.by_agent ? withAgentText(next, message) : announced(next, message);
}

/** A message was edited or deleted. */
function withChange(state: ChatState, message: ChatMessage): ChatState {
  const timeline = timelineOf(state, message.channel_id);
  const revised = revise(timeline, message);
  const next = revised === timeline ? state : withTimeline(state, message.channel_id, revised);
  if (message.by_agent && !message.deleted) return withAgentText(next, message);
  return next.writing.get(message.channel_id) === message.id ? withoutWriting(next, message.channel_id) : next;
}

/** The agent wrote: while it has a task in the channel it may go on, and is announced when it has ended. */
function withAgentText(state: ChatState, message: ChatMessage): ChatState {
  const channelId = message.channel_id;
  const before = state.writing.get(channelId);
  if (before === message.id) return state;
  const settled = before === undefined ? state : withoutWriting(state, channelId);
  if (state.agent === null || !worksIn(state.agent, channelId)) return announced(settled, message);
  return { ...settled, writing: withEntry(settled.writing, channelId, message.id) };
}

/** Takes the agent's state; what it wrote where it is no longer at work is complete, as far as it will be. */
function withAgent(state: ChatState, agent: ChatAgent): ChatState {
  const ended = [...state.writing.keys()].filter((channelId) => !worksIn(agent, channelId));
  return ended.reduce(withoutWriting, { ...state, agent });
}

/** The message that the agent wrote in a channel is complete: it is announced once, as a whole. */
function withoutWriting(state: ChatState, channelId: string): ChatState {
  const message = find(timelineOf(state, channelId), state.writing.get(channelId) ?? '');
  const next = { ...state, writing: withEntry(state.writing, channelId, undefined) };
  return message === undefined || message.deleted ? next : announced(next, message);
}

/** Tells screen readers of a message in the open channel, unless the person who speaks has just typed it. */
function announced(state: ChatState, message: ChatMessage): ChatState {
  if (message.channel_id !== state.channelId || message.author_id === state.authorId) return state;
  const id = (state.announcements.at(-1)?.id ?? 0) + 1;
  const text = `${message.author_name}: ${excerpt(message.body, ANNOUNCED_LENGTH)}`;
  return { ...state, announcements: [...state.announcements, { id, text }].slice(-KEPT_ANNOUNCEMENTS) };
}
