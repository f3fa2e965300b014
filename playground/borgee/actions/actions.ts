// SPDX-License-Identifier: Apache-2.0
import { type ActionPayload, parseJson } from '../../../src/modules/gateway/borgee/wire/index.js';
import { type Channel, type Message, type World, WorldError } from '../world/index.js';
import { zonePage } from './zones.js';

/** What an action gives: a value for the payload of its result (`null` travels as an empty text), or an error code. */
export type ActionOutcome = { readonly value: unknown } | { readonly error: string };

/** What changes beside the world. */
export interface ActionEffects {
  /** The agent has posted a message; its echo is due. */
  posted(message: Message): void;
  edited(message: Message): void;
  deleted(message: Message): void;
  reacted(messageId: string, emoji: string, added: boolean): void;
}

type Handler = (world: World, payload: ActionPayload, effects: ActionEffects) => unknown;

/** Messages of a history page when the client names no limit. */
const HISTORY_LIMIT = 50;

const HANDLERS: Readonly<Record<string, Handler>> = {
  get_me: (world) => ({
    id: world.agent.id,
    display_name: world.agent.name,
    role: 'agent',
    permissions: ['channel.read', 'channel.manage', 'message.send'],
    require_mention: false,
    disabled: false,
  }),
  send_message: (world, payload, effects) => {
    const replyToId = payload['reply_to_id'] === null ? null : text(payload, 'reply_to_id');
    if (replyToId !== null && world.message(replyToId).channelId !== payload['channel_id']) {
      throw new WorldError('message_unknown');
    }
    const message = world.post({
      channelId: text(payload, 'channel_id'),
      authorId: world.agent.id,
      body: text(payload, 'content'),
      replyToId,
      kind: 'message',
    });
    effects.posted(message);
    return { message_id: message.id };
  },
  edit_message: (world, payload, effects) => {
    effects.edited(world.edit(text(payload, 'message_id'), world.agent.id, text(payload, 'content')));
    return null;
  },
  delete_message: (world, payload, effects) => {
    effects.deleted(world.remove(text(payload, 'message_id'), world.agent.id));
    return null;
  },
  react: (world, payload, effects) => {
    const message = world.message(text(payload, 'message_id'));
    effects.reacted(message.id, text(payload, 'emoji'), payload['removed'] !== true);
    return null;
  },
  create_dm: (world, payload) => {
    const person = world.author(text(payload, 'user_id'));
    const known = [...world.channels.values()].find((channel) => channel.personId === person.id);
    return { channel_id: (known ?? world.addChannel({ type: 'dm', name: person.name, personId: person.id })).id };
  },
  list_channels: (world) => [...world.channels.values()].map(conversation),
  list_zones: (world, payload) => zonePage(world, payload),
  create_channel: (world, payload) => {
    const guildId = text(payload, 'guild_id');
    if (!world.guilds.has(guildId)) throw new WorldError('guild_unknown');
    const parentId = payload['parent_id'] === null ? null : text(payload, 'parent_id');
    const channel = world.addChannel({ name: text(payload, 'name'), guildId, parentId });
    return conversation(change(channel, payload));
  },
  update_channel: (world, payload) => conversation(change(world.channel(text(payload, 'channel_id')), payload)),
  set_topic: (world, payload) => {
    world.channel(text(payload, 'channel_id')).topic = text(payload, 'topic');
    return null;
  },
  delete_channel: (world, payload) => {
    world.removeChannel(text(payload, 'channel_id'));
    return null;
  },
  read_channel_history: (world, payload) => history(world, payload).map(historyEntry),
};

/** Executes an action on the world (bpp 4.2); one that the playground does not have is an error of the server. */
export function runAction(world: World, action: string, payload: string, effects: ActionEffects): ActionOutcome {
  const handler = Object.hasOwn(HANDLERS, action) ? HANDLERS[action] : undefined;
  if (handler === undefined) return { error: 'bpp.semantic_op_unknown' };
  try {
    return { value: handler(world, parseJson(payload) as ActionPayload, effects) };
  } catch (error) {
    if (error instanceof WorldError) return { error: error.code };
    throw error;
  }
}

/** A field that the strict checks have found to be a text. */
function text(payload: ActionPayload, field: string): string {
  return String(payload[field]);
}

function change(channel: Channel, payload: ActionPayload): Channel {
  if (typeof payload['name'] === 'string') channel.name = payload['name'];
  if (typeof payload['topic'] === 'string') channel.topic = payload['topic'];
  if (payload['visibility'] === 'public' || payload['visibility'] === 'private') {
    channel.visibility = payload['visibility'];
  }
  if (typeof payload['archived'] === 'boolean') channel.archived = payload['archived'];
  return channel;
}

function conversation(channel: Channel): Readonly<Record<string, unknown>> {
  return {
    id: channel.id,
    name: channel.name,
    channel_type: channel.type,
    guild_id: channel.guildId,
    parent_id: channel.parentId,
    topic: channel.topic,
    visibility: channel.visibility,
    archived: channel.archived,
  };
}

/** Messages of a channel, oldest first: the newest, those before one, or those after one. */
function history(world: World, payload: ActionPayload): readonly Message[] {
  const channelId = text(payload, 'channel_id');
  const limit = typeof payload['limit'] === 'number' ? payload['limit'] : HISTORY_LIMIT;
  if (typeof payload['after'] !== 'string') {
    const before = typeof payload['before'] === 'string' ? payload['before'] : null;
    return world.page(channelId, before, limit).messages;
  }
  const timeline = world.timeline(world.channel(channelId).id);
  const start = timeline.findIndex((message) => message.id === payload['after']) + 1;
  if (start === 0) throw new WorldError('message_unknown');
  return timeline.slice(start, start + limit);
}

function historyEntry(message: Message): Readonly<Record<string, unknown>> {
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
  };
}
