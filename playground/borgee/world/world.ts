// SPDX-License-Identifier: Apache-2.0
import { uuidv7 } from 'uuidv7';
import {
  type Author,
  type Channel,
  type Guild,
  type Message,
  type TurnKind,
  type WorldChange,
  WorldError,
  type Zone,
} from './types.js';

/** What a new channel needs; the rest has defaults. */
export interface NewChannel {
  readonly id?: string;
  readonly type?: 'channel' | 'dm';
  readonly name?: string;
  readonly guildId?: string | null;
  readonly threadOf?: string | null;
  readonly parentId?: string | null;
  readonly personId?: string | null;
}

/** What a new message needs. */
export interface NewMessage {
  readonly id?: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly body: string;
  readonly replyToId?: string | null;
  /** Default: `mention` when the text names the agent with an at sign. */
  readonly kind?: TurnKind;
  /** Unix ms; default: now. */
  readonly createdAt?: number;
}

/** A page of messages, oldest first. */
export interface MessagePage {
  readonly messages: readonly Message[];
  /** There are older ones. */
  readonly more: boolean;
}

/** The chat server's content: guilds, channels, authors and messages. It knows nothing of sockets. */
export class World {
  readonly authors = new Map<string, Author>();
  readonly guilds = new Map<string, Guild>();
  readonly channels = new Map<string, Channel>();
  readonly zones: Zone[] = [];
  private readonly messages = new Map<string, Message>();
  private readonly timelines = new Map<string, Message[]>();
  private readonly listeners = new Set<(change: WorldChange) => void>();

  /** @param agent the agent's own author; it is no person */
  constructor(readonly agent: Author) {
    this.authors.set(agent.id, agent);
  }

  /** Everyone but the agent. */
  get people(): readonly Author[] {
    return [...this.authors.values()].filter((author) => author.id !== this.agent.id);
  }

  addGuild(name: string, id: string = uuidv7()): Guild {
    const guild: Guild = { id, name };
    this.guilds.set(id, guild);
    return guild;
  }

  addAuthor(name: string, id: string = uuidv7()): Author {
    const author: Author = { id, name };
    this.authors.set(id, author);
    return author;
  }

  addZone(guildId: string, name: string, id: string = uuidv7()): Zone {
    const zone: Zone = { id, name, guildId };
    this.zones.push(zone);
    return zone;
  }

  /** Adds a channel; without a guild it stands in the first one. */
  addChannel(wanted: NewChannel = {}): Channel {
    const type = wanted.type ?? 'channel';
    const id = wanted.id ?? uuidv7();
    const firstGuild = [...this.guilds.keys()][0] ?? null;
    const channel: Channel = {
      id,
      type,
      name: wanted.name ?? id,
      guildId: type === 'dm' ? null : (wanted.guildId ?? firstGuild),
      threadOf: wanted.threadOf ?? null,
      parentId: wanted.parentId ?? null,
      personId: wanted.personId ?? null,
      topic: '',
      visibility: type === 'dm' ? 'private' : 'public',
      archived: false,
    };
    this.channels.set(id, channel);
    return channel;
  }

  removeChannel(channelId: string): void {
    this.channel(channelId);
    this.channels.delete(channelId);
  }

  /** @throws WorldError `channel_unknown` */
  channel(channelId: string): Channel {
    const channel = this.channels.get(channelId);
    if (channel === undefined) throw new WorldError('channel_unknown');
    return channel;
  }

  /** @throws WorldError `author_unknown` */
  author(authorId: string): Author {
    const author = this.authors.get(authorId);
    if (author === undefined) throw new WorldError('author_unknown');
    return author;
  }

  /** @throws WorldError `message_unknown` */
  message(messageId: string): Message {
    const message = this.messages.get(messageId);
    if (message === undefined) throw new WorldError('message_unknown');
    return message;
  }

  hasMessage(messageId: string): boolean {
    return this.messages.has(messageId);
  }

  /** All messages of a channel, oldest first. */
  timeline(channelId: string): readonly Message[] {
    return this.timelines.get(channelId) ?? [];
  }

  /**
   * The newest messages of a channel, or those before a message.
   * @param limit at most so many
   * @throws WorldError `channel_unknown`, `message_unknown` when `before` is none of the channel
   */
  page(channelId: string, before: string | null, limit: number): MessagePage {
    this.channel(channelId);
    const timeline = this.timeline(channelId);
    const end = before === null ? timeline.length : timeline.findIndex((message) => message.id === before);
    if (end < 0) throw new WorldError('message_unknown');
    const start = Math.max(0, end - limit);
    return { messages: timeline.slice(start, end), more: start > 0 };
  }

  /**
   * Stores a message.
   * @throws WorldError `channel_unknown`, `author_unknown`, `not_a_member` (somebody else's direct message), `text_missing`
   */
  post(wanted: NewMessage): Message {
    const channel = this.channel(wanted.channelId);
    const author = this.author(wanted.authorId);
    const byAgent = author.id === this.agent.id;
    if (!byAgent && channel.personId !== null && channel.personId !== author.id) throw new WorldError('not_a_member');
    if (wanted.body.trim() === '') throw new WorldError('text_missing');
    const message: Message = {
      id: wanted.id ?? uuidv7(),
      channelId: channel.id,
      authorId: author.id,
      authorName: author.name,
      body: wanted.body,
      createdAt: wanted.createdAt ?? Date.now(),
      editedAt: null,
      deleted: false,
      replyToId: wanted.replyToId ?? null,
      byAgent,
      kind: wanted.kind ?? (this.mentionsAgent(wanted.body) ? 'mention' : 'message'),
    };
    this.messages.set(message.id, message);
    const timeline = this.timelines.get(channel.id);
    if (timeline === undefined) this.timelines.set(channel.id, [message]);
    else timeline.push(message);
    this.tell({ kind: 'message', message, channel });
    return message;
  }

  /** Replaces a text. @throws WorldError `message_unknown`, `message_deleted`, `not_the_author`, `text_missing` */
  edit(messageId: string, authorId: string, body: string, at: number = Date.now()): Message {
    const message = this.ownMessage(messageId, authorId);
    if (body.trim() === '') throw new WorldError('text_missing');
    message.body = body;
    message.editedAt = at;
    this.tell({ kind: 'edited', message, channel: this.channel(message.channelId) });
    return message;
  }

  /** Takes a message away; its row stays without text. @throws WorldError as `edit` */
  remove(messageId: string, authorId: string): Message {
    const message = this.ownMessage(messageId, authorId);
    message.deleted = true;
    message.body = '';
    this.tell({ kind: 'deleted', message, channel: this.channel(message.channelId) });
    return message;
  }

  /** Calls a listener with each change. @returns a function that ends it */
  onChange(listener: (change: WorldChange) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private ownMessage(messageId: string, authorId: string): Message {
    const message = this.message(messageId);
    if (message.authorId !== authorId) throw new WorldError('not_the_author');
    if (message.deleted) throw new WorldError('message_deleted');
    return message;
  }

  private mentionsAgent(body: string): boolean {
    return body.toLowerCase().includes(`@${this.agent.name.toLowerCase()}`);
  }

  private tell(change: WorldChange): void {
    for (const listener of this.listeners) listener(change);
  }
}
