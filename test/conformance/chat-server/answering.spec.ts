// SPDX-License-Identifier: Apache-2.0
import { ChatServerWorld } from './chat-server-world.js';

describe('[BPP-6] what the server asks', () => {
  let world: ChatServerWorld;

  beforeEach(async () => (world = await ChatServerWorld.online()));
  afterEach(() => world.close());

  it('a ping is answered by one pong, a pong by nothing', async () => {
    world.playground.ping();
    world.playground.push({ type: 'pong' });
    await world.playground.waitFor((entry) => entry.kind === 'frame' && entry.type === 'pong');
    await world.barrier();
    expect(world.frames('pong')).toEqual([{ type: 'pong' }]);
  });

  it('a config update is refused with a legal reason, a repeat gets the remembered ack', async () => {
    const ack = await world.playground.configUpdate({ cursor: 7, schemaVersion: 3, idempotencyKey: 'k1' });
    expect(ack).toEqual({
      type: 'agent_config_ack',
      cursor: 7,
      agent_id: world.playground.agentId,
      schema_version: 3,
      idempotency_key: 'k1',
      status: 'rejected',
      reason: 'unknown',
      applied_at: 0,
    });
    expect(await world.playground.configUpdate({ cursor: 9, idempotencyKey: 'k1' })).toEqual(ack);
    world.playground.connection?.kill();
    await world.reconnect();
    expect(await world.playground.configUpdate({ cursor: 11, idempotencyKey: 'k1' })).toEqual(ack);
  });

  it('requests get exactly one response each', async () => {
    expect(await world.playground.request({ action: 'stop_turn', channel_id: 'channel-general' })).toMatchObject({
      data: { aborted: false },
    });
    expect(await world.playground.request({ action: 'read_file', path: '/etc/passwd' })).toMatchObject({
      error: 'no_server_request_handler',
    });
    expect(await world.playground.request({ action: 'session_control' })).toMatchObject({
      error: 'application_request_unsupported',
    });
    expect(world.frames('response')).toHaveLength(3);
  });

  it('a request of 129 KiB is too large', async () => {
    const response = await world.playground.request({ action: 'application_request', text: 'x'.repeat(129 * 1024) });
    expect(response).toMatchObject({ error: 'application_request_too_large' });
  });

  it('of 33 requests at once one finds the desk busy', async () => {
    const requests = Array.from({ length: 33 }, (_, i) =>
      JSON.stringify({ type: 'request', id: `r${i}`, data: { action: 'x' } }),
    );
    for (const request of requests) world.playground.pushRaw(request);
    await world.playground.waitFor(() => world.frames('response').length === 33);
    const busy = world.frames('response').filter(({ error }) => error === 'server_request_busy');
    expect(busy.length).toBeLessThanOrEqual(1);
    expect(
      world.frames('response').filter(({ error }) => error === 'no_server_request_handler').length,
    ).toBeGreaterThanOrEqual(32);
  });

  it('a server that asks and does not read is told so later, not kept in memory', async () => {
    const { connection } = world.playground;
    connection?.stopReading();
    const id = (i: number): string => `${i}:${'i'.repeat(60_000)}`;
    for (let i = 0; i < 200; i += 1) world.playground.push({ type: 'request', id: id(i), data: { action: 'x' } });
    await connection?.drained();
    world.playground.ping();
    await connection?.drained();
    world.clock.advance(8_000);
    connection?.resumeReading();
    await world.playground.waitFor((entry) => entry.kind === 'frame' && entry.dir === 'in' && entry.type === 'pong');
    await world.barrier();
    expect(world.counter('replies_dropped')).toBeGreaterThan(0);
    expect(world.frames('response').length).toBeLessThan(200);
    expect(await world.playground.request({ action: 'stop_turn', channel_id: 'c' })).toMatchObject({
      data: { aborted: false },
    });
  });

  it('a request whose id leaves no room for a response is left out', async () => {
    world.playground.push({ type: 'request', id: 'i'.repeat(131_030), data: {} });
    world.playground.push({ type: 'request', id: '', data: {} });
    await world.barrier();
    expect(world.frames('response')).toEqual([]);
    expect(world.counter('replies_dropped')).toBe(1);
  });

  it('frames that ask nothing get nothing', async () => {
    world.playground.push({ type: 'execution_telemetry_ack', event_id: 'e1' });
    world.playground.push({
      type: 'permission_denied',
      agent_id: 'a',
      request_id: 'unknown',
      attempted_action: 'x',
      required_capability: 'y',
      current_scope: 'z',
      denied_at: 1,
    });
    world.playground.push({ type: 'semantic_action_result', nonce: 'unknown', status: 'ok', payload: '', error: '' });
    await world.barrier();
    expect(world.counter('late_results')).toBe(2);
    expect(world.counter('frames_rejected')).toBe(0);
  });
});
