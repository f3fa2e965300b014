// SPDX-License-Identifier: Apache-2.0
import { jest } from '@jest/globals';
import { auditAtTheEnd } from '../support/world.js';
import { stubWorldOfFile } from '../support/stub-world.js';

/** A half-open link is found within a minute. */
jest.setTimeout(240_000);

const MIB = 1024 * 1024;

/** Id of the message that was too large. */
let oversized = '';

const stub = stubWorldOfFile();
const world = (): ReturnType<typeof stub>['world'] => stub().world;
const { playground, bridge } = {
  playground: () => world().playground,
  bridge: () => world().bridge,
};

/** Waits for a state of the connection in what the bridge logs from here on. */
async function untilState(state: string, from: number): Promise<Readonly<Record<string, unknown>>> {
  return world().logged('gateway.state', { state }, from);
}

/** A message in a fresh channel is answered. */
async function expectAnswer(): Promise<void> {
  await world().agentOnline();
  await stub().answered(world().say(world().channel(), 'Is anybody there?'));
}

/** Names of what health calls red. */
async function redReasons(): Promise<readonly string[]> {
  return (await bridge().health()).reasons.map((reason) => reason.name);
}

describe('[BPP-9] the chat server is away', () => {
  // A backoff that grew in the test before would only cost time.
  beforeEach(async () => {
    await bridge().stop();
    await bridge().start();
    await bridge().connected();
  });

  it('at the start of the bridge: it says so, keeps trying, and serves when the server comes', async () => {
    await bridge().stop();
    await playground().goDown();
    const from = bridge().logSize;
    await bridge().start();
    await world().logged('gateway.state', { state: 'connecting', reason: 'server_unreachable', attempt: 2 }, from);
    expect(await redReasons()).toContain('chat_server_connecting');
    await playground().comeBack();
    await untilState('online', from);
    await bridge().connected();
    await expectAnswer();
  });

  it('and answers 503 with Retry-After: it reconnects by itself', async () => {
    const from = bridge().logSize;
    playground().faults.nextUpgrade({ kind: 'status', status: 503, retryAfter: '1' }, 2);
    playground().connection?.kill();
    expect(await untilState('reconnecting', from)).toMatchObject({ code: 1006 });
    await world().logged('gateway.state', { state: 'reconnecting', code: 503 }, from);
    await untilState('online', from);
    await expectAnswer();
  });

  it.each([
    ['closes before its answer', { kind: 'close' }],
    ['never answers', { kind: 'hang' }],
  ] as const)('and %s to the upgrade: it reconnects', async (_what, fault) => {
    const from = bridge().logSize;
    const before = playground().recorder.entries.length;
    playground().faults.nextUpgrade(fault);
    playground().connection?.kill();
    await untilState('online', from);
    const upgrades = playground()
      .recorder.entries.slice(before)
      .filter((entry) => entry.kind === 'upgrade');
    expect(upgrades.map((entry) => entry.status)).toEqual([null, 101]);
    await expectAnswer();
  });

  it('and leaves a half-open link: it is found, and left for a new one', async () => {
    const from = bridge().logSize;
    playground().connection?.halfOpen();
    await untilState('reconnecting', from);
    await untilState('online', from);
    await expectAnswer();
  });
});

