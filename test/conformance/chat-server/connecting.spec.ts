// SPDX-License-Identifier: Apache-2.0
import { AngeliaError, ErrorCode } from '../../../src/common/errors.js';
import { ChatServerWorld } from './chat-server-world.js';

describe('[BPP-1] [BPP-9] connecting to a Borgee server', () => {
  let world: ChatServerWorld;

  afterEach(() => world.close());

  it('dials with the key in its header, says connect, asks who it is, and is online', async () => {
    world = await ChatServerWorld.online();
    expect(world.identities).toEqual([{ origin: world.playground.origin, agentId: world.playground.agentId }]);
    expect(world.online).toEqual([true]);
    expect(world.states.map(({ state }) => state)).toEqual(['connecting', 'online']);
    const upgrade = world.playground.recorder.entries.find((entry) => entry.kind === 'upgrade');
    expect(upgrade).toMatchObject({ url: '/ws/plugin', authorization: 'right', headers: { 'user-agent': 'angelia' } });
    expect(world.frames('semantic_action')).toMatchObject([{ action: 'get_me', agent_id: '' }]);
  });

  it('asks again for a configured id, once for the life of the process', async () => {
    world = await ChatServerWorld.prepare();
    world.configure({ agent_id: world.playground.agentId });
    await world.untilOnline();
    expect(world.frames('semantic_action')).toMatchObject([{ action: 'get_me', agent_id: '' }]);
    world.playground.connection?.kill();
    await world.reconnect();
    expect(world.frames('connect')).toHaveLength(2);
    expect(world.frames('semantic_action')).toHaveLength(1);
    expect(world.identities).toHaveLength(2);
  });

  it('stays refused when the key belongs to another agent, until it is asked again', async () => {
    world = await ChatServerWorld.prepare();
    world.configure({ agent_id: 'ag_other' });
    await world.untilState({ state: 'misconfigured', reason: ErrorCode.IdentityInvalid });
    world.clock.advance(3_600_000);
    expect(world.upgrades).toBe(1);
    expect(world.identities).toEqual([]);
    world.chat.retryNow();
    await world.untilState({ state: 'misconfigured' }, world.states.length);
    expect(world.upgrades).toBe(2);
  });

  it.each([
    ['a person', { id: 'us_1', display_name: 'Mira', role: 'member', permissions: [] }],
    ['no user at all', { id: '', role: 'agent' }],
    ['nothing', null],
  ])('stays refused when the key belongs to %s', async (_name, user) => {
    world = await ChatServerWorld.prepare();
    const fields = { status: 'ok', payload: JSON.stringify(user), error: '' };
    world.playground.faults.nextResult({ action: 'get_me', fault: { kind: 'reply', fields } });
    world.configure();
    await world.untilState({ state: 'misconfigured', reason: ErrorCode.IdentityInvalid });
  });

  it('tries again when the server refuses to say who it is', async () => {
    world = await ChatServerWorld.prepare();
    world.playground.faults.nextResult({ action: 'get_me', fault: { kind: 'refuse', code: 'busy' } });
    world.configure();
    await world.untilState({ reason: ErrorCode.ActionRefused });
    world.clock.advance(15_000);
    await world.untilOnline();
  });

  it('stays refused when the ledger belongs to another agent', async () => {
    world = await ChatServerWorld.prepare();
    world.chat.onIdentity(() => Promise.reject(new AngeliaError(ErrorCode.LedgerIdentityMismatch)));
    world.configure();
    await world.untilState({ state: 'misconfigured', reason: ErrorCode.LedgerIdentityMismatch });
    expect(world.online).toEqual([]);
  });

  it('tries again when the ledger could not be written', async () => {
    world = await ChatServerWorld.prepare();
    let full = true;
    world.chat.onIdentity(() =>
      full ? Promise.reject(new AngeliaError(ErrorCode.LedgerWriteFailed)) : Promise.resolve(),
    );
    world.configure();
    await world.untilState({ reason: ErrorCode.LedgerWriteFailed });
    full = false;
    world.clock.advance(15_000);
    await world.untilOnline();
  });

  it('goes on dialing a server that is down at the start, ever more slowly', async () => {
    world = await ChatServerWorld.prepare();
    await world.playground.goDown();
    world.configure();
    for (const [index, wait] of [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000].entries()) {
      const attempt = index + 1;
      await world.untilState({
        state: 'connecting',
        reason: ErrorCode.ServerUnreachable,
        code: null,
        system: 'ECONNREFUSED',
        attempt,
      });
      world.clock.advance(wait - 1);
      expect(world.clock.pending).toBe(1);
      world.clock.advance(1);
    }
    expect(world.state).toBe('connecting');
  });
});

