// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { BorgeePlayground, HARBOUR } from '../../../playground/borgee/index.js';
import { type Frame, frames, RawClient } from './client.js';

const { general } = HARBOUR.channels;
const { Mira } = HARBOUR.authors;
const isMessage = (frame: Frame): boolean => frame['type'] === 'inbound_message';
const isResult = (frame: Frame): boolean => frame['type'] === 'semantic_action_result';
const send = (content: string, replyToId: string | null = null): object => ({
  channel_id: general,
  content,
  reply_to_id: replyToId,
});

/** The HTTP answer to an upgrade that is not taken. */
async function refusedUpgrade(
  playground: BorgeePlayground,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const client = RawClient.start(playground, { headers });
  const [request, response] = (await once(client.socket, 'unexpected-response')) as [
    { destroy(): void },
    IncomingMessage,
  ];
  request.destroy();
  return response;
}

describe('[PLY-1] knobs of the playground: upgrade', () => {
  let playground: BorgeePlayground;
  beforeEach(async () => {
    playground = await BorgeePlayground.start();
  });
  afterEach(() => playground.close());

  it('answers 401 to a wrong key and records the upgrade without the key', async () => {
    const response = await refusedUpgrade(playground, { authorization: 'Bearer bgr_wrong' });
    expect(response.statusCode).toBe(401);
    const upgrade = playground.recorder.entries.find((entry) => entry.kind === 'upgrade')!;
    expect(upgrade).toMatchObject({ authorization: 'wrong', status: 401, conn: null });
    expect(JSON.stringify(playground.recorder.entries)).not.toContain('bgr_');
  });

  it('answers the next upgrade with a status and Retry-After, the one after it as usual', async () => {
    playground.faults.nextUpgrade({ kind: 'status', status: 503, retryAfter: '7' });
    const response = await refusedUpgrade(playground);
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('7');
    await RawClient.connected(playground);
    playground.assertClean();
  });

  it('redirects', async () => {
    playground.faults.nextUpgrade({ kind: 'redirect', location: 'http://example.com/ws/plugin' });
    const response = await refusedUpgrade(playground);
    expect(response.statusCode).toBe(302);
    expect(response.headers.location).toBe('http://example.com/ws/plugin');
  });

  it('closes TCP before the 101', async () => {
    playground.faults.nextUpgrade({ kind: 'close' });
    expect(await RawClient.start(playground).closed()).toBe(1006);
  });

  it('hangs until it goes down', async () => {
    playground.faults.nextUpgrade({ kind: 'hang' });
    const client = RawClient.start(playground);
    await playground.waitFor((entry) => entry.kind === 'upgrade' && entry.status === null);
    expect(client.socket.readyState).toBe(client.socket.CONNECTING);
    await playground.goDown();
    expect(await client.closed()).toBe(1006);
  });

  it('adds the version header as often as it is told', async () => {
    playground.faults.nextUpgrade({ kind: 'version-header', values: ['1', '2'] });
    const client = RawClient.start(playground);
    const [response] = (await once(client.socket, 'upgrade')) as [IncomingMessage];
    expect(response.headersDistinct['x-borgee-agent-requests-version']).toEqual(['1', '2']);
    const next = RawClient.start(playground);
    const [plain] = (await once(next.socket, 'upgrade')) as [IncomingMessage];
    expect(plain.headersDistinct['x-borgee-agent-requests-version']).toBeUndefined();
  });
});

describe('[PLY-1] [BPP-9] knobs of the playground: the end of a connection', () => {
  let playground: BorgeePlayground;
  beforeEach(async () => {
    playground = await BorgeePlayground.start();
  });
  afterEach(() => playground.close());

  it.each([1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1011, 1012, 1013, 3000, 4000, 4004])(
    'closes with %i before connect',
    async (code) => {
      playground.faults.closeAt({ at: 'before-connect', code });
      expect(await (await RawClient.dial(playground)).closed()).toBe(code);
      await playground.waitFor((entry) => entry.kind === 'close' && entry.code === code && entry.by === 'playground');
      await RawClient.connected(playground);
    },
  );

  it('closes between connect and the result of get_me', async () => {
    playground.faults.closeAt({ at: 'before-identity', code: 4004 });
    const client = await RawClient.connected(playground);
    client.send(frames.action('get_me'));
    expect(await client.closed()).toBe(4004);
    expect(client.heard).toEqual([]);
  });

  it.each([
    ['action-pending', 1],
    ['action-unseen', 0],
  ] as const)('closes at %s: the message stands %i times', async (at, times) => {
    playground.faults.closeAt({ at, code: 1011 });
    const client = await RawClient.connected(playground);
    await client.act('get_me');
    client.send(frames.action('send_message', send('x')));
    expect(await client.closed()).toBe(1011);
    expect(client.heard.filter(isResult)).toHaveLength(1);
    expect(playground.messages(general)).toHaveLength(times);
  });

  it('closes after a delivery, at the occasion that it is told', async () => {
    playground.faults.closeAt({ at: 'after-delivery', code: 1012, after: 1 });
    const client = await RawClient.connected(playground);
    playground.say(general, Mira, 'one');
    playground.say(general, Mira, 'two');
    expect(await client.closed()).toBe(1012);
    expect(client.heard.map(({ body }) => body)).toEqual(['one', 'two']);
  });

  it('goes down and comes back on the same port', async () => {
    const { origin } = playground;
    const client = await RawClient.connected(playground);
    await playground.goDown();
    expect(await client.closed()).toBe(1006);
    expect(playground.online).toBe(false);
    expect(await RawClient.start(playground).closed()).toBe(1006);
    await playground.comeBack();
    expect(playground.origin).toBe(origin);
    await RawClient.connected(playground);
    expect(playground.online).toBe(true);
  });

  it('keeps a half-open link open, deaf and mute', async () => {
    const client = await RawClient.connected(playground);
    playground.connection!.halfOpen();
    client.socket.ping();
    client.send(frames.action('get_me'));
    await playground.waitFor((entry) => entry.kind === 'frame' && entry.type === 'semantic_action');
    playground.say(general, Mira, 'unheard');
    const next = await RawClient.connected(playground);
    await next.act('get_me');
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    expect(client.pongs).toBe(0);
    expect(client.heard).toEqual([]);
    playground.assertClean();
  });

  it('serves only the newest connection and keeps the older one open', async () => {
    const older = await RawClient.connected(playground);
    const newer = await RawClient.connected(playground);
    playground.say(general, Mira, 'hi');
    await newer.hear(isMessage);
    await older.act('get_me');
    expect(older.heard.filter(isMessage)).toEqual([]);
  });

  it('a second playground is another origin with another key', async () => {
    const other = await BorgeePlayground.start();
    expect(other.origin).not.toBe(playground.origin);
    expect(other.apiKey).not.toBe(playground.apiKey);
    await other.close();
  });

  it('answers neither connect nor heartbeat and acknowledges no delivery', async () => {
    const patient = await BorgeePlayground.start({ heartbeat: { minMs: 0, maxMs: 60_000 } });
    const client = await RawClient.connected(patient);
    client.send(frames.heartbeat());
    patient.say(general, Mira, 'hi');
    await client.act('get_me');
    expect(client.heard.map(({ type }) => type)).toEqual(['inbound_message', 'semantic_action_result']);
    await patient.close();
  });
});
