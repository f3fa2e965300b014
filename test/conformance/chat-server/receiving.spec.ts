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
