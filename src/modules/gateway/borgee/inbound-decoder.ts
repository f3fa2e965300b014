// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { ConversationContext, IgnoredOutcome, InboundEvent } from '../chat-server.js';
import type { ClientOptions } from './client-options.js';
import { type EvidencePayload, payloadHash } from './evidence.js';
import { checkServerFields, type InboundMessageFrame, isJsonObject, type TypedServerFrame } from './wire/index.js';

export type DecoderBounds = Pick<ClientOptions, 'maxBodyBytes' | 'maxFieldBytes'>;

/** Bytes of evidence that a receipt keeps. */
const EVIDENCE_BYTES = 16;
const TURN_KINDS: ReadonlySet<string> = new Set(['message', 'mention']);
const IGNORED_KINDS: ReadonlyMap<string, IgnoredOutcome> = new Map([
  ['edited', 'ignored_edited'],
  ['deleted', 'ignored_deleted'],
  ['reaction', 'ignored_reaction'],
]);

/** A decoded frame. */
export interface DecodedInbound {
  readonly event: InboundEvent;
  /** A remote-control message that wants its one refusal (bpp 3.6). */
  readonly wantsRefusal: boolean;
  /** Poison: the field that was wrong (INB-16); null for a usable event. */
  readonly wrongField: string | null;
}

/**
 * Turns an `inbound_message` into the event that becomes a receipt (bpp 3.1, 3.4 to 3.6). It never fails: what cannot be used becomes an
 * `undecodable` event with what can be told of it (INB-16, bpp 3.9).
 * @param frame the frame, its fields not checked yet
 * @param raw bytes of the frame, for the hash of a poison event
 * @param agentId own id
 */
export function decodeInbound(
  frame: TypedServerFrame,
  raw: Uint8Array,
  agentId: string,
  bounds: DecoderBounds,
): DecodedInbound {
  const checked = checkServerFields(frame);
  if (!checked.ok) return poison(frame.fields, raw, checked.problem.field, bounds);
  const message = checked.value as InboundMessageFrame;
  const wrong = unusableField(message, bounds);
  if (wrong !== null) return poison(frame.fields, raw, wrong, bounds);
  const remote = remoteControl(message, agentId);
  const payload = project(message);
  const event: InboundEvent = {
    kind: message.kind,
    channelId: message.channel_id,
    channelType: message.channel_type === 'dm' ? 'dm' : 'channel',
    messageId: message.message_id,
    authorId: payload.authorId,
    authorName: payload.authorName,
    body: TURN_KINDS.has(message.kind) && remote === 'none' ? message.body : '',
    sourceCreatedAt: message.created_at,
    context: readContext(message.conversation_context, bounds),
    evidence: payloadHash(payload).subarray(0, EVIDENCE_BYTES),
    ignored: remote === 'none' ? outcomeOf(message, agentId) : 'ignored_remote_control',
  };
  return { event, wantsRefusal: remote === 'ours' && TURN_KINDS.has(message.kind), wrongField: null };
}

/** An event about which nothing can be told but its hash: bytes that are no UTF-8 but clearly an `inbound_message`. */
export function decodeDamaged(frame: TypedServerFrame, raw: Uint8Array, bounds: DecoderBounds): DecodedInbound {
  return poison(frame.fields, raw, 'encoding', bounds);
}

/** Kind, then author; the stored ids are the ledger's part (bpp 3.5). */
function outcomeOf(message: InboundMessageFrame, agentId: string): IgnoredOutcome | null {
  if (!TURN_KINDS.has(message.kind)) return IGNORED_KINDS.get(message.kind) ?? 'ignored_unknown_kind';
  return message.author_id === agentId ? 'ignored_self_authored' : null;
}

