// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../../../src/common/errors.js';
import { ChatServerWorld } from './chat-server-world.js';

describe('[BPP-9] staying online', () => {
  let world: ChatServerWorld;

  beforeEach(async () => (world = await ChatServerWorld.online()));
  afterEach(() => world.close());

  it('beats a little under 30 s, with the fields of the protocol', async () => {
    world.clock.advance(27_999);
    expect(world.frames('heartbeat')).toEqual([]);
    world.clock.advance(1);
    await world.playground.waitFor((entry) => entry.kind === 'frame' && entry.type === 'heartbeat');
    expect(world.frames('heartbeat')).toEqual([
      {
        type: 'heartbeat',
        plugin_id: 'hermes-borgee',
        agent_id: world.playground.agentId,
        status: 'online',
        reason: '',
        timestamp: world.clock.now(),
      },
    ]);
  });

  it('finds a half-open link in under a minute and dials again', async () => {
    world.playground.connection?.halfOpen();
    world.clock.advance(40_000);
    await world.untilState({ state: 'reconnecting', reason: ErrorCode.ConnectionLost });
    expect(world.counter('dead_peers')).toBe(1);
    world.clock.advance(500);
    await world.untilOnline();
  });

  it('keeps a quiet link as long as pongs come', async () => {
    for (let ping = 1; ping <= 5; ping += 1) {
      world.clock.advance(20_000);
      await world.playground.waitFor(
        () =>
          world.playground.recorder.entries.filter((e) => e.kind === 'control' && e.frame === 'ping').length >= ping,
      );
      await world.barrier();
    }
    expect(world.chat.online).toBe(true);
    expect(world.upgrades).toBe(1);
  });

  it.each([1000, 1001, 1005, 1006, 1011, 3000, 4000, 1009])('close %d: reconnects', async (code) => {
    world.playground.connection?.close(code);
    await world.untilState({ state: 'reconnecting', code });
    expect(world.chat.online).toBe(false);
    world.clock.advance(500);
    await world.untilOnline();
    expect(world.online).toEqual([true, false, true]);
  });

  it.each([1002, 1003, 1007, 1008])('close %d: reconnects with the longest backoff', async (code) => {
    world.playground.connection?.close(code);
    await world.untilState({ state: 'reconnecting', reason: ErrorCode.PeerProtocolClose, code });
    world.clock.advance(14_999);
    expect(world.upgrades).toBe(1);
    world.clock.advance(1);
    await world.untilOnline();
  });

  it('close 4004: stops, and asks again by probes', async () => {
    world.playground.connection?.close(4004);
    await world.untilState({ state: 'disabled', reason: ErrorCode.AgentDisabled, code: 4004 });
    world.clock.advance(300_000);
    await world.untilOnline();
  });

  it('begins the backoff anew after 30 s online, and not before', async () => {
    for (let drop = 1; drop <= 3; drop += 1) {
      const from = world.states.length;
      world.playground.connection?.kill();
      await world.untilState({ state: 'reconnecting', attempt: drop }, from);
      world.clock.advance(30_000);
      await world.untilOnline();
      if (drop < 3) world.clock.advance(10_000);
    }
    expect(world.chat.status().attempt).toBe(4);
    world.clock.advance(15_000);
    await world.barrier();
    world.clock.advance(15_000);
    expect(world.chat.status().attempt).toBe(0);
  });

  it('comes back on the same port after the server was gone', async () => {
    await world.playground.goDown();
    await world.untilState({ state: 'reconnecting', reason: ErrorCode.ConnectionLost, code: 1006 });
    world.clock.advance(250);
    await world.untilState({ state: 'reconnecting', reason: ErrorCode.ServerUnreachable });
    await world.playground.comeBack();
    world.clock.advance(500);
    await world.untilOnline();
  });
});

describe('[BPP-6] the server disables the agent', () => {
  let world: ChatServerWorld;

  beforeEach(async () => (world = await ChatServerWorld.online()));
  afterEach(() => world.close());

  it('by a toggle for the own id: intake and connection end', async () => {
    world.playground.agentToggle('disable');
    world.playground.say('channel-general', world.playground.world.people[0]!.id, 'too late');
    await world.untilState({ state: 'disabled', reason: ErrorCode.AgentDisabled });
    expect(world.ledger.events).toEqual([]);
    expect(world.counter('frames_discarded')).toBe(1);
    expect(world.playground.recorder.entries.at(-1)).toMatchObject({ kind: 'close', code: 1000 });
    world.chat.retryNow();
    await world.untilOnline();
  });

  it('but a toggle for another agent, or one that enables, changes nothing', async () => {
    world.playground.push({ type: 'agent_toggle', agent_id: 'ag_other', action: 'disable', reason: '' });
    world.playground.agentToggle('enable');
    world.playground.push({ type: 'agent_toggle', agent_id: world.playground.agentId, action: 'sleep', reason: '' });
    await world.barrier();
    expect(world.chat.online).toBe(true);
    expect(world.rejected).toEqual([{ type: 'agent_toggle', field: 'action', bytes: expect.any(Number) }]);
  });
});