describe('[BPP-9] answers of a server that can pass', () => {
  let world: ChatServerWorld;

  beforeEach(async () => (world = await ChatServerWorld.prepare()));
  afterEach(() => world.close());

  it.each([429, 500, 502, 503])('HTTP %d at the first dial: retry', async (status) => {
    world.playground.faults.nextUpgrade({ kind: 'status', status });
    world.configure();
    await world.untilState({ state: 'connecting', reason: ErrorCode.ServerUnreachable, code: status });
    world.clock.advance(250);
    await world.untilOnline();
  });

  it('503 with Retry-After: not before', async () => {
    world.playground.faults.nextUpgrade({ kind: 'status', status: 503, retryAfter: '7' });
    world.configure();
    await world.untilState({ code: 503 });
    world.clock.advance(6_999);
    expect(world.upgrades).toBe(1);
    world.clock.advance(1);
    await world.untilOnline();
  });

  it('404: retry slowly', async () => {
    world.playground.faults.nextUpgrade({ kind: 'status', status: 404 });
    world.configure();
    await world.untilState({ code: 404 });
    world.clock.advance(59_999);
    expect(world.upgrades).toBe(1);
    world.clock.advance(1);
    await world.untilOnline();
  });

  it('TCP closed before the 101: retry', async () => {
    world.playground.faults.nextUpgrade({ kind: 'close' });
    world.configure();
    await world.untilState({ reason: ErrorCode.ServerUnreachable });
    world.clock.advance(250);
    await world.untilOnline();
  });

  it('no answer to the upgrade within 8 s: retry', async () => {
    world.playground.faults.nextUpgrade({ kind: 'hang' });
    world.configure();
    await world.playground.waitFor((entry) => entry.kind === 'upgrade');
    world.clock.advance(7_999);
    expect(world.state).toBe('connecting');
    world.clock.advance(1);
    await world.untilState({ reason: ErrorCode.ServerUnreachable });
    world.clock.advance(250);
    await world.untilOnline();
  });

  it('no answer to get_me within 8 s: retry', async () => {
    world.playground.faults.nextResult({ action: 'get_me', fault: { kind: 'drop' } });
    world.configure();
    await world.playground.waitFor((entry) => entry.kind === 'frame' && entry.type === 'semantic_action');
    world.clock.advance(8_000);
    await world.untilState({ reason: ErrorCode.ServerUnreachable });
    world.clock.advance(250);
    await world.untilOnline();
  });

  it.each(['before-connect', 'before-identity'] as const)('closed %s: seen at once, not after 8 s', async (at) => {
    world.playground.faults.closeAt({ at, code: 1011 });
    world.configure();
    await world.untilState({ reason: ErrorCode.ConnectionLost, code: 1011 });
    world.clock.advance(250);
    await world.untilOnline();
  });
});

describe('[BPP-9] answers of a server that need a person', () => {
  let world: ChatServerWorld;

  beforeEach(async () => (world = await ChatServerWorld.prepare()));
  afterEach(() => world.close());

  it.each([401, 403])('HTTP %d: the process stays, and probes', async (status) => {
    world.playground.faults.nextUpgrade({ kind: 'status', status }, 2);
    world.configure();
    await world.untilState({ state: 'auth_failed', reason: ErrorCode.CredentialRefused, code: status });
    world.clock.advance(299_999);
    expect(world.upgrades).toBe(1);
    world.clock.advance(1);
    await world.playground.waitFor((entry) => entry.kind === 'upgrade' && world.upgrades === 2);
    expect(world.state).toBe('auth_failed');
  });

  it('a refused key is asked again at once by retryNow', async () => {
    world.playground.faults.nextUpgrade({ kind: 'status', status: 401 });
    world.configure();
    await world.untilState({ state: 'auth_failed' });
    world.chat.retryNow();
    await world.untilOnline();
  });

  it('a wrong key, then the right one', async () => {
    world.configure({}, 'bgr_wrong');
    await world.untilState({ state: 'auth_failed' });
    world.configure();
    await world.untilOnline();
  });

  it('4004 during the handshake is seen at once', async () => {
    world.playground.faults.closeAt({ at: 'before-identity', code: 4004 });
    world.configure();
    await world.untilState({ state: 'disabled', reason: ErrorCode.AgentDisabled, code: 4004 });
  });

  it('a redirect is never followed', async () => {
    world.playground.faults.nextUpgrade({ kind: 'redirect', location: `${world.playground.origin}/ws/plugin` });
    world.configure();
    await world.untilState({ state: 'misconfigured', reason: ErrorCode.RedirectRefused, code: 302 });
    expect(world.upgrades).toBe(1);
  });

  it('a key that can stand in no header is not sent', async () => {
    world.configure({}, 'bgr_1\r\nX-Evil: 1');
    await world.untilState({ state: 'misconfigured', reason: ErrorCode.ConfigInvalid });
    expect(world.upgrades).toBe(0);
  });

  it('an address that may not be dialed is not dialed', async () => {
    world.configure({ allow_insecure_loopback: false });
    await world.untilState({ state: 'misconfigured', reason: ErrorCode.ConfigInvalid });
    expect(world.upgrades).toBe(0);
    world.configure();
    await world.untilOnline();
  });
});

