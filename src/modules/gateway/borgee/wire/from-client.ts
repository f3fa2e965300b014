// SPDX-License-Identifier: Apache-2.0
import type { ValidateFunction } from 'ajv';
import { CAPABILITIES, MAX_CLIENT_FRAME_BYTES, MAX_RESPONSE_FRAME_BYTES, PROTOCOL_VERSION } from './limits.js';
import { checkActionPayload } from './actions.js';
import {
  anyString,
  check,
  type Checked,
  closedObject,
  compile,
  integerFrom,
  isJsonObject,
  nonBlankString,
  nonEmptyString,
  parseJson,
  printableType,
  refused,
  safeInteger,
} from './validation.js';

/** Why the agent or its runtime failed; a closed set (bpp 2.4). */
export const FAULT_REASONS = [
  'api_key_invalid',
  'quota_exceeded',
  'network_unreachable',
  'runtime_crashed',
  'runtime_timeout',
  'unknown',
] as const;
export type FaultReason = (typeof FAULT_REASONS)[number];

export interface ConnectFrame {
  type: 'connect';
  plugin_id: string;
  token: '';
  version: typeof PROTOCOL_VERSION;
  /** JSON array in a string. */
  capabilities: string;
}
export interface SemanticActionFrame {
  type: 'semantic_action';
  /** Empty until the identity is known. */
  agent_id: string;
  action: string;
  /** JSON object in a string. */
  payload: string;
  /** UUID v4, fresh for each attempt. */
  nonce: string;
}
export interface HeartbeatFrame {
  type: 'heartbeat';
  plugin_id: string;
  agent_id: string;
  status: 'online';
  reason: '';
  /** Unix ms */
  timestamp: number;
}
export interface TaskStartedFrame {
  type: 'task_started';
  task_id: string;
  agent_id: string;
  channel_id: string;
  subject: string;
  /** Unix ms */
  started_at: number;
}
export interface TaskFinishedFrame {
  type: 'task_finished';
  task_id: string;
  agent_id: string;
  channel_id: string;
  outcome: 'completed' | 'failed' | 'cancelled';
  /** A fault reason exactly when `failed`. */
  reason: FaultReason | '';
  /** Unix ms */
  finished_at: number;
}
export interface AgentConfigAckFrame {
  type: 'agent_config_ack';
  cursor: number;
  agent_id: string;
  schema_version: number;
  idempotency_key: string;
  status: 'applied' | 'rejected' | 'stale';
  reason: FaultReason | '';
  /** Unix ms when applied, else 0. */
  applied_at: number;
}
export type ResponseFrame = { type: 'response'; id: string } & ({ data: unknown } | { error: string });
export interface TypingFrame {
  type: 'typing';
  channel_id: string;
}
export interface ClientPongFrame {
  type: 'pong';
}

/** Every frame that a client may send (bpp 2.4). */
export type ClientFrame =
  | ConnectFrame
  | SemanticActionFrame
  | HeartbeatFrame
  | TaskStartedFrame
  | TaskFinishedFrame
  | AgentConfigAckFrame
  | ResponseFrame
  | TypingFrame
  | ClientPongFrame;
export type ClientFrameType = ClientFrame['type'];

const UUID_V4 = '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';
const named = (type: ClientFrameType): { readonly const: string } => ({ const: type });
const timestamp = integerFrom(1);

