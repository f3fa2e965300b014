// SPDX-License-Identifier: Apache-2.0

/**
 * Every strict check on the client, by name, with what it asks (bpp 9 "Strict checks on the client"). A client that breaks one is
 * disconnected with 1008 and stands in the record as a `violation`.
 */
export const STRICT_CHECKS = {
  'agent-id':
    'agent_id is the own id; it may be empty in get_me and in other actions before the identity is known (bpp 1.4, 2.4).',
  'config-ack':
    'An ack echoes an update of this connection, or the remembered ack of the same idempotency key, once per update (bpp 3.7).',
  'connect-first': 'No frame goes out before connect (bpp 1.4).',
  'connect-once': 'A connection has one connect (bpp 1.4).',
  'frame-fields': 'Every field of 2.4 is present with its type, and no other field; payloads follow table 4.2.',
  'frame-json': 'A frame is a JSON object with a text as its type (bpp 2.1).',
  'frame-size': 'A frame has at most 32 768 bytes of UTF-8, a response at most 131 072 (bpp 1.3).',
  'heartbeat-interval': 'A heartbeat goes out every 30 s, the first one after such a pause as well (bpp 1.6).',
  'known-type': 'Only types that the official plugin sends (bpp 2.2).',
  'nested-json': 'capabilities and payload are texts that hold a JSON array and a JSON object (bpp 2.4).',
  'no-cookie': 'The upgrade carries no cookies (bpp 1.2).',
  'no-origin': 'The upgrade carries no Origin (bpp 1.2).',
  'no-query': 'The upgrade address has no query; credentials never go into it (bpp 1.1).',
  'no-subprotocol': 'The upgrade offers no subprotocol (bpp 1.2).',
  'no-typing': 'No typing frame is sent (bpp 2.2, D-9).',
  'nonce-unique': 'Each action has a nonce of its own, never used before, on any connection (bpp 4.1).',
  'pong-answers-ping': 'A pong answers a ping (bpp 1.6).',
  'response-pairs': 'A response answers a request of this connection, once, within 8 s (bpp 4.7).',
  'task-pairs':
    'A task has one start and then one end; only the identical frame may come again, on a later connection (bpp 4.5).',
  'text-frame': 'Frames are text messages (bpp 2.1).',
} as const;

/** Name of a strict check. */
export type StrictCheck = keyof typeof STRICT_CHECKS;

/** A broken check. `detail` names fields and numbers, not content. */
export interface Violation {
  readonly check: StrictCheck;
  readonly detail: string;
}

/** Makes a violation. */
export function violation(check: StrictCheck, detail: string): Violation {
  return { check, detail };
}
