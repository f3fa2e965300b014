// SPDX-License-Identifier: Apache-2.0
import type { AnySchemaObject, ValidateFunction } from 'ajv';
import {
  anyString,
  check,
  type Checked,
  compile,
  integerFrom,
  isJsonObject,
  nonEmptyString,
  openObject,
  parseJson,
  printableType,
  refused,
} from './validation.js';

/** Kinds of `inbound_message` that the protocol names (bpp 3.1). */
export const INBOUND_KINDS = ['message', 'mention', 'edited', 'deleted', 'reaction'] as const;
export type InboundKind = (typeof INBOUND_KINDS)[number];

/** Where a conversation stands; read leniently, anything unusable counts as absent. */
export interface WireConversationContext {
  guild_id: string;
  top_level_channel_id: string;
  thread_id?: string;
  task_id?: string;
}

export interface WireAttachment {
  url: string;
  content_type: string;
  filename?: string;
  size_bytes?: number;
}

export interface InboundMessageFrame {
  type: 'inbound_message';
  agent_id?: string;
  channel_id: string;
  /** `dm`, `channel`, …; empty: unknown. */
  channel_type: string;
  /** One of INBOUND_KINDS, or something that a later server brings. */
  kind: string;
  message_id: string;
  author_id: string;
  /** Empty: unknown. */
  author_name: string;
  body: string;
  /** Unix ms */
  created_at: number;
  content_type?: string;
  msg_type?: string;
  attachments?: WireAttachment[];
  emoji?: string;
  reactor_id?: string;
  reaction_added?: boolean;
  conversation_context?: WireConversationContext;
  execution_id?: string;
  telemetry_context?: string;
  application_data?: Record<string, unknown>;
}
/** Only the nonce is checked before it is known; see `checkActionResult` for the rest. */
export interface SemanticActionResultFrame {
  type: 'semantic_action_result';
  nonce: string;
  status: 'ok' | 'error';
  /** JSON in a string; empty: null. */
  payload: string;
  error: string;
}
export interface PermissionDeniedFrame {
  type: 'permission_denied';
  agent_id: string;
  /** Nonce of the action. */
  request_id: string;
  attempted_action: string;
  required_capability: string;
  current_scope: string;
  denied_at: number;
}
export interface AgentConfigUpdateFrame {
  type: 'agent_config_update';
  cursor: number;
  agent_id: string;
  schema_version: number;
  /** JSON in a string. */
  blob: string;
  idempotency_key: string;
  created_at: number;
}
export interface AgentToggleFrame {
  type: 'agent_toggle';
  agent_id: string;
  action: 'disable' | 'enable';
  reason: string;
}
export interface RequestFrame {
  type: 'request';
  id: string;
  data: Record<string, unknown>;
}
export interface ServerPingFrame {
  type: 'ping';
}
export interface ServerPongFrame {
  type: 'pong';
}
export interface ExecutionTelemetryAckFrame {
  type: 'execution_telemetry_ack';
  event_id: string;
}

/** Every frame that a server may send (bpp 2.3). */
export type ServerFrame =
  | InboundMessageFrame
  | SemanticActionResultFrame
  | PermissionDeniedFrame
  | AgentConfigUpdateFrame
  | AgentToggleFrame
  | RequestFrame
  | ServerPingFrame
  | ServerPongFrame
  | ExecutionTelemetryAckFrame;
export type ServerFrameType = ServerFrame['type'];

const named = (type: ServerFrameType): { readonly const: string } => ({ const: type });
const reactionFields = {
  type: 'object',
  required: ['emoji', 'reactor_id', 'reaction_added'],
  properties: { emoji: anyString, reactor_id: anyString, reaction_added: { type: 'boolean' } },
} as const;