/** The payload that the protocol's clients hash (bpp 3.1, 3.4). */
function project(message: InboundMessageFrame): EvidencePayload {
  const authorId = authorOf(message);
  return {
    kind: message.kind,
    channelId: message.channel_id,
    channelType: message.channel_type === '' ? 'channel' : message.channel_type,
    messageId: message.message_id,
    authorId,
    authorName: message.author_name === '' ? authorId : message.author_name,
    body: message.kind === 'deleted' || message.kind === 'reaction' ? '' : message.body,
    createdAt: message.created_at,
    reaction:
      message.kind === 'reaction'
        ? {
            added: message.reaction_added === true,
            emoji: message.emoji ?? '',
            userId: message.reactor_id ?? '',
          }
        : null,
  };
}

function authorOf(message: InboundMessageFrame): string {
  if (message.kind === 'deleted') return '';
  return message.kind === 'reaction' ? (message.reactor_id ?? '') : message.author_id;
}

/** Envelope of the remote-control protocol: none, for this agent, or for another one (bpp 3.6). */
function remoteControl(message: InboundMessageFrame, agentId: string): 'none' | 'ours' | 'foreign' {
  const envelope: unknown = message.application_data;
  if (!isJsonObject(envelope) || envelope['protocol'] !== 'remote-control') return 'none';
  const input = envelope['input'];
  const target = isJsonObject(input) ? input['agent_id'] : undefined;
  return typeof target === 'string' && target !== agentId ? 'foreign' : 'ours';
}

/** The first field that breaks a rule beyond its type: text that is no Unicode, too large, or an id that a turn cannot do without. */
function unusableField(message: InboundMessageFrame, bounds: DecoderBounds): string | null {
  const fields = ['channel_id', 'channel_type', 'kind', 'message_id', 'author_id', 'author_name'] as const;
  for (const field of fields) if (!isUsable(message[field], bounds.maxFieldBytes)) return field;
  if (!isUsable(message.body, bounds.maxBodyBytes)) return 'body';
  if (message.kind === 'reaction') {
    for (const field of ['emoji', 'reactor_id'] as const) {
      if (!isUsable(message[field] ?? '', bounds.maxFieldBytes)) return field;
    }
  }
  if (!TURN_KINDS.has(message.kind)) return null;
  if (message.channel_id === '') return 'channel_id';
  return message.message_id === '' ? 'message_id' : null;
}

function isUsable(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes || !text.isWellFormed()) return false;
  return text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes;
}

/** Leniently: whatever cannot be used counts as absent (bpp 2.3). */
function readContext(value: unknown, bounds: DecoderBounds): ConversationContext | null {
  if (!isJsonObject(value)) return null;
  const read = (field: string): string | null => {
    const text = value[field];
    return typeof text === 'string' && text !== '' && isUsable(text, bounds.maxFieldBytes) ? text : null;
  };
  const context = {
    guildId: read('guild_id'),
    topLevelChannelId: read('top_level_channel_id'),
    threadId: read('thread_id'),
    taskId: read('task_id'),
  };
  return Object.values(context).every((id) => id === null) ? null : context;
}

/** A terminal receipt in place of an event that cannot be used: its ids where they can be read, else its hash (INB-16). */
function poison(
  fields: Readonly<Record<string, unknown>>,
  raw: Uint8Array,
  wrongField: string,
  bounds: DecoderBounds,
): DecodedInbound {
  const evidence = createHash('sha256').update(raw).digest().subarray(0, EVIDENCE_BYTES);
  const read = (field: string): string => {
    const text = fields[field];
    return typeof text === 'string' && isUsable(text, bounds.maxFieldBytes) ? text : '';
  };
  const unread = `sha256:${evidence.toString('hex')}`;
  const createdAt = fields['created_at'];
  const authorId = read('author_id');
  const event: InboundEvent = {
    kind: 'undecodable',
    channelId: read('channel_id') || unread,
    channelType: fields['channel_type'] === 'dm' ? 'dm' : 'channel',
    messageId: read('message_id') || unread,
    authorId,
    authorName: read('author_name') || authorId,
    body: '',
    sourceCreatedAt: Number.isSafeInteger(createdAt) && (createdAt as number) >= 0 ? (createdAt as number) : 0,
    context: null,
    evidence,
    ignored: 'undecodable',
  };
  return { event, wantsRefusal: false, wrongField };
}
