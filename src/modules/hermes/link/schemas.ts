// SPDX-License-Identifier: Apache-2.0
import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import type { AttachReport, ShimEvent } from './protocol.js';

/** Body of `POST /link/v1/challenge`. */
export interface ChallengeRequest {
  readonly protocol: number;
  readonly shim_nonce: string;
}

/** Body of `POST /link/v1/attach` before the proof is known to be right: the report is still anything. */
export interface AttachRequest {
  readonly bridge_nonce: string;
  readonly proof: string;
  readonly report: unknown;
}

/** Body of `POST /link/v1/events`. */
export interface EventsRequest {
  readonly instance: string;
  readonly events: readonly ShimEvent[];
}

// Unknown fields are ignored: a newer shim may say more than this bridge understands.
const ajv = new Ajv({ discriminator: true, allErrors: false });

const BOOLEAN = { type: 'boolean' };
/** Ids, names and codes are short; texts are bounded by the body alone. */
const SHORT = { type: 'string', maxLength: 512 };
const ID = { type: 'string', minLength: 1, maxLength: 512 };
const TEXT = { type: 'string' };
const HEX_16_BYTES = { type: 'string', pattern: '^[0-9a-f]{32}$' };
const HEX_32_BYTES = { type: 'string', pattern: '^[0-9a-f]{64}$' };
/** A code may reach logs: it has no room for content. */
const CODE = { type: 'string', pattern: '^[a-z0-9_]{1,64}$' };
/** JSON numbers beyond 2^53 have already been rounded. */
const COUNT = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const POSITIVE = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

const object = (
  properties: Readonly<Record<string, AnySchemaObject>>,
  optional: Readonly<Record<string, AnySchemaObject>> = {},
): AnySchemaObject => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
});
const list = (items: AnySchemaObject): AnySchemaObject => ({ type: 'array', items });
const oneOf = (...values: readonly string[]): AnySchemaObject => ({ type: 'string', enum: values });

const USAGE = object({
  provider: SHORT,
  model: SHORT,
  input: COUNT,
  output: COUNT,
  cache_read: COUNT,
  cache_write: COUNT,
  requests: COUNT,
});

/** What the process knows about one admission. */
const ADMISSION = object({ id: ID, state: oneOf('taken', 'started', 'ended') });

/** Fields of each kind of event beside `type` and `seq` (docs/link.md, section 5). */
const EVENTS: Readonly<Record<ShimEvent['type'], readonly [AnySchemaFields, AnySchemaFields?]>> = {
  result: [
    { command: ID, ok: BOOLEAN },
    { code: CODE, repeated: BOOLEAN, existed: BOOLEAN, known: BOOLEAN, admissions: list(ADMISSION) },
  ],
  parked: [{ admission: ID }],
  started: [{ admission: ID }],
  withdrawn: [{ admission: ID }],
  send: [{ admission: ID, handle: ID, chat_id: ID, text: TEXT }, { reply_to: ID }],
  edit: [{ admission: ID, handle: ID, text: TEXT, final: BOOLEAN }],
  delete: [{ admission: ID, handle: ID }],
  question: [{ admission: ID, kind: oneOf('clarify', 'approval', 'choice'), question: ID, answered: BOOLEAN }],
  ended: [
    {
      admission: ID,
      outcome: oneOf('completed', 'failed', 'cancelled', 'withdrawn', 'not_started'),
      flags: object({ dispatched: BOOLEAN, started: BOOLEAN, completed: BOOLEAN, interrupted: BOOLEAN }),
      usage: list(USAGE),
    },
    { error: object({ status: { type: 'integer', nullable: true }, reason: SHORT }) },
  ],
  dropped: [
    { what: oneOf('internal_event', 'send_without_turn', 'send_before_start', 'error_text', 'late_output') },
    { admission: ID },
  ],
  stopping: [{}],
};
type AnySchemaFields = Readonly<Record<string, AnySchemaObject>>;