/** JSON schemas of the server's frames by type: lenient, foreign fields are allowed, what the client needs is typed (bpp 2.3 "checked"). */
export const SERVER_FRAME_SCHEMAS = {
  inbound_message: {
    ...openObject({
      type: named('inbound_message'),
      channel_id: anyString,
      channel_type: anyString,
      kind: anyString,
      message_id: anyString,
      author_id: anyString,
      author_name: anyString,
      body: anyString,
      created_at: integerFrom(0),
    }),
    if: { properties: { kind: { const: 'reaction' } } },
    then: reactionFields,
  },
  semantic_action_result: openObject({ type: named('semantic_action_result'), nonce: anyString }),
  permission_denied: openObject({
    type: named('permission_denied'),
    request_id: anyString,
    attempted_action: anyString,
    required_capability: anyString,
    current_scope: anyString,
  }),
  agent_config_update: openObject({
    type: named('agent_config_update'),
    cursor: integerFrom(1),
    agent_id: anyString,
    schema_version: integerFrom(0),
    blob: anyString,
    idempotency_key: nonEmptyString,
  }),
  agent_toggle: openObject({
    type: named('agent_toggle'),
    agent_id: anyString,
    action: { enum: ['disable', 'enable'] },
  }),
  request: openObject({ type: named('request'), id: nonEmptyString, data: { type: 'object' } }),
  ping: openObject({ type: named('ping') }),
  pong: openObject({ type: named('pong') }),
  execution_telemetry_ack: openObject({ type: named('execution_telemetry_ack') }),
} as const satisfies Readonly<Record<ServerFrameType, AnySchemaObject>>;

const validators: Readonly<Record<ServerFrameType, ValidateFunction<ServerFrame>>> = {
  inbound_message: compile<ServerFrame>(SERVER_FRAME_SCHEMAS.inbound_message),
  semantic_action_result: compile<ServerFrame>(SERVER_FRAME_SCHEMAS.semantic_action_result),
  permission_denied: compile<ServerFrame>(SERVER_FRAME_SCHEMAS.permission_denied),
  agent_config_update: compile<ServerFrame>(SERVER_FRAME_SCHEMAS.agent_config_update),
  agent_toggle: compile<ServerFrame>(SERVER_FRAME_SCHEMAS.agent_toggle),
  request: compile<ServerFrame>(SERVER_FRAME_SCHEMAS.request),
  ping: compile<ServerFrame>(SERVER_FRAME_SCHEMAS.ping),
  pong: compile<ServerFrame>(SERVER_FRAME_SCHEMAS.pong),
  execution_telemetry_ack: compile<ServerFrame>(SERVER_FRAME_SCHEMAS.execution_telemetry_ack),
};

function isServerFrameType(type: string): type is ServerFrameType {
  return Object.hasOwn(validators, type);
}

/** A JSON object with a known type whose fields are not checked yet. */
export interface TypedServerFrame {
  readonly type: ServerFrameType;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** First half of the check: JSON, an object, a known type. */
export function readServerFrame(text: string): Checked<TypedServerFrame> {
  const value = parseJson(text);
  if (value === undefined) return refused('', '', 'json');
  if (!isJsonObject(value)) return refused('', '', 'object');
  const type = value['type'];
  if (typeof type !== 'string') return refused('', 'type', 'type');
  if (!isServerFrameType(type)) return refused(printableType(type), 'type', 'unknown_type');
  return { ok: true, value: { type, fields: value } };
}

/** Second half: the fields that the client needs. The blob of a config update must hold JSON. */
export function checkServerFields(frame: TypedServerFrame): Checked<ServerFrame> {
  const checked = check(frame.type, validators[frame.type], frame.fields);
  if (checked.ok && checked.value.type === 'agent_config_update' && parseJson(checked.value.blob) === undefined) {
    return refused(frame.type, 'blob', 'json');
  }
  return checked;
}

/** Both halves in one. @param text the WebSocket message */
export function checkServerFrame(text: string): Checked<ServerFrame> {
  const read = readServerFrame(text);
  return read.ok ? checkServerFields(read.value) : read;
}

/** What a result says about its action. */
export type ActionResult =
  { readonly status: 'ok'; readonly payload: unknown } | { readonly status: 'error'; readonly error: string };

/**
 * Checks the rest of a `semantic_action_result` whose nonce is known (bpp 2.3): `ok` with JSON in its payload (empty = null), or `error`
 * with a code.
 */
export function checkActionResult(frame: SemanticActionResultFrame): Checked<ActionResult> {
  const { status, payload, error }: Readonly<Record<string, unknown>> = { ...frame };
  if (status === 'error') {
    if (typeof error !== 'string' || error === '') return refused(frame.type, 'error', 'minLength');
    return { ok: true, value: { status, error } };
  }
  if (status !== 'ok') return refused(frame.type, 'status', 'enum');
  if (typeof payload !== 'string') return refused(frame.type, 'payload', 'type');
  const decoded = payload === '' ? null : parseJson(payload);
  return decoded === undefined
    ? refused(frame.type, 'payload', 'json')
    : { ok: true, value: { status, payload: decoded } };
}
