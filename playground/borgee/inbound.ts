// SPDX-License-Identifier: Apache-2.0
import type { InboundMessageFrame, WireConversationContext } from '../../src/modules/gateway/borgee/wire/index.js';
import type { Author, Channel, Message } from './world/index.js';

/** An `inbound_message` that can be sent by `AgentConnection.send`. */
export type InboundFrame = InboundMessageFrame & Readonly<Record<string, unknown>>;

/**
 * The delivery of a message to the agent (bpp 2.3).
 * @param kind `message`, `mention`, `edited` or `deleted`; a deletion carries no text
 */
export function inboundMessage(agent: Author, channel: Channel, message: Message, kind: string): InboundFrame {
  return {
    type: 'inbound_message',
    agent_id: agent.id,
    channel_id: channel.id,
    channel_type: channel.type,
    kind,
    message_id: message.id,
    author_id: message.authorId,
    author_name: message.authorName,
    body: kind === 'deleted' ? '' : message.body,
    content_type: 'text',
    msg_type: 'text',
    created_at: message.createdAt,
    emoji: '',
    reactor_id: '',
    reaction_added: false,
    ...contextOf(channel),
  };
}

/** The delivery of a reaction. */
export function inboundReaction(
  agent: Author,
  channel: Channel,
  message: Message,
  reaction: { readonly reactorId: string; readonly emoji: string; readonly added: boolean },
): InboundFrame {
  return {
    ...inboundMessage(agent, channel, message, 'reaction'),
    body: '',
    emoji: reaction.emoji,
    reactor_id: reaction.reactorId,
    reaction_added: reaction.added,
  };
}

/** Guild, channel and thread of a conversation; a direct message has none. */
function contextOf(channel: Channel): { conversation_context?: WireConversationContext } {
  if (channel.guildId === null) return {};
  const context = { guild_id: channel.guildId, top_level_channel_id: channel.threadOf ?? channel.id };
  return { conversation_context: channel.threadOf === null ? context : { ...context, thread_id: channel.id } };
}
