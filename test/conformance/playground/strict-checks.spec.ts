// SPDX-License-Identifier: Apache-2.0
import { BorgeePlayground, STRICT_CHECKS, type StrictCheck } from '../../../playground/borgee/index.js';
import { frames, RawClient } from './client.js';

/** How a client breaks a check; it is connected where that is no part of the matter. */
interface Breach {
  readonly how: string;
  readonly check: StrictCheck;
  readonly breach: (playground: BorgeePlayground) => Promise<RawClient>;
}

/** A breach by a connected client. */
const connected =
  (act: (client: RawClient, playground: BorgeePlayground) => void | Promise<void>) =>
  async (playground: BorgeePlayground): Promise<RawClient> => {
    const client = await RawClient.connected(playground);
    await act(client, playground);
    return client;
  };

/** A breach by one frame of a connected client. */
const sending = (frame: object): Breach['breach'] => connected((client) => client.send({ ...frame }));

const without = (frame: object, field: string): object =>
  Object.fromEntries(Object.entries(frame).filter(([name]) => name !== field));

const BREACHES: readonly Breach[] = [
  {
    check: 'text-frame',
    how: 'a binary message',
    breach: connected((client) => client.socket.send(Buffer.from(JSON.stringify(frames.heartbeat())))),
  },
  { check: 'frame-size', how: 'a frame of 32 769 bytes', breach: sending(sized(32_769)) },
  {
    check: 'frame-size',
    how: 'a response of 131 073 bytes',
    breach: sending({ type: 'response', id: 'r1', data: 'x'.repeat(131_073) }),
  },
  { check: 'frame-json', how: 'text that is no JSON', breach: connected((client) => client.socket.send('{"type":')) },
  { check: 'frame-json', how: 'a JSON list', breach: connected((client) => client.socket.send('[]')) },
  { check: 'frame-json', how: 'a type that is no text', breach: sending({ type: 7 }) },
  { check: 'known-type', how: 'a type that the plugin never sends', breach: sending({ type: 'ack', cursor: 1 }) },
  {
    check: 'known-type',
    how: 'a declared type that is never sent',
    breach: sending({ type: 'agent_register', plugin_id: 'x', agent_ids: [] }),
  },
  { check: 'frame-fields', how: 'a field too few', breach: sending(without(frames.heartbeat(), 'reason')) },
  { check: 'frame-fields', how: 'a field too many', breach: sending(frames.heartbeat({ extra: 1 })) },
  { check: 'frame-fields', how: 'a field of another type', breach: sending(frames.heartbeat({ timestamp: '1' })) },
  { check: 'frame-fields', how: 'another status than online', breach: sending(frames.heartbeat({ status: 'away' })) },
  {
    check: 'frame-fields',
    how: 'a nonce that is no UUID v4',
    breach: sending(frames.action('get_me', {}, { nonce: 'n1' })),
  },
  {
    check: 'frame-fields',
    how: 'a failed task without a reason',
    breach: sending(frames.finished('t1', { outcome: 'failed' })),
  },
  { check: 'frame-fields', how: 'a blank subject', breach: sending(frames.started('t1', { subject: ' ' })) },
  {
    check: 'frame-fields',
    how: 'a send_message without reply_to_id',
    breach: sending(frames.action('send_message', { channel_id: 'channel-general', content: 'x' })),
  },
  {
    check: 'frame-fields',
    how: 'an optional key with null',
    breach: sending(frames.action('list_zones', { guild_id: 'guild-harbour', after: null })),
  },
  {
    check: 'frame-fields',
    how: 'a response with data and error',
    breach: sending({ type: 'response', id: 'r1', data: 1, error: 'x' }),
  },
  {
    check: 'frame-fields',
    how: 'an applied ack without a time',
    breach: sending(ack({ status: 'applied', reason: '' })),
  },
  { check: 'frame-fields', how: 'an ack with a reason of its own', breach: sending(ack({ reason: 'no_idea' })) },
  {
    check: 'nested-json',
    how: 'a payload that is an object',
    breach: sending(frames.action('get_me', {}, { payload: '{' })),
  },
  {
    check: 'nested-json',
    how: 'a payload that holds a list',
    breach: sending(frames.action('get_me', {}, { payload: '[]' })),
  },
  {
    check: 'nested-json',
    how: 'capabilities that hold no list',
    breach: async (playground) => {
      const client = await RawClient.dial(playground);
      client.send(frames.connect({ capabilities: 'semantic_action' }));
      return client;
    },
  },
  {
    check: 'nonce-unique',
    how: 'a nonce used twice',
    breach: connected(async (client) => {
      const frame = frames.action('get_me');
      client.send(frame);
      await client.hear(({ nonce }) => nonce === frame['nonce']);
      client.send(frame);
    }),
  },
  {
    check: 'nonce-unique',
    how: 'a nonce of an earlier connection',
    breach: async (playground) => {
      const first = await RawClient.connected(playground);
      const frame = frames.action('get_me');
      first.send(frame);
      await first.hear(({ nonce }) => nonce === frame['nonce']);
      first.socket.close();
      await first.closed();
      const second = await RawClient.connected(playground);
      second.send(frame);
      return second;
    },
  },
  {
    check: 'connect-first',
    how: 'an action before connect',
    breach: async (playground) => {
      const client = await RawClient.dial(playground);
      client.send(frames.action('get_me'));
      return client;
    },
  },
  { check: 'connect-once', how: 'a second connect', breach: sending(frames.connect()) },
  {
    check: 'no-origin',
    how: 'an Origin',
    breach: (playground) => RawClient.dial(playground, { origin: 'https://example.com' }),
  },
  {
    check: 'no-cookie',
    how: 'a cookie',
    breach: (playground) => RawClient.dial(playground, { headers: { cookie: 'a=b' } }),
  },
  {
    check: 'no-query',
    how: 'a query in the address',
    breach: (playground) => RawClient.dial(playground, { path: '/ws/plugin?token=x' }),
  },
  {
    check: 'no-subprotocol',
    how: 'a subprotocol',
    breach: (playground) => RawClient.dial(playground, { protocols: ['bpp'] }),
  },
  {
    check: 'agent-id',
    how: 'a foreign agent in a heartbeat',
    breach: sending(frames.heartbeat({ agent_id: 'agent-other' })),
  },
  {
    check: 'agent-id',
    how: 'a foreign agent in an action',
    breach: sending(frames.action('list_channels', {}, { agent_id: 'agent-other' })),
  },
  {
    check: 'agent-id',
    how: 'no agent in an action after the identity is known',
    breach: connected(async (client) => {
      await client.act('get_me');
      client.send(frames.action('list_channels', {}, { agent_id: '' }));
    }),
  },
  { check: 'heartbeat-interval', how: 'a heartbeat right after connect', breach: sending(frames.heartbeat()) },
  { check: 'no-typing', how: 'a typing frame', breach: sending({ type: 'typing', channel_id: 'channel-general' }) },
  { check: 'pong-answers-ping', how: 'a pong without a ping', breach: sending({ type: 'pong' }) },
  {
    check: 'pong-answers-ping',
    how: 'two pongs to one ping',
    breach: connected(async (client, playground) => {
      playground.ping();
      await client.hear(({ type }) => type === 'ping');
      client.send({ type: 'pong' });
      client.send({ type: 'pong' });
    }),
  },
  {
    check: 'response-pairs',
    how: 'a response to nothing',
    breach: sending({ type: 'response', id: 'r1', data: null }),
  },
  {
    check: 'response-pairs',
    how: 'a second response',
    breach: connected(async (client, playground) => {
      playground.push({ type: 'request', id: 'r1', data: { action: 'stop_turn', channel_id: 'channel-general' } });
      await client.hear(({ type }) => type === 'request');
      client.send({ type: 'response', id: 'r1', data: { aborted: false } });
      client.send({ type: 'response', id: 'r1', data: { aborted: false } });
    }),
  },
  {
    check: 'response-pairs',
    how: 'a response on the next connection',
    breach: async (playground) => {
      const first = await RawClient.connected(playground);
      playground.push({ type: 'request', id: 'r1', data: { action: 'stop_turn', channel_id: 'channel-general' } });
      await first.hear(({ type }) => type === 'request');
      first.socket.close();
      await first.closed();
      const second = await RawClient.connected(playground);
      second.send({ type: 'response', id: 'r1', data: { aborted: false } });
      return second;
    },
  },
  { check: 'config-ack', how: 'an ack of an update that never came', breach: sending(ack()) },
  {
    check: 'config-ack',
    how: 'an ack with another cursor',
    breach: connected(async (client, playground) => {
      pushUpdate(playground);
      await client.hear(({ type }) => type === 'agent_config_update');
      client.send(ack({ cursor: 8 }));
    }),
  },
  {
    check: 'config-ack',
    how: 'a second ack of one update',
    breach: connected(async (client, playground) => {
      pushUpdate(playground);
      await client.hear(({ type }) => type === 'agent_config_update');
      client.send(ack());
      client.send(ack());
    }),
  },
  { check: 'task-pairs', how: 'an end without a start', breach: sending(frames.finished('t1')) },
  {
    check: 'task-pairs',
    how: 'a start repeated on the same connection',
    breach: connected(twice(frames.started('t1'))),
  },
  {
    check: 'task-pairs',
    how: 'an end repeated on the same connection',
    breach: connected((client) => {
      client.send(frames.started('t1'));
      twice(frames.finished('t1'))(client);
    }),
  },
  {
    check: 'task-pairs',
    how: 'a second, different end',
    breach: connected((client) => {
      client.send(frames.started('t1'));
      client.send(frames.finished('t1'));
      client.send(frames.finished('t1', { outcome: 'cancelled' }));
    }),
  },
  {
    check: 'task-pairs',
    how: 'an end in another channel',
    breach: connected((client) => {
      client.send(frames.started('t1'));
      client.send(frames.finished('t1', { channel_id: 'channel-random' }));
    }),
  },
];

