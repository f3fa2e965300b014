// SPDX-License-Identifier: Apache-2.0
import type { AnyFrame } from '../../../playground/borgee/index.js';
import { ErrorCode } from '../../../src/common/errors.js';
import { REMOTE_CONTROL_REFUSAL } from '../../../src/modules/gateway/borgee/remote-control.js';
import { ChatServerWorld } from './chat-server-world.js';

const CHANNEL = 'channel-general';
const MIB = 1024 * 1024;

describe('[BPP-7] receiving', () => {
  let world: ChatServerWorld;
  let person: string;
  let serial = 0;

  beforeEach(async () => {
    world = await ChatServerWorld.online();
    person = world.playground.world.people[0]!.id;
  });
  afterEach(() => world.close());

  const inbound = (change: object = {}): AnyFrame => ({
    type: 'inbound_message',
    agent_id: world.playground.agentId,
    channel_id: CHANNEL,
    channel_type: 'channel',
    kind: 'message',
    message_id: `raw_${(serial += 1)}`,
    author_id: person,
    author_name: 'Ann',
    body: 'hi',
    created_at: 1_780_000_000_000,
    ...change,
  });
  it('a message becomes an event with its conversation', async () => {
    const message = world.playground.say(CHANNEL, person, 'hello');
    const [event] = await world.ledger.receipts(1);
    expect(event).toMatchObject({
      kind: 'message',
      channelId: CHANNEL,
      messageId: message.id,
      authorId: person,
      body: 'hello',
      ignored: null,
    });
    expect(event?.context).toMatchObject({ topLevelChannelId: CHANNEL });
  });

  it('[BPP-7] edits, deletions and reactions become terminal events', async () => {
    const message = world.playground.say(CHANNEL, person, 'hello');
    world.playground.editMessage(message.id, 'hello again');
    world.playground.react(message.id, person, '👍');
    world.playground.deleteMessage(message.id);
    const events = await world.ledger.receipts(4);
    expect(events.map(({ ignored }) => ignored)).toEqual([
      null,
      'ignored_edited',
      'ignored_reaction',
      'ignored_deleted',
    ]);
  });

  it.each(['before', 'after'] as const)(
    '[BPP-5] the echo of an own message, %s its result, is known by its author',
    async (echo) => {
      const other = await ChatServerWorld.online({ echo });
      const id = await other.chat.sendMessage({ channelId: CHANNEL, content: 'hi', replyToId: null });
      const [event] = await other.ledger.receipts(1);
      expect(event).toMatchObject({ messageId: id, ignored: 'ignored_self_authored' });
      await other.close();
    },
  );

  it('[INB-16] poison events become receipts and stop nothing', async () => {
    world.playground.push(inbound({ author_name: null }));
    world.playground.push(inbound({ body: 'a\ud800' }));
    world.playground.push(inbound({ kind: 'poll' }));
    world.playground.pushRaw(JSON.stringify(inbound()).replace('1780000000000', '99999999999999999999'));
    world.playground.pushRaw(
      Buffer.concat([Buffer.from(JSON.stringify(inbound()).slice(0, -1)), Buffer.from(',"x":"\xff"}', 'latin1')]),
    );
    world.playground.push(inbound());
    const events = await world.ledger.receipts(6);
    expect(events.map(({ ignored }) => ignored)).toEqual([
      'undecodable',
      'undecodable',
      'ignored_unknown_kind',
      'undecodable',
      'undecodable',
      null,
    ]);
    expect(world.rejected.map(({ type, field }) => `${type} ${field}`)).toEqual([
      'inbound_message author_name',
      'inbound_message body',
      'inbound_message created_at',
      'inbound_message encoding',
    ]);
    expect(world.counter('events_undecodable')).toBe(4);
  });

  it('[INB-16] frames that are no events are set aside, named without content, and the socket stays', async () => {
    for (const text of [
      'no JSON',
      '[]',
      '7',
      '{"type":7}',
      '{"type":"of tomorrow, Mira"}',
      '{"type":"session.resume"}',
    ])
      world.playground.pushRaw(text);
    world.playground.push({ type: 'agent_config_update', cursor: 0 });
    world.playground.push({ type: 'semantic_action_result', nonce: 7 });
    world.playground.pushRaw(Buffer.from('{"type":"ping","x":"\xff"}', 'latin1'));
    await world.barrier();
    expect(world.rejected.map(({ type, field }) => `${type}|${field}`)).toEqual([
      '|',
      '|',
      '|',
      '|type',
      'unknown|type',
      'session.resume|type',
      'agent_config_update|agent_id',
      'semantic_action_result|nonce',
      'ping|',
    ]);
    expect(world.counter('frames_rejected')).toBe(9);
    expect(world.chat.online).toBe(true);
  });

  it('reads a binary message that is JSON', async () => {
    world.playground.pushRaw(Buffer.from(JSON.stringify(inbound())));
    await world.ledger.receipts(1);
  });

  it('[INB-16] reads a frame beyond 5 MiB and keeps it as poison; a usable one below is a turn', async () => {
    world.playground.push(inbound({ body: 'x'.repeat(5 * MIB + 1) }));
    world.playground.push(inbound({ body: 'x'.repeat(2 * MIB) }));
    world.playground.pushRaw('x'.repeat(6 * MIB));
    const events = await world.ledger.receipts(2);
    expect(events.map(({ ignored, body }) => [ignored, body.length])).toEqual([
      ['undecodable', 0],
      [null, 2 * MIB],
    ]);
    await world.barrier();
    expect(world.upgrades).toBe(1);
  });

  it('[INB-16] closes with 1009 above the largest frame, counts it, and comes back', async () => {
    world.playground.push(inbound({ body: 'x'.repeat(16 * MIB) }));
    await world.playground.waitFor((entry) => entry.kind === 'close' && entry.code === 1009);
    await world.untilState({ state: 'reconnecting', reason: ErrorCode.FrameTooLarge, code: 1009 });
    expect(world.counter('frames_too_large')).toBe(1);
    world.clock.advance(500);
    await world.untilOnline();
    world.playground.push(inbound());
    await world.ledger.receipts(1);
  });

  it('[BPP-7] refuses a remote-control message once and keeps the id of its answer', async () => {
    const remote = inbound({
      application_data: { protocol: 'remote-control', input: { agent_id: world.playground.agentId } },
    });
    world.playground.push(remote);
    world.playground.push(remote);
    world.playground.push(
      inbound({ application_data: { protocol: 'remote-control', input: { agent_id: 'ag_other' } } }),
    );
    await world.ledger.until(() => world.ledger.outbound.length === 1);
    await world.barrier();
    expect(world.ledger.events.slice(0, 3).map(({ ignored }) => ignored)).toEqual(
      Array(3).fill('ignored_remote_control'),
    );
    expect(world.frames('semantic_action').filter(({ action }) => action === 'send_message')).toMatchObject([
      { payload: expect.stringContaining(REMOTE_CONTROL_REFUSAL) },
    ]);
    expect(world.ledger.outbound).toHaveLength(1);
  });
});