const EVENT: AnySchemaObject = {
  type: 'object',
  required: ['type', 'seq'],
  discriminator: { propertyName: 'type' },
  oneOf: Object.entries(EVENTS).map(([type, [fields, optional]]) =>
    object({ type: { const: type }, seq: POSITIVE, ...fields }, optional),
  ),
};

const REPORT = object(
  {
    instance: HEX_16_BYTES,
    pid: POSITIVE,
    versions: object({ shim: SHORT, hermes: SHORT, python: SHORT, protocol: POSITIVE }),
    platform: { type: 'object' },
    hermes: object({
      group_sessions_per_user: BOOLEAN,
      thread_sessions_per_user: BOOLEAN,
      busy_input_mode: SHORT,
      multiplex_profiles: BOOLEAN,
      streaming: object({ enabled: BOOLEAN, transport: SHORT }),
      worker_threads: COUNT,
      official_plugin_enabled: BOOLEAN,
    }),
    commands: object({
      version: SHORT,
      builtin: list(object({ name: ID, aliases: list(ID) })),
      plugin: list(ID),
    }),
    sessions: object({ cleared: list(ID) }),
    admissions: list(ADMISSION),
    first_unacknowledged: POSITIVE,
  },
  { spool: object({ instance: HEX_16_BYTES, events: list(EVENT) }) },
);

const validateChallenge = ajv.compile<ChallengeRequest>(object({ protocol: POSITIVE, shim_nonce: HEX_32_BYTES }));
const validateProtocol = ajv.compile<{ protocol: number }>(object({ protocol: POSITIVE }));
const validateAttach = ajv.compile<AttachRequest>(
  object({ bridge_nonce: HEX_32_BYTES, proof: HEX_32_BYTES, report: { type: 'object' } }),
);
const validateReport = ajv.compile<AttachReport>(REPORT);
const validateEvents = ajv.compile<EventsRequest>(
  object({ instance: HEX_16_BYTES, events: { ...list(EVENT), minItems: 1 } }),
);

/** @returns the version that the shim speaks, whatever else a version unknown to us says. @throws AngeliaError `link_request_invalid` */
export function readProtocol(value: unknown): number {
  return check(validateProtocol, value, '').protocol;
}

/** @throws AngeliaError `link_request_invalid` naming the field */
export function readChallenge(value: unknown): ChallengeRequest {
  return check(validateChallenge, value, '');
}

/** @throws AngeliaError `link_request_invalid` naming the field */
export function readAttach(value: unknown): AttachRequest {
  return check(validateAttach, value, '');
}

/** @throws AngeliaError `link_request_invalid` naming the field */
export function readReport(value: unknown): AttachReport {
  const report = check(validateReport, value, '/report');
  if (report.spool !== undefined) requireAscending(report.spool.events, '/report/spool/events');
  return report;
}

/** @throws AngeliaError `link_request_invalid` naming the field */
export function readEvents(value: unknown): EventsRequest {
  const request = check(validateEvents, value, '');
  requireAscending(request.events, '/events');
  return request;
}

/** Validates; what is wrong is told by the name of the field alone, never by its value. */
function check<T>(validate: ValidateFunction<T>, value: unknown, prefix: string): T {
  if (validate(value)) return value;
  const [error] = validate.errors ?? [];
  const params = (error?.params ?? {}) as { missingProperty?: string; tag?: string };
  const child = params.missingProperty ?? params.tag;
  const path = `${prefix}${error?.instancePath ?? ''}${child === undefined ? '' : `/${child}`}`;
  throw new AngeliaError(ErrorCode.LinkRequestInvalid, { field: path === '' ? '/' : path });
}

/** Numbers may be missing where waiting edits were merged, but they never go back. */
function requireAscending(events: readonly ShimEvent[], path: string): void {
  let last = 0;
  for (const [index, { seq }] of events.entries()) {
    if (seq <= last) throw new AngeliaError(ErrorCode.LinkRequestInvalid, { field: `${path}/${index}/seq` });
    last = seq;
  }
}