/** JSON schemas of the client's frames by type: strict, no unknown fields. */
export const CLIENT_FRAME_SCHEMAS = {
  connect: closedObject({
    type: named('connect'),
    plugin_id: nonEmptyString,
    token: { const: '' },
    version: { const: PROTOCOL_VERSION },
    capabilities: anyString,
  }),
  semantic_action: closedObject({
    type: named('semantic_action'),
    agent_id: anyString,
    action: nonEmptyString,
    payload: anyString,
    nonce: { type: 'string', pattern: UUID_V4 },
  }),
  heartbeat: closedObject({
    type: named('heartbeat'),
    plugin_id: nonEmptyString,
    agent_id: nonEmptyString,
    status: { const: 'online' },
    reason: { const: '' },
    timestamp,
  }),
  task_started: closedObject({
    type: named('task_started'),
    task_id: nonEmptyString,
    agent_id: nonEmptyString,
    channel_id: nonEmptyString,
    subject: nonBlankString,
    started_at: timestamp,
  }),
  task_finished: closedObject(
    {
      type: named('task_finished'),
      task_id: nonEmptyString,
      agent_id: nonEmptyString,
      channel_id: nonEmptyString,
      outcome: { enum: ['completed', 'failed', 'cancelled'] },
      reason: anyString,
      finished_at: timestamp,
    },
    {
      if: { properties: { outcome: { const: 'failed' } } },
      then: { properties: { reason: { enum: FAULT_REASONS } } },
      else: { properties: { reason: { const: '' } } },
    },
  ),
  agent_config_ack: closedObject(
    {
      type: named('agent_config_ack'),
      cursor: integerFrom(1),
      agent_id: anyString,
      schema_version: integerFrom(0),
      idempotency_key: nonEmptyString,
      status: { enum: ['applied', 'rejected', 'stale'] },
      reason: anyString,
      applied_at: safeInteger,
    },
    {
      if: { properties: { status: { const: 'applied' } } },
      then: { properties: { reason: { const: '' }, applied_at: timestamp } },
      else: { properties: { reason: { enum: FAULT_REASONS }, applied_at: { const: 0 } } },
    },
  ),
  response: closedObject(
    { type: named('response'), id: nonEmptyString, 'data?': {}, 'error?': nonEmptyString },
    {
      oneOf: [
        { type: 'object', required: ['data'], properties: { data: {} } },
        { type: 'object', required: ['error'], properties: { error: {} } },
      ],
    },
  ),
  typing: closedObject({ type: named('typing'), channel_id: nonEmptyString }),
  pong: closedObject({ type: named('pong') }),
} as const;

const validators: Readonly<Record<ClientFrameType, ValidateFunction<ClientFrame>>> = {
  connect: compile<ClientFrame>(CLIENT_FRAME_SCHEMAS.connect),
  semantic_action: compile<ClientFrame>(CLIENT_FRAME_SCHEMAS.semantic_action),
  heartbeat: compile<ClientFrame>(CLIENT_FRAME_SCHEMAS.heartbeat),
  task_started: compile<ClientFrame>(CLIENT_FRAME_SCHEMAS.task_started),
  task_finished: compile<ClientFrame>(CLIENT_FRAME_SCHEMAS.task_finished),
  agent_config_ack: compile<ClientFrame>(CLIENT_FRAME_SCHEMAS.agent_config_ack),
  response: compile<ClientFrame>(CLIENT_FRAME_SCHEMAS.response),
  typing: compile<ClientFrame>(CLIENT_FRAME_SCHEMAS.typing),
  pong: compile<ClientFrame>(CLIENT_FRAME_SCHEMAS.pong),
};

function isClientFrameType(type: string): type is ClientFrameType {
  return Object.hasOwn(validators, type);
}

/**
 * Checks a frame of a client as strictly as bpp 2.4 reads: every field, no foreign one, the nested JSON of `connect` and of a known
 * action's payload (an unknown action passes: its server answers it with an error), and the size.
 * @param text the WebSocket message
 */
export function checkClientFrame(text: string): Checked<ClientFrame> {
  const value = parseJson(text);
  if (value === undefined) return refused('', '', 'json');
  if (!isJsonObject(value)) return refused('', '', 'object');
  const type = value['type'];
  if (typeof type !== 'string') return refused('', 'type', 'type');
  if (!isClientFrameType(type)) return refused(printableType(type), 'type', 'unknown_type');
  const limit = type === 'response' ? MAX_RESPONSE_FRAME_BYTES : MAX_CLIENT_FRAME_BYTES;
  if (Buffer.byteLength(text) > limit) return refused(type, '', 'size');
  const checked = check(type, validators[type], value);
  return checked.ok ? checkNested(checked.value) : checked;
}

/** The JSON that stands inside strings. */
function checkNested(frame: ClientFrame): Checked<ClientFrame> {
  if (frame.type === 'connect' && !isCapabilityList(frame.capabilities))
    return refused('connect', 'capabilities', 'json');
  if (frame.type === 'semantic_action') {
    const payload = checkActionPayload(frame.action, frame.payload);
    if (payload.status === 'invalid') {
      const field = payload.problem.field === '' ? 'payload' : `payload.${payload.problem.field}`;
      return refused('semantic_action', field, payload.problem.rule);
    }
  }
  return { ok: true, value: frame };
}

/** True for a JSON array of known capability names in a string. */
export function isCapabilityList(text: string): boolean {
  const value = parseJson(text);
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && CAPABILITIES.includes(name));
}