describe('[BPP-9] [HST-9] the chat server refuses the key', () => {
  it.each([401, 403])('with %i: the process stays, says so, and asks again at SIGHUP', async (status) => {
    const from = bridge().logSize;
    playground().faults.nextUpgrade({ kind: 'status', status });
    playground().connection?.kill();
    expect(await untilState('auth_failed', from)).toMatchObject({ reason: 'credential_refused', code: status });
    expect(await redReasons()).toContain('chat_server_auth_failed');
    expect(bridge().running).toBe(true);
    bridge().signal('SIGHUP');
    await untilState('online', from);
    await bridge().connected();
    await expectAnswer();
  });

  it('[BPP-6] with 4004: intake stops, what is there is kept, and SIGHUP resumes', async () => {
    const from = bridge().logSize;
    playground().connection?.close(4004);
    const { state } = await world().bridge.logged(
      (line) => line['event'] === 'gateway.state' && (line['state'] === 'disabled' || line['state'] === 'auth_failed'),
      'the end of the connection',
      { from },
    );
    expect(await redReasons()).toContain(`chat_server_${String(state)}`);
    bridge().signal('SIGHUP');
    await untilState('online', from);
    await expectAnswer();
  });

  it('[OPS-7] a new key in the profile is taken at SIGHUP', async () => {
    const from = bridge().logSize;
    const { apiKey } = playground();
    world().home.writeKey('bgr_wrong');
    bridge().signal('SIGHUP');
    await untilState('auth_failed', from);
    world().home.writeKey(apiKey);
    bridge().signal('SIGHUP');
    await untilState('online', from);
    await expectAnswer();
  });
});

describe('[INB-16] [BPP-9] frames that nobody can use', () => {
  it.each([
    ['no JSON', '{"type":"inbound_message"'],
    ['no object', '[1,2,3]'],
    ['a missing field', '{"type":"inbound_message","kind":"message","message_id":"m"}'],
    ['a number beyond 2^53', '{"type":"agent_config_update","cursor":9007199254740993}'],
    ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x00])],
  ])('%s: that frame is set aside, the socket stays', async (_what, data) => {
    const from = bridge().logSize;
    const connection = playground().connection?.number;
    playground().pushRaw(data);
    await world().logged('gateway.frame_rejected', {}, from);
    await expectAnswer();
    expect(playground().connection?.number).toBe(connection);
  });

  it('a lone surrogate: a visible terminal receipt, and intake goes on', async () => {
    const channel = world().channel();
    const connection = playground().connection?.number;
    playground().push({
      type: 'inbound_message',
      agent_id: playground().agentId,
      channel_id: channel,
      channel_type: 'channel',
      kind: 'message',
      message_id: 'message-surrogate',
      author_id: 'author-mira',
      author_name: 'Mira',
      body: 'half a \ud83d face',
      content_type: 'text',
      msg_type: 'text',
      created_at: Date.now(),
      emoji: '',
      reactor_id: '',
      reaction_added: false,
    });
    world().expectSilence('message-surrogate');
    await expectAnswer();
    expect(playground().connection?.number).toBe(connection);
  });

  it('a message of 200 KiB is read and answered', async () => {
    await stub().answered(world().say(world().channel(), 'x'.repeat(MIB / 5)));
  });

  it('a frame of 5 MiB: a visible terminal receipt, and intake goes on', async () => {
    const from = bridge().logSize;
    const connection = playground().connection?.number;
    oversized = world().say(world().channel(), 'x'.repeat(5 * MIB));
    world().expectSilence(oversized);
    await world().logged('gateway.frame_rejected', { type: 'inbound_message', field: 'body' }, from);
    await expectAnswer();
    expect(playground().connection?.number).toBe(connection);
  });

  it('a frame above max_inbound_frame_bytes closes with 1009; the bridge reconnects and goes on', async () => {
    const from = bridge().logSize;
    const id = world().say(world().channel(), 'y'.repeat(17 * MIB));
    world().expectSilence(id);
    await untilState('reconnecting', from);
    await world().entry((entry) => entry.kind === 'close' && entry.code === 1009);
    await untilState('online', from);
    await expectAnswer();
  });
});

auditAtTheEnd(world);

describe('[INB-16] after the end', () => {
  it('every poison event stands in the ledger as failed, with its reason', () => {
    const { receipts } = world().ledger();
    for (const messageId of ['message-surrogate', oversized]) {
      expect(receipts).toContainEqual(expect.objectContaining({ messageId, state: 'failed', outcome: 'undecodable' }));
    }
  });
});
