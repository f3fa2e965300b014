// SPDX-License-Identifier: Apache-2.0
import { checkActionResult, checkServerFrame, type SemanticActionResultFrame } from './from-server.js';

const message = {
  type: 'inbound_message',
  agent_id: 'ag_1',
  channel_id: 'ch_7',
  channel_type: 'channel',
  kind: 'mention',
  message_id: 'msg_9',
  author_id: 'us_3',
  author_name: 'Mira',
  body: '@bot ping',
  content_type: 'text',
  msg_type: 'text',
  created_at: 1_790_000_000_000,
  emoji: '',
  reactor_id: '',
  reaction_added: false,
  conversation_context: { guild_id: 'gd_1', top_level_channel_id: 'ch_7' },
};
const update = {
  type: 'agent_config_update',
  cursor: 7,
  agent_id: 'ag_1',
  schema_version: 3,
  blob: '{}',
  idempotency_key: 'k1',
  created_at: 1,
};

const checked = (frame: unknown): string => {
  const result = checkServerFrame(typeof frame === 'string' ? frame : JSON.stringify(frame));
  return result.ok ? 'ok' : `${result.problem.type}|${result.problem.field}|${result.problem.rule}`;
};

describe('[INB-16] frames from the server, leniently', () => {
  it.each([
    message,
    { ...message, kind: 'poll', later: {} },
    { type: 'ping', later: 1 },
    { type: 'pong' },
    update,
    { type: 'agent_toggle', agent_id: 'ag_1', action: 'disable' },
    { type: 'request', id: 'r1', data: {} },
    { type: 'semantic_action_result', nonce: 'n', status: 7 },
    { type: 'execution_telemetry_ack' },
  ])('accepts %j', (frame) => {
    expect(checked(frame)).toBe('ok');
  });

  it.each([
    [{ ...message, author_name: null }, 'inbound_message|author_name|type'],
    [{ ...message, created_at: -1 }, 'inbound_message|created_at|minimum'],
    [{ ...message, created_at: 1.5 }, 'inbound_message|created_at|type'],
    [{ ...message, created_at: true }, 'inbound_message|created_at|type'],
    [{ ...message, kind: 'reaction', reaction_added: 'yes' }, 'inbound_message|reaction_added|type'],
    [{ ...update, cursor: 0 }, 'agent_config_update|cursor|minimum'],
    [{ ...update, idempotency_key: '' }, 'agent_config_update|idempotency_key|minLength'],
    [{ ...update, blob: '{' }, 'agent_config_update|blob|json'],
    [{ type: 'request', id: '', data: {} }, 'request|id|minLength'],
    [{ type: 'request', id: 'r', data: [] }, 'request|data|type'],
    [{ type: 'permission_denied', request_id: 7 }, 'permission_denied|attempted_action|required'],
    ['nonsense', '||json'],
    ['7', '||object'],
    ['{}', '|type|type'],
    ['{"type":"session.resume"}', 'session.resume|type|unknown_type'],
    ['{"type":"constructor"}', 'constructor|type|unknown_type'],
  ])('refuses %j', (frame, problem) => {
    expect(checked(frame)).toBe(problem);
  });

  it('refuses an integer that JSON has rounded silently', () => {
    expect(checked(JSON.stringify(message).replace('1790000000000', '9007199254740993'))).toBe(
      'inbound_message|created_at|maximum',
    );
  });
});

describe('[BPP-4] results of actions', () => {
  const result = (rest: object): unknown =>
    checkActionResult({ type: 'semantic_action_result', nonce: 'n', ...rest } as SemanticActionResultFrame);

  it('reads the JSON in the payload; an empty payload is null', () => {
    expect(result({ status: 'ok', payload: '{"a":1}', error: '' })).toEqual({
      ok: true,
      value: { status: 'ok', payload: { a: 1 } },
    });
    expect(result({ status: 'ok', payload: '', error: '' })).toEqual({
      ok: true,
      value: { status: 'ok', payload: null },
    });
  });

  it('passes the server code of an error unchanged', () => {
    expect(result({ status: 'error', payload: '', error: 'bpp.x y' })).toEqual({
      ok: true,
      value: { status: 'error', error: 'bpp.x y' },
    });
  });

  it.each([
    [{ status: 'error', error: '' }, 'error'],
    [{ status: 'ok' }, 'payload'],
    [{ status: 'ok', payload: '{' }, 'payload'],
    [{ status: 'maybe', payload: '' }, 'status'],
  ])('refuses %j', (rest, field) => {
    expect(result(rest)).toMatchObject({ ok: false, problem: { field } });
  });
});