/** A heartbeat of exactly so many bytes. */
function sized(bytes: number): object {
  const missing = bytes - JSON.stringify(frames.heartbeat({ plugin_id: '', timestamp: 1_700_000_000_000 })).length;
  return frames.heartbeat({ plugin_id: 'x'.repeat(missing), timestamp: 1_700_000_000_000 });
}

function ack(change: object = {}): Readonly<Record<string, unknown>> {
  const echo = { cursor: 7, agent_id: 'agent-angelia', schema_version: 3, idempotency_key: 'k1' };
  return { type: 'agent_config_ack', ...echo, status: 'rejected', reason: 'unknown', applied_at: 0, ...change };
}

function pushUpdate(playground: BorgeePlayground): void {
  const echo = { cursor: 7, agent_id: 'agent-angelia', schema_version: 3, idempotency_key: 'k1' };
  playground.push({ type: 'agent_config_update', ...echo, blob: '{}', created_at: Date.now() });
}

function twice(frame: Readonly<Record<string, unknown>>) {
  return (client: RawClient): void => {
    client.send(frame);
    client.send(frame);
  };
}

describe('[TST-2] [PLY-1] strict checks of the playground on its client', () => {
  let playground: BorgeePlayground;

  beforeEach(async () => {
    playground = await BorgeePlayground.start();
  });
  afterEach(() => playground.close());

  it.each(BREACHES)('$check refuses $how', async ({ check, breach }) => {
    const client = await breach(playground);
    expect(await client.closed()).toBe(1008);
    expect(playground.violations.map((broken) => broken.check)).toEqual([check]);
    expect(() => playground.assertClean()).toThrow(check);
    expect(playground.recorder.entries).toContainEqual(expect.objectContaining({ kind: 'violation', check }));
  });

  it('every check has a client that breaks it', () => {
    const broken = new Set<string>(BREACHES.map(({ check }) => check));
    expect(Object.keys(STRICT_CHECKS).filter((check) => !broken.has(check))).toEqual([]);
  });

  it('heartbeat-interval refuses a client that stops beating', async () => {
    const strict = await BorgeePlayground.start({ heartbeat: { minMs: 0, maxMs: 40 } });
    const client = await RawClient.connected(strict);
    expect(await client.closed()).toBe(1008);
    expect(strict.violations).toEqual([{ check: 'heartbeat-interval', detail: 'none for 40 ms', conn: 1 }]);
    await strict.close();
  });
});