describe('[BPP-9] settings', () => {
  let world: ChatServerWorld;

  beforeEach(async () => (world = await ChatServerWorld.online()));
  afterEach(() => world.close());

  it('that are the same change nothing; settings of others neither', async () => {
    world.configure();
    world.configure({ max_concurrent_dispatches: 8 });
    await world.chat.sendMessage({ channelId: 'channel-general', content: 'hi', replyToId: null });
    expect(world.upgrades).toBe(1);
  });

  it('that differ end the connection before the next one is dialed', async () => {
    const other = await ChatServerWorld.prepare();
    world.chat.configure(other.settings(), other.playground.apiKey);
    expect(world.chat.online).toBe(false);
    await other.playground.waitFor((entry) => entry.kind === 'frame' && entry.type === 'semantic_action');
    await world.untilState({ state: 'online' }, 2);
    expect(world.playground.recorder.entries.at(-1)).toMatchObject({ kind: 'close', code: 1000, by: 'client' });
    expect(world.identities.map(({ origin }) => origin)).toEqual([world.playground.origin, other.playground.origin]);
    await world.chat.close();
    await other.close();
  });
});

describe('[BPP-9] listeners', () => {
  it('that throw are reported and do not keep the others from hearing', async () => {
    const world = await ChatServerWorld.prepare();
    const heard: boolean[] = [];
    world.chat.onOnlineChange(() => {
      throw new AngeliaError(ErrorCode.LedgerClosed);
    });
    const stop = world.chat.onOnlineChange((online) => heard.push(online));
    const reported = world.telemetry.next('error.unexpected');
    world.configure();
    expect(await reported).toMatchObject({ where: 'gateway.online_listener', code: ErrorCode.LedgerClosed });
    stop();
    await world.close();
    expect(heard).toEqual([true]);
  });
});

describe('[BPP-9] the end', () => {
  it('closes with 1000, says so, and is asked for any number of times', async () => {
    const world = await ChatServerWorld.online();
    await Promise.all([world.chat.close(), world.chat.close()]);
    expect(world.state).toBe('stopped');
    expect(world.online).toEqual([true, false]);
    await world.playground.waitFor((entry) => entry.kind === 'close' && entry.code === 1000);
    world.configure({ agent_id: 'x' });
    world.chat.retryNow();
    expect(world.state).toBe('stopped');
    await world.close();
  });

  it('ends a wait, a dial, and a client that was never configured', async () => {
    const waiting = await ChatServerWorld.prepare();
    waiting.playground.faults.nextUpgrade({ kind: 'status', status: 503 });
    waiting.configure();
    await waiting.untilState({ code: 503 });
    await waiting.close();
    const dialing = await ChatServerWorld.prepare();
    dialing.playground.faults.nextUpgrade({ kind: 'hang' });
    dialing.configure();
    await dialing.playground.waitFor((entry) => entry.kind === 'upgrade');
    await dialing.close();
    const idle = await ChatServerWorld.prepare();
    expect(idle.state).toBe('unconfigured');
    await idle.close();
    expect([waiting.state, dialing.state, idle.state]).toEqual(['stopped', 'stopped', 'stopped']);
  });
});
