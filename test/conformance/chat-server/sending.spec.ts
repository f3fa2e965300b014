// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../../../src/common/errors.js';
import type { SendError } from '../../../src/modules/gateway/index.js';
import { ChatServerWorld } from './chat-server-world.js';

const CHANNEL = 'channel-general';

describe('[BPP-4] sending, editing and deleting', () => {
  let world: ChatServerWorld;

  beforeEach(async () => (world = await ChatServerWorld.online()));
  afterEach(() => world.close());

  const send = (content = 'hello', replyToId: string | null = null): Promise<string> =>
    world.chat.sendMessage({ channelId: CHANNEL, content, replyToId });
  const texts = (): string[] =>
    world.playground.messages(CHANNEL).flatMap(({ body, deleted }) => (deleted ? [] : [body]));

  it('returns the id that the server gave, and changes that message', async () => {
    const trigger = world.playground.say(CHANNEL, world.playground.world.people[0]!.id, 'ping');
    const id = await send('pre', trigger.id);
    expect(world.playground.messages(CHANNEL).at(-1)).toMatchObject({
      id,
      body: 'pre',
      authorId: world.playground.agentId,
    });
    await world.chat.editMessage({ messageId: id, content: 'preview, final' });
    expect(texts()).toEqual(['ping', 'preview, final']);
    await world.chat.deleteMessage(id);
    expect(texts()).toEqual(['ping']);
  });

  it('matches results by nonce in any order', async () => {
    world.playground.faults.nextResult({ action: 'send_message', fault: { kind: 'reorder', count: 3 }, times: 3 });
    const ids = await Promise.all([send('a'), send('b'), send('c')]);
    expect(ids.map((id) => world.playground.messages(CHANNEL).find((message) => message.id === id)?.body)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('is refused with the code of the server', async () => {
    world.playground.faults.nextResult({ fault: { kind: 'refuse', code: 'bpp.config_field_disallowed' } });
    await expect(send()).rejects.toMatchObject({
      outcome: 'refused',
      code: ErrorCode.ActionRefused,
      serverCode: 'bpp.config_field_disallowed',
    });
    world.playground.faults.nextResult({ fault: { kind: 'deny' } });
    await expect(send()).rejects.toMatchObject({ outcome: 'refused', serverCode: 'bpp.permission_denied' });
  });

  it.each([
    [{ status: 'ok', payload: '{"id":"msg"}', error: '' }],
    [{ status: 'ok', payload: '', error: '' }],
    [{ status: 'ok', payload: '{', error: '' }],
    [{ status: 'error', payload: '', error: '' }],
    [{ status: 'perhaps', payload: '{}', error: '' }],
    [{ status: 'ok', payload: { message_id: 'm' } }],
  ])('is uncertain after a result that breaks the protocol: %j', async (fields) => {
    world.playground.faults.nextResult({ action: 'send_message', fault: { kind: 'reply', fields } });
    await expect(send()).rejects.toMatchObject({ outcome: 'uncertain', code: ErrorCode.ProtocolError });
    expect(world.chat.online).toBe(true);
  });

  it('of an edit succeeds with any ok', async () => {
    world.playground.faults.nextResult({
      fault: { kind: 'reply', fields: { status: 'ok', payload: '[1]', error: '' } },
    });
    await world.chat.editMessage({ messageId: 'm', content: 'x' });
  });

  it('is uncertain when no answer comes in 30 s; a late one changes nothing', async () => {
    world.playground.faults.nextResult({ action: 'send_message', fault: { kind: 'hold' } });
    const sending = send();
    await world.playground.waitFor((entry) => entry.kind === 'answer');
    for (let second = 0; second < 30; second += 10) {
      world.clock.advance(10_000);
      await world.barrier();
    }
    await expect(sending).rejects.toMatchObject({ outcome: 'uncertain', code: ErrorCode.ActionTimeout });
    expect(world.playground.releaseResults()).toBe(1);
    await send('next');
    expect(world.counter('late_results')).toBe(1);
  });

  it.each(['action-pending', 'action-unseen'] as const)('is uncertain when the socket is lost: %s', async (at) => {
    world.playground.faults.closeAt({ at, code: 1006 });
    await expect(send()).rejects.toMatchObject({ outcome: 'uncertain', code: ErrorCode.ConnectionLost });
  });

  it('certainly did not happen while the client is offline', async () => {
    world.playground.connection?.kill();
    await world.untilState({ state: 'reconnecting' });
    await expect(send()).rejects.toMatchObject({ outcome: 'not_sent', code: ErrorCode.NotOnline });
  });

  it('can never happen with a frame that is too large', async () => {
    await expect(send('x'.repeat(32_768))).rejects.toMatchObject({ outcome: 'refused', code: ErrorCode.FrameTooLarge });
    await send('the next one');
    expect(texts()).toEqual(['the next one']);
  });

  it('holds a slow reader out without failing anything', async () => {
    const { connection } = world.playground;
    connection?.stopReading();
    const actions = Array.from({ length: 100 }, (_, i) => send(`${i} ${'x'.repeat(32_000)}`));
    world.clock.advance(19_000);
    connection?.resumeReading();
    await Promise.all(actions);
    expect(texts()).toHaveLength(100);
  });

  it('replaces half a character by a sign of its own, so that no reader chokes on it', async () => {
    await send('a\ud83db');
    expect(texts()).toEqual(['a\ufffdb']);
  });

  it('cuts a long text so that every piece fits, in sends and in edits', async () => {
    const text = `${'👩‍👩‍👧‍👦 "quoted" \\ and a line\n'.repeat(3_000)}end`;
    const pieces = world.chat.split(CHANNEL, 'message-1', text);
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces) {
      const id = await send(piece);
      await world.chat.editMessage({ messageId: id, content: piece });
    }
    expect(texts().join('')).toBe(text);
  });

  it('cuts the same way before anything is known about the server', async () => {
    const idle = await ChatServerWorld.prepare();
    expect(idle.chat.split('c1', null, 'short')).toEqual(['short']);
    expect(idle.chat.split('c1', null, 'x'.repeat(40_000))).toHaveLength(2);
    await idle.close();
  });
});

describe('[BPP-9] a server that does not read', () => {
  let world: ChatServerWorld;

  afterEach(() => world.close());

  it('to a server that does not read fails nothing before its time: what never left goes back, what left is uncertain', async () => {
    const lane = { frames: 2_000, bytes: 128 * 1024 * 1024 };
    world = await ChatServerWorld.online({}, { maxPendingActions: 1_000, regularLane: lane });
    world.playground.connection?.stopReading();
    const actions = Array.from({ length: 1_000 }, (_, i) =>
      world.chat.sendMessage({ channelId: CHANNEL, content: `${i} ${'x'.repeat(32_000)}`, replyToId: null }),
    );
    await expect(world.chat.deleteMessage('m')).rejects.toMatchObject({
      outcome: 'not_sent',
      code: ErrorCode.ActionCapacity,
    });
    world.playground.connection?.kill();
    const outcomes = (await Promise.allSettled(actions)).map((result) =>
      result.status === 'rejected' ? (result.reason as SendError).outcome : 'sent',
    );
    expect(new Set(outcomes)).toEqual(new Set(['uncertain', 'not_sent']));
    expect(outcomes.lastIndexOf('uncertain')).toBeLessThan(outcomes.indexOf('not_sent'));
  });
});

describe('[BPP-4] tasks', () => {
  let world: ChatServerWorld;

  beforeEach(async () => (world = await ChatServerWorld.online()));
  afterEach(() => world.close());

  const task = (taskId: string) => ({ taskId, channelId: CHANNEL, startedAt: world.clock.now() });
  const end = () => ({ outcome: 'completed' as const, finishedAt: world.clock.now() });
  const seen = (kind: 'task_started' | 'task_finished', taskId: string): Promise<unknown> =>
    world.playground.waitFor((entry) => entry.kind === kind && entry.task_id === taskId);

  it('show the agent busy until their end has certainly arrived', async () => {
    world.chat.taskStarted(task('t1'));
    await seen('task_started', 't1');
    expect(world.playground.busy).toEqual([CHANNEL]);
    const finished = world.chat.taskFinished('t1', end());
    await seen('task_finished', 't1');
    world.clock.advance(200);
    await finished;
    expect(world.playground.busy).toEqual([]);
  });

  it('are ended after a reconnect, and repeated as far as nobody confirmed them', async () => {
    world.chat.taskStarted(task('t1'));
    await seen('task_started', 't1');
    world.playground.connection?.kill();
    await world.untilState({ state: 'reconnecting' });
    const finished = world.chat.taskFinished('t1', end());
    world.clock.advance(500);
    await world.untilOnline();
    await seen('task_finished', 't1');
    world.clock.advance(200);
    await finished;
    expect(world.frames('task_started')).toHaveLength(2);
    expect(world.frames('task_finished')).toHaveLength(1);
  });

  it('of an earlier process are ended although this one never showed them', async () => {
    world.chat.taskStarted(task('t0'));
    const finished = world.chat.taskFinished('t0', end());
    await seen('task_finished', 't0');
    world.clock.advance(200);
    await finished;
  });

  it('that were never started send nothing', async () => {
    await world.chat.taskFinished('t9', end());
    await world.barrier();
    expect(world.frames('task_finished')).toEqual([]);
  });

  it('let nobody wait when the gateway closes', async () => {
    world.playground.connection?.kill();
    await world.untilState({ state: 'reconnecting' });
    world.chat.taskStarted(task('t1'));
    const finished = world.chat.taskFinished('t1', end());
    await world.chat.close();
    await finished;
  });
});
