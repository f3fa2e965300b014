// SPDX-License-Identifier: Apache-2.0
import { checkClientFrame } from './from-client.js';

const NONCE = '0f3c1c1e-7d0b-4a5b-9a55-1f0c6f7a2b11';
const frames: Readonly<Record<string, Record<string, unknown>>> = {
  connect: {
    type: 'connect',
    plugin_id: 'hermes-borgee',
    token: '',
    version: 'bpp-1',
    capabilities: '["semantic_action","inbound_message","read_file"]',
  },
  get_me: { type: 'semantic_action', agent_id: '', action: 'get_me', payload: '{}', nonce: NONCE },
  send: {
    type: 'semantic_action',
    agent_id: 'ag_1',
    action: 'send_message',
    payload: '{"channel_id":"c1","content":"hi","reply_to_id":null}',
    nonce: NONCE,
  },
  heartbeat: {
    type: 'heartbeat',
    plugin_id: 'hermes-borgee',
    agent_id: 'ag_1',
    status: 'online',
    reason: '',
    timestamp: 1_790_000_000_000,
  },
  started: {
    type: 'task_started',
    task_id: 'borgee-1-0f3c',
    agent_id: 'ag_1',
    channel_id: 'c1',
    subject: 'Working',
    started_at: 1_790_000_000_000,
  },
  completed: {
    type: 'task_finished',
    task_id: 'borgee-1-0f3c',
    agent_id: 'ag_1',
    channel_id: 'c1',
    outcome: 'completed',
    reason: '',
    finished_at: 1,
  },
  failed: {
    type: 'task_finished',
    task_id: 'borgee-1-0f3c',
    agent_id: 'ag_1',
    channel_id: 'c1',
    outcome: 'failed',
    reason: 'unknown',
    finished_at: 1,
  },
  ack: {
    type: 'agent_config_ack',
    cursor: 7,
    agent_id: 'ag_1',
    schema_version: 3,
    idempotency_key: 'k1',
    status: 'rejected',
    reason: 'unknown',
    applied_at: 0,
  },
  data: { type: 'response', id: 'r1', data: null },
  error: { type: 'response', id: 'r1', error: 'no_server_request_handler' },
  typing: { type: 'typing', channel_id: 'c1' },
  pong: { type: 'pong' },
};

const checked = (frame: unknown): string => {
  const result = checkClientFrame(JSON.stringify(frame));
  return result.ok ? 'ok' : `${result.problem.type}|${result.problem.field}|${result.problem.rule}`;
};

describe('[BPP-4] frames from the client, strictly', () => {
  it.each(Object.keys(frames))('%s is accepted', (name) => {
    expect(checked(frames[name])).toBe('ok');
  });

  it.each(Object.keys(frames))('%s is refused without any one of its fields, and with a foreign one', (name) => {
    for (const field of Object.keys(frames[name]!)) {
      const rest = Object.fromEntries(Object.entries(frames[name]!).filter(([key]) => key !== field));
      expect(checked(rest)).not.toBe('ok');
    }
    expect(checked({ ...frames[name], extra: 1 })).toMatch(/extra\|additionalProperties$/);
  });

  it.each([
    ['connect', { token: 'secret' }, 'connect|token|const'],
    ['connect', { version: 'bpp-2' }, 'connect|version|const'],
    ['connect', { capabilities: '{"a":1}' }, 'connect|capabilities|json'],
    ['connect', { capabilities: '["fly"]' }, 'connect|capabilities|json'],
    ['send', { payload: '[]' }, 'semantic_action|payload|object'],
    ['send', { payload: '{"channel_id":"c1","content":"hi"}' }, 'semantic_action|payload.reply_to_id|required'],
    [
      'send',
      { payload: '{"channel_id":"c1","content":"hi","reply_to_id":7}' },
      'semantic_action|payload.reply_to_id|type',
    ],
    ['send', { nonce: 'n1' }, 'semantic_action|nonce|pattern'],
    ['heartbeat', { status: 'away' }, 'heartbeat|status|const'],
    ['heartbeat', { timestamp: 2 ** 53 }, 'heartbeat|timestamp|maximum'],
    ['started', { subject: '  ' }, 'task_started|subject|pattern'],
    ['completed', { reason: 'unknown' }, 'task_finished|reason|const'],
    ['failed', { reason: '' }, 'task_finished|reason|enum'],
    ['ack', { applied_at: 5 }, 'agent_config_ack|applied_at|const'],
    ['ack', { status: 'applied' }, 'agent_config_ack|reason|const'],
    ['data', { error: 'both' }, 'response||oneOf'],
    ['typing', { type: 'agent_activity' }, 'agent_activity|type|unknown_type'],
  ])('%s with %j is refused', (name, change, problem) => {
    expect(checked({ ...frames[name], ...change })).toBe(problem);
  });

  it('passes the payload of an unknown action: its server answers it with an error', () => {
    expect(checked({ ...frames['send'], action: 'fly', payload: '{"height":3}' })).toBe('ok');
  });

  it('holds the frame limit, and the larger one of a response', () => {
    const content = 'x'.repeat(32_768);
    expect(
      checked({ ...frames['send'], payload: JSON.stringify({ channel_id: 'c1', content, reply_to_id: null }) }),
    ).toBe('semantic_action||size');
    expect(checked({ ...frames['data'], data: content })).toBe('ok');
    expect(checked({ ...frames['data'], data: content.repeat(4) })).toBe('response||size');
  });

  it('names what is no frame at all', () => {
    expect(checkClientFrame('{')).toMatchObject({ ok: false, problem: { rule: 'json' } });
    expect(checked([])).toBe('||object');
    expect(checked({ type: 7 })).toBe('|type|type');
    expect(checked({ type: 'Hello there, Mira' })).toBe('unknown|type|unknown_type');
  });
});