describe('[BPP-7] a refusal that cannot be sent', () => {
  it('is left out and reported; the receipt is there all the same', async () => {
    const world = await ChatServerWorld.online();
    world.playground.faults.nextResult({ action: 'send_message', fault: { kind: 'refuse', code: 'no' } });
    const reported = world.telemetry.next('error.unexpected');
    const person = world.playground.world.people[0]!;
    world.playground.push({
      type: 'inbound_message',
      channel_id: CHANNEL,
      channel_type: 'channel',
      kind: 'message',
      message_id: 'raw_remote',
      author_id: person.id,
      author_name: person.name,
      body: 'x',
      created_at: 1,
      application_data: { protocol: 'remote-control' },
    });
    expect(await reported).toMatchObject({ where: 'gateway.remote_control', ids: { messageId: 'raw_remote' } });
    expect(world.ledger.events).toMatchObject([{ ignored: 'ignored_remote_control' }]);
    expect(world.ledger.outbound).toEqual([]);
    await world.close();
  });
});

describe('[INB-13] reading at full speed', () => {
  let world: ChatServerWorld;

  afterEach(() => world.close());

  it('takes a burst in its order while nothing is committed yet', async () => {
    world = await ChatServerWorld.online({ dropBehind: 256 });
    world.ledger.hold();
    const ids = await world.playground.burst(2_000, [CHANNEL]);
    await world.barrier();
    expect(world.chat.status().queuedBytes).toBeGreaterThan(500_000);
    world.ledger.release();
    const events = await world.ledger.receipts(2_000);
    expect(events.map(({ messageId }) => messageId)).toEqual(ids);
    expect(world.playground.drops).toBe(0);
    await world.barrier();
    expect(world.chat.status().queuedBytes).toBe(0);
  });

  it('commits what it has read although the socket is gone', async () => {
    world = await ChatServerWorld.online();
    world.ledger.hold();
    await world.playground.burst(10, [CHANNEL]);
    await world.barrier();
    world.playground.connection?.kill();
    await world.untilState({ state: 'reconnecting' });
    world.ledger.release();
    await world.ledger.receipts(10);
  });

  it('takes what came before the identity, once it is known, and after a lost handshake as well', async () => {
    world = await ChatServerWorld.prepare();
    const { playground } = world;
    const person = playground.world.people[0]!.id;
    playground.faults.nextResult({ action: 'get_me', fault: { kind: 'drop' } });
    world.configure();
    await playground.waitFor((entry) => entry.kind === 'frame' && entry.type === 'semantic_action');
    playground.say(CHANNEL, person, 'early');
    playground.ping();
    await playground.waitFor((entry) => entry.kind === 'frame' && entry.type === 'pong');
    expect(world.ledger.events).toEqual([]);
    playground.connection?.kill();
    await world.untilState({ reason: ErrorCode.ConnectionLost });
    world.clock.advance(500);
    await world.untilOnline();
    expect((await world.ledger.receipts(1))[0]).toMatchObject({ body: 'early', ignored: null });
  });

  it('ends a connection that floods it before it knows who it is, and keeps what could wait', async () => {
    world = await ChatServerWorld.prepare();
    const { playground } = world;
    playground.faults.nextResult({ action: 'get_me', fault: { kind: 'drop' } });
    world.configure({ intake_queue_max_bytes: 65_536 });
    await playground.waitFor((entry) => entry.kind === 'frame' && entry.type === 'semantic_action');
    const person = playground.world.people[0]!.id;
    for (let i = 0; i < 20; i += 1) playground.say(CHANNEL, person, 'x'.repeat(4_000));
    await world.untilState({ reason: ErrorCode.ProtocolError });
    expect(world.counter('frames_discarded')).toBeGreaterThan(0);
    world.clock.advance(15_000);
    await world.untilOnline();
    expect((await world.ledger.receipts(14)).every(({ ignored }) => ignored === null)).toBe(true);
  });

  it('throws away what came for somebody else', async () => {
    world = await ChatServerWorld.prepare();
    const { playground } = world;
    playground.faults.nextResult({ action: 'get_me', fault: { kind: 'delay', ms: 50 } });
    world.configure({ agent_id: 'ag_other' });
    await playground.waitFor((entry) => entry.kind === 'frame' && entry.type === 'semantic_action');
    playground.say(CHANNEL, playground.world.people[0]!.id, 'early');
    await world.untilState({ state: 'misconfigured' });
    expect(world.counter('frames_discarded')).toBe(1);
    world.configure();
    await world.untilOnline();
    expect(world.ledger.events).toEqual([]);
  });

  it('gives everything again in its order when the ledger refused it', async () => {
    world = await ChatServerWorld.online();
    world.ledger.break();
    const ids = await world.playground.burst(20, [CHANNEL]);
    await world.ledger.until(() => world.ledger.probes > 0);
    await world.barrier();
    world.ledger.mend();
    world.clock.advance(10_000);
    const events = await world.ledger.receipts(20);
    expect(events.map(({ messageId }) => messageId)).toEqual(ids);
  });
});

