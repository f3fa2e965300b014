// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../../../src/common/errors.js';
import { ChatServerWorld } from './chat-server-world.js';

const CHANNEL = 'channel-general';

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
