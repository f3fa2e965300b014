// SPDX-License-Identifier: Apache-2.0
import { type ChatAgent, type ChatAuthor, type ChatChannel } from '../api/wire.js';
import { type Timeline, UNKNOWN_TIMELINE } from './timeline.js';

/** How the page stands with the server. */
export type Connection =
  /** The first dial, nothing is known yet. */
  | { readonly kind: 'connecting' }
  /** The stream is open, what was missed is being read. */
  | { readonly kind: 'catching-up' }
  | { readonly kind: 'live' }
  /** Lost; the next dial is at `retryAt` (milliseconds since 1970). */
  | { readonly kind: 'lost'; readonly retryAt: number };

/** A sentence for screen readers. */
export interface Announcement {
  readonly id: number;
  readonly text: string;
}

/** All that the page shows, as one value that is replaced and never changed. */
export interface ChatState {
  readonly connection: Connection;
  /** Null until the server has told it once. */
  readonly agent: ChatAgent | null;
  readonly authors: readonly ChatAuthor[];
  readonly channels: readonly ChatChannel[];
  /** Who speaks. */
  readonly authorId: string | null;
  /** The open channel. */
  readonly channelId: string | null;
  readonly timelines: ReadonlyMap<string, Timeline>;
  /** New messages of channels that are not open. */
  readonly unread: ReadonlyMap<string, number>;
  /** The message that the agent is writing, by channel. */
  readonly writing: ReadonlyMap<string, string>;
  /** Text in the message box, by channel. */
  readonly drafts: ReadonlyMap<string, string>;
  readonly announcements: readonly Announcement[];
  /** Why something that the person asked for was not done. */
  readonly notice: string | null;
}

/** The state before the first answer of the server. */
export const INITIAL_STATE: ChatState = {
  connection: { kind: 'connecting' },
  agent: null,
  authors: [],
  channels: [],
  authorId: null,
  channelId: null,
  timelines: new Map(),
  unread: new Map(),
  writing: new Map(),
  drafts: new Map(),
  announcements: [],
  notice: null,
};

/** A copy of a map with one entry set, or taken out when the value is undefined. */
export function withEntry<V>(map: ReadonlyMap<string, V>, key: string, value: V | undefined): ReadonlyMap<string, V> {
  const copy = new Map(map);
  if (value === undefined) copy.delete(key);
  else copy.set(key, value);
  return copy;
}

/** The timeline of a channel, empty and not loaded if nothing is known. */
export function timelineOf(state: ChatState, channelId: string): Timeline {
  return state.timelines.get(channelId) ?? UNKNOWN_TIMELINE;
}

/** The channels that the person who speaks can see: all channels, and of the direct messages the own one. */
export function visibleChannels(state: Pick<ChatState, 'channels' | 'authorId'>): readonly ChatChannel[] {
  return state.channels.filter(({ person_id }) => person_id === null || person_id === state.authorId);
}

/** Whether the agent is at work in a channel; a task whose agent is gone rests. */
export function worksIn(agent: ChatAgent, channelId: string): boolean {
  return agent.online && agent.busy.includes(channelId);
}

/** The open channel, if the server knows it. */
export function openChannel(state: ChatState): ChatChannel | undefined {
  return state.channels.find((channel) => channel.id === state.channelId);
}
