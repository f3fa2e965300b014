// SPDX-License-Identifier: Apache-2.0
import type { AnySchemaObject, ValidateFunction } from 'ajv';
import {
  anyString,
  check,
  type Checked,
  closedObject,
  compile,
  type FrameProblem,
  integerFrom,
  isJsonObject,
  nonBlankString,
  nonEmptyString,
  openObject,
  parseJson,
  refused,
} from './validation.js';

const zoneId = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,128}$' } as const;
/** A zone id, or null; the text `null` is a mistake of its caller (bpp 4.3). */
const parentId = { ...zoneId, nullable: true, not: { const: 'null' } } as const;
const nullableString = { type: 'string', nullable: true } as const;
const boolean = { type: 'boolean' } as const;
const visibility = { enum: ['public', 'private'] } as const;
const count = integerFrom(0);

/** Payloads of the actions exactly as table 4.2 of bpp lists them; `?` marks a key that is left out when absent. */
export const ACTION_PAYLOAD_SCHEMAS = {
  get_me: closedObject({}),
  send_message: closedObject({ channel_id: nonEmptyString, content: anyString, reply_to_id: nullableString }),
  edit_message: closedObject({ message_id: nonEmptyString, content: anyString }),
  delete_message: closedObject({ message_id: nonEmptyString }),
  react: closedObject({ message_id: nonEmptyString, emoji: nonEmptyString, removed: boolean }),
  create_dm: closedObject({ user_id: nonEmptyString }),
  create_task: closedObject({
    channel_id: nonEmptyString,
    title: nonEmptyString,
    'description?': anyString,
    'assignee_id?': anyString,
    'heartbeat_interval_ms?': count,
    'heartbeat_prompt?': anyString,
  }),
  list_tasks: closedObject(
    { 'channel_id?': nonEmptyString, 'guild_id?': nonEmptyString },
    { minProperties: 1, maxProperties: 1 },
  ),
  get_task: closedObject({ task_id: nonEmptyString }),
  update_task: closedObject(
    {
      task_id: nonEmptyString,
      'status?': nonEmptyString,
      'assignee_id?': anyString,
      'title?': anyString,
      'description?': anyString,
      'heartbeat_interval_ms?': count,
      'heartbeat_prompt?': anyString,
    },
    { minProperties: 2 },
  ),
  set_task_property: closedObject({ task_id: nonEmptyString, key: nonEmptyString, value: anyString }),
  delete_task_property: closedObject({ task_id: nonEmptyString, key: nonEmptyString }),
  list_task_property_definitions: closedObject({}),
  list_channel_files: closedObject({ channel_id: nonEmptyString }),
  list_channels: closedObject({}),
  list_zones: closedObject({
    guild_id: nonBlankString,
    'limit?': { ...integerFrom(1), maximum: 50 },
    'after?': zoneId,
  }),
  create_channel: closedObject({
    name: nonEmptyString,
    guild_id: nonEmptyString,
    parent_id: parentId,
    'topic?': anyString,
    'visibility?': visibility,
    'member_ids?': { type: 'array', items: nonEmptyString },
  }),
  update_channel: closedObject({
    channel_id: nonEmptyString,
    'name?': anyString,
    'visibility?': visibility,
    'archived?': boolean,
  }),
  set_topic: closedObject({ channel_id: nonEmptyString, topic: anyString }),
  delete_channel: closedObject({ channel_id: nonEmptyString }),
  read_channel_history: closedObject({
    channel_id: nonEmptyString,
    'limit?': integerFrom(1),
    'before?': nonEmptyString,
    'after?': nonEmptyString,
  }),
} as const satisfies Readonly<Record<string, AnySchemaObject>>;

export type ActionName = keyof typeof ACTION_PAYLOAD_SCHEMAS;
export type ActionPayload = Readonly<Record<string, unknown>>;

const payloadValidators = new Map<string, ValidateFunction<ActionPayload>>(
  Object.entries(ACTION_PAYLOAD_SCHEMAS).map(([action, schema]) => [action, compile<ActionPayload>(schema)]),
);

/** Outcome of a payload check. `problem.field` is the path inside the payload. */
export type CheckedPayload =
  | { readonly status: 'ok'; readonly payload: ActionPayload }
  | { readonly status: 'unknown_action' }
  | { readonly status: 'invalid'; readonly problem: FrameProblem };

/**
 * Checks the payload of a `semantic_action` against table 4.2 of bpp.
 * @param action name of the action
 * @param payload the JSON object in its string
 */
export function checkActionPayload(action: string, payload: string): CheckedPayload {
  const value = parseJson(payload);
  if (!isJsonObject(value)) return { status: 'invalid', problem: refused(action, '', 'object').problem };
  const validate = payloadValidators.get(action);
  if (validate === undefined) return { status: 'unknown_action' };
  const checked = check(action, validate, value);
  return checked.ok ? { status: 'ok', payload: checked.value } : { status: 'invalid', problem: checked.problem };
}

/** The agent (or person) behind a key: result of `get_me` (bpp 4.3). */
export interface UserResult {
  readonly id: string;
  readonly display_name: string;
  readonly role: 'member' | 'agent';
  readonly permissions: readonly string[];
}

const nullableCount = { ...count, nullable: true };
const nullableBoolean = { ...boolean, nullable: true };

/** Result of `get_me`; unknown fields are allowed. */
export const USER_RESULT_SCHEMA = openObject({
  id: nonBlankString,
  display_name: nonBlankString,
  role: { enum: ['member', 'agent'] },
  permissions: { type: 'array', items: nonBlankString },
  'avatar_url?': nullableString,
  'email?': nullableString,
  'owner_id?': nullableString,
  'created_at?': nullableCount,
  'last_seen_at?': nullableCount,
  'deleted_at?': nullableCount,
  'require_mention?': nullableBoolean,
  'disabled?': nullableBoolean,
});

/** Result of `send_message` (bpp 4.2). */
export interface SentMessageResult {
  readonly message_id: string;
}
export const SENT_MESSAGE_RESULT_SCHEMA = openObject({ message_id: nonEmptyString });

const validateUser = compile<UserResult>(USER_RESULT_SCHEMA);
const validateSentMessage = compile<SentMessageResult>(SENT_MESSAGE_RESULT_SCHEMA);

/** Checks the decoded result of `get_me`. */
export function checkUserResult(value: unknown): Checked<UserResult> {
  return check('get_me', validateUser, value);
}

/** Checks the decoded result of `send_message`. */
export function checkSentMessageResult(value: unknown): Checked<SentMessageResult> {
  return check('send_message', validateSentMessage, value);
}
