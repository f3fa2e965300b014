// SPDX-License-Identifier: Apache-2.0

/** A person, or the agent itself. */
export interface Author {
  readonly id: string;
  readonly name: string;
}

export interface Guild {
  readonly id: string;
  readonly name: string;
}

/** A group of channels in a guild (bpp 4.3 "zone"). */
export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly guildId: string;
}

export interface Channel {
  readonly id: string;
  readonly type: 'channel' | 'dm';
  name: string;
  /** Null for a direct message. */
  readonly guildId: string | null;
  /** The channel in which this one is a thread, or null. */
  readonly threadOf: string | null;
  /** Zone, or null. */
  readonly parentId: string | null;
  /** Direct message: the person at the other end. */
  readonly personId: string | null;
  topic: string;
  visibility: 'public' | 'private';
  archived: boolean;
}

/** Kinds of a delivery that start a turn (bpp 3.1). */
export type TurnKind = 'message' | 'mention';

export interface Message {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly authorName: string;
  body: string;
  /** Unix ms */
  readonly createdAt: number;
  /** Unix ms, or null. */
  editedAt: number | null;
  deleted: boolean;
  readonly replyToId: string | null;
  readonly byAgent: boolean;
  /** Kind under which the agent gets it. */
  readonly kind: TurnKind;
}

/** Something changed in the world; people's pages and the record follow. */
export type WorldChange =
  | { readonly kind: 'message'; readonly message: Message; readonly channel: Channel }
  | { readonly kind: 'edited'; readonly message: Message; readonly channel: Channel }
  | { readonly kind: 'deleted'; readonly message: Message; readonly channel: Channel };

/** Why the world refuses something; agents get the code as the error of a result, people as an HTTP status. */
export type WorldErrorCode =
  | 'author_unknown'
  | 'channel_unknown'
  | 'guild_unknown'
  | 'message_deleted'
  | 'message_unknown'
  | 'not_a_member'
  | 'not_the_author'
  | 'text_missing';

/** The world refuses what was asked. */
export class WorldError extends Error {
  constructor(readonly code: WorldErrorCode) {
    super(`The playground refuses: ${code}.`);
    this.name = 'WorldError';
  }
}
