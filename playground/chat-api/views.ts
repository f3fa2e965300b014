// SPDX-License-Identifier: Apache-2.0
import type { Channel, Message, World } from '../borgee/world/index.js';

/** What the chat page sees of the agent. */
export interface AgentView {
  readonly id: string;
  readonly name: string;
  readonly online: boolean;
  /** Channels in which it works. */
  readonly busy: readonly string[];
}

export interface ChannelView {
  readonly id: string;
  readonly type: 'channel' | 'dm';
  readonly name: string;
  /** Name of the guild; null for a direct message. */
  readonly guild: string | null;
  /** Direct message: its person, the only one who may write there. */
  readonly person_id: string | null;
}

export interface MessageView {
  readonly id: string;
  readonly channel_id: string;
  readonly author_id: string;
  readonly author_name: string;
  /** Empty when deleted. */
  readonly body: string;
  /** Unix ms */
  readonly created_at: number;
  /** Unix ms, or null. */
  readonly edited_at: number | null;
  readonly deleted: boolean;
  readonly reply_to_id: string | null;
  readonly by_agent: boolean;
}

/** Answer of `GET /chat/api/state`. */
export interface StateView {
  readonly agent: AgentView;
  readonly authors: readonly { readonly id: string; readonly name: string }[];
  readonly channels: readonly ChannelView[];
}

/** Answer of `GET /chat/api/channels/:id/messages`, oldest first. */
export interface PageView {
  readonly messages: readonly MessageView[];
  readonly more: boolean;
}

/** Presence of the agent. */
export interface AgentPresence {
  readonly online: boolean;
  readonly busy: readonly string[];
  onPresence(listener: () => void): () => void;
}

export function viewAgent(world: World, presence: AgentPresence): AgentView {
  const { id, name } = world.agent;
  return { id, name, online: presence.online, busy: presence.busy };
}

export function viewMessage(message: Message): MessageView {
  return {
    id: message.id,
    channel_id: message.channelId,
    author_id: message.authorId,
    author_name: message.authorName,
    body: message.body,
    created_at: message.createdAt,
    edited_at: message.editedAt,
    deleted: message.deleted,
    reply_to_id: message.replyToId,
    by_agent: message.byAgent,
  };
}

export function viewState(world: World, presence: AgentPresence): StateView {
  return {
    agent: viewAgent(world, presence),
    authors: world.people.map(({ id, name }) => ({ id, name })),
    channels: [...world.channels.values()].map((channel) => viewChannel(world, channel)),
  };
}

function viewChannel(world: World, channel: Channel): ChannelView {
  const guild = channel.guildId === null ? null : (world.guilds.get(channel.guildId)?.name ?? null);
  return { id: channel.id, type: channel.type, name: channel.name, guild, person_id: channel.personId };
}