describe('[INB-13] the bound of the queue', () => {
  let world: ChatServerWorld;

  beforeEach(async () => {
    world = await ChatServerWorld.prepare();
    world.configure({ intake_queue_max_bytes: 65_536, intake_stall_seconds: 60 });
    await world.untilOnline();
    world.ledger.hold();
  });
  afterEach(() => world.close());

  const fill = (): void => {
    const person = world.playground.world.people[0]!.id;
    for (let i = 0; i < 100; i += 1) world.playground.say(CHANNEL, person, 'x'.repeat(4_000));
  };

  it('pauses reading, sends nothing, holds nobody dead, and reads on when there is room', async () => {
    fill();
    await world.untilState({ state: 'intake_paused' });
    expect(world.chat.online).toBe(false);
    await expect(world.chat.deleteMessage('m')).rejects.toMatchObject({ outcome: 'not_sent' });
    world.clock.advance(59_000);
    expect(world.state).toBe('intake_paused');
    const from = world.states.length;
    world.ledger.release();
    await world.untilState({ state: 'online' }, from);
    await world.ledger.receipts(100);
    expect(world.upgrades).toBe(1);
    expect(world.online).toEqual(expect.arrayContaining([true, false]));
    expect(world.online.at(-1)).toBe(true);
  });

  it('keeps the deadline of an action that waits for its result meanwhile', async () => {
    world.playground.faults.nextResult({ action: 'send_message', fault: { kind: 'hold' } });
    const sending = world.chat.sendMessage({ channelId: CHANNEL, content: 'hi', replyToId: null });
    await world.playground.waitFor((entry) => entry.kind === 'answer');
    fill();
    await world.untilState({ state: 'intake_paused' });
    world.playground.releaseResults();
    world.clock.advance(59_000);
    world.ledger.release();
    await expect(sending).resolves.toMatch(/./);
  });

  it('closes with 1001 when the store stays stalled, and dials again only after a write has succeeded', async () => {
    fill();
    await world.untilState({ state: 'intake_paused' });
    world.ledger.break();
    world.clock.advance(60_000);
    world.clock.advance(1_000);
    await world.untilState({ state: 'intake_paused', reason: ErrorCode.LedgerWriteFailed, code: 1001 });
    await world.playground.waitFor((entry) => entry.kind === 'close' && entry.code === 1001);
    expect(world.counter('intake_stalls')).toBe(1);
    for (let i = 0; i < 5; i += 1) {
      const { probes } = world.ledger;
      world.clock.advance(5_000);
      await world.ledger.until(() => world.ledger.probes > probes);
    }
    expect(world.upgrades).toBe(1);
    world.ledger.mend();
    world.ledger.release();
    const { probes } = world.ledger;
    world.clock.advance(5_000);
    await world.ledger.until(() => world.ledger.probes > probes);
    await world.untilOnline();
    expect(world.upgrades).toBe(2);
    expect(world.ledger.events.length).toBeGreaterThan(10);
  });

  it('waits for room before it dials after a drop', async () => {
    fill();
    await world.untilState({ state: 'intake_paused' });
    world.playground.connection?.kill();
    world.clock.advance(40_000);
    world.ledger.release();
    await world.untilState({ state: 'reconnecting' });
    world.clock.advance(500);
    await world.untilOnline();
    expect(world.upgrades).toBe(2);
  });
});

describe('[INB-10] the end of the intake', () => {
  it('waits for what was read', async () => {
    const world = await ChatServerWorld.online();
    world.ledger.hold();
    await world.playground.burst(10, [CHANNEL]);
    await world.barrier();
    let closed = false;
    const closing = world.chat.close().then(() => (closed = true));
    await world.playground.waitFor((entry) => entry.kind === 'close');
    expect(closed).toBe(false);
    world.ledger.release();
    await closing;
    expect(world.ledger.events).toHaveLength(10);
    await world.close();
  });
});
