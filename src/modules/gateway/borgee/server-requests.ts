// SPDX-License-Identifier: Apache-2.0

/** What a request is answered with. */
export type RequestAnswer = { readonly data: unknown } | { readonly error: string };

/** Requests of the session features, which a Hermes bridge does not have (bpp 2.6, 4.7). */
const SESSION_ACTIONS: ReadonlySet<unknown> = new Set([
  'application_request',
  'message_delivery',
  'describe_session',
  'session_control',
  'session_observation',
  'normalized_activity_sync',
  'timeline_sync',
]);
const BINDING_FIELDS = ['binding_id', 'native_session_id', 'connection_generation'];

/** Errors that do not depend on the action (bpp 4.7). */
export const REQUEST_BUSY = 'server_request_busy';
export const REQUEST_TOO_LARGE = 'application_request_too_large';
export const RESPONSE_TOO_LARGE = 'application_response_too_large';

/**
 * Answers a request of the server exactly as table 4.7 of bpp says. Nothing is ever stopped by it: `/stop` stays Hermes's own (BPP-6).
 * @param data body of the request
 */
export function answerRequest(data: Readonly<Record<string, unknown>>): RequestAnswer {
  const action = data['action'];
  if (action === 'stop_turn' || action === 'interaction_response') {
    if (BINDING_FIELDS.some((field) => Object.hasOwn(data, field))) return { error: 'application_request_unsupported' };
    if (action === 'stop_turn') {
      const channelId = data['channel_id'];
      const usable = typeof channelId === 'string' && channelId !== '';
      return usable ? { data: { aborted: false } } : { error: 'stop_turn_channel_id_invalid' };
    }
  }
  return { error: SESSION_ACTIONS.has(action) ? 'application_request_unsupported' : 'no_server_request_handler' };
}