describe('[BPP-1] what a client may do is not refused', () => {
  let playground: BorgeePlayground;

  beforeEach(async () => {
    playground = await BorgeePlayground.start({ heartbeat: { minMs: 0, maxMs: 40_000 } });
  });
  afterEach(() => playground.close());

  it('asks who it is with and without an id, beats, answers and acknowledges', async () => {
    const client = await RawClient.connected(playground);
    client.send(frames.action('get_me', {}, { agent_id: '' }));
    await client.hear(({ type }) => type === 'semantic_action_result');
    await client.act('get_me');
    client.send(frames.heartbeat());
    playground.ping();
    await client.hear(({ type }) => type === 'ping');
    client.send({ type: 'pong' });
    pushUpdate(playground);
    await client.hear(({ type }) => type === 'agent_config_update');
    client.send(ack());
    await playground.waitFor((entry) => entry.kind === 'frame' && entry.type === 'agent_config_ack');
    playground.assertClean();
  });

  it('answers an update that is repeated under its key with the remembered ack', async () => {
    const client = await RawClient.connected(playground);
    pushUpdate(playground);
    playground.push({ ...ackUpdate, cursor: 9 });
    await client.hear(({ cursor }) => cursor === 9);
    client.send(ack());
    client.send(ack());
    await client.act('get_me');
    playground.assertClean();
  });

  it('repeats the frames of a task on the next connection, with another clock', async () => {
    const first = await RawClient.connected(playground);
    first.send(frames.started('t1'));
    first.send(frames.finished('t1'));
    await first.act('get_me');
    first.socket.close();
    await first.closed();
    const second = await RawClient.connected(playground);
    second.send(frames.started('t1', { started_at: 5 }));
    second.send(frames.finished('t1', { finished_at: 6 }));
    await second.act('get_me');
    playground.assertClean();
    const ends = playground.recorder.entries.filter((entry) => entry.kind === 'task_finished');
    expect(ends.map((entry) => entry.repeated)).toEqual([false, true]);
  });

  it('sends frames of exactly the largest sizes', async () => {
    const client = await RawClient.connected(playground);
    client.send({ ...sized(32_768) });
    playground.push({ type: 'request', id: 'r1', data: { action: 'read_file' } });
    await client.hear(({ type }) => type === 'request');
    const head = JSON.stringify({ type: 'response', id: 'r1', data: '' }).length;
    client.send({ type: 'response', id: 'r1', data: 'x'.repeat(131_072 - head) });
    await client.act('get_me');
    playground.assertClean();
  });
});

const ackUpdate = {
  type: 'agent_config_update',
  agent_id: 'agent-angelia',
  schema_version: 3,
  idempotency_key: 'k1',
  blob: '{}',
  created_at: 1,
};
