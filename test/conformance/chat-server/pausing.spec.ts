// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../../../src/common/errors.js';
import { ChatServerWorld } from './chat-server-world.js';

describe('[OPS-5] the operator pauses the intake', () => {
  let world: ChatServerWorld;

  afterEach(() => world.close());

  const say = (text: string): void => {
    world.playground.say('channel-general', world.playground.world.people[0]!.id, text);
  };

  it('the connection ends in good order, is not dialed again, and comes back when the intake is resumed', async () => {
    world = await ChatServerWorld.online();
    say('before');
    await world.ledger.receipts(1);
    world.chat.setPaused(true);
    expect(world.chat.online).toBe(false);
    await world.untilState({ state: 'paused', reason: ErrorCode.IntakePaused });
    expect(world.playground.recorder.entries.at(-1)).toMatchObject({ kind: 'close', code: 1000 });
    world.chat.retryNow();
    world.clock.advance(3_600_000);
    expect([world.state, world.upgrades]).toEqual(['paused', 1]);
    world.chat.setPaused(false);
    await world.untilOnline();
    say('after');
    const bodies = (await world.ledger.receipts(2)).map(({ body }) => body);
    expect(bodies).toEqual(['before', 'after']);
    expect(world.online).toEqual([true, false, true]);
  });

  it('a write that is under way gets its answer first, and none is begun', async () => {
    world = await ChatServerWorld.online();
    const sent = world.chat.sendMessage({ channelId: 'channel-general', content: 'x', replyToId: null });
    world.chat.setPaused(true);
    const refused = world.chat.sendMessage({ channelId: 'channel-general', content: 'y', replyToId: null });
    await expect(refused).rejects.toMatchObject({ outcome: 'not_sent', code: ErrorCode.NotOnline });
    await expect(sent).resolves.toEqual(expect.any(String));
    await world.untilState({ state: 'paused' });
  });

  it('what was read before the pause is committed', async () => {
    world = await ChatServerWorld.online();
    world.ledger.hold();
    say('read');
    await world.barrier();
    world.chat.setPaused(true);
    await world.untilState({ state: 'paused' });
    expect(world.ledger.events).toEqual([]);
    world.ledger.release();
    expect(await world.ledger.receipts(1)).toMatchObject([{ body: 'read' }]);
  });

  it('a client that starts paused dials nowhere until it is resumed', async () => {
    world = await ChatServerWorld.prepare();
    world.chat.setPaused(true);
    world.configure();
    await world.untilState({ state: 'paused' });
    expect(world.upgrades).toBe(0);
    world.chat.setPaused(false);
    await world.untilOnline();
  });

  it('a pause ends the wait for a server that is away, and a closed client stays closed', async () => {
    world = await ChatServerWorld.online();
    await world.playground.goDown();
    await world.untilState({ state: 'reconnecting' });
    world.chat.setPaused(true);
    await world.untilState({ state: 'paused' });
    await world.chat.close();
    world.chat.setPaused(false);
    expect(world.state).toBe('stopped');
  });

  it('a pause that is taken back at once changes nothing', async () => {
    world = await ChatServerWorld.online();
    world.chat.setPaused(true);
    world.chat.setPaused(false);
    await world.barrier();
    expect([world.chat.online, world.upgrades]).toEqual([true, 1]);
  });
});
