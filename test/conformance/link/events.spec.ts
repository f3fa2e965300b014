// SPDX-License-Identifier: Apache-2.0
import { AngeliaError, ErrorCode } from '../../../src/common/errors.js';
import type { ShimEvent } from '../../../src/modules/hermes/index.js';
import type { UnnumberedEvent } from '../../support/fake-shim.js';
import { LinkWorld, MemoryHandler, turn } from './link-world.js';

const MIB = 1024 * 1024;
const A = 'a1'.repeat(16);

/** One of each kind, with every field. */
const ALL_KINDS: readonly UnnumberedEvent[] = [
  { type: 'parked', admission: A },
  { type: 'started', admission: A },
  { type: 'withdrawn', admission: A },
  { type: 'send', admission: A, handle: 'h1', chat_id: 'c1', text: 'hello', reply_to: 'm1' },
  { type: 'edit', admission: A, handle: 'h1', text: '', final: true },
  { type: 'delete', admission: A, handle: 'h1' },
  { type: 'question', admission: A, kind: 'approval', question: 'q1', answered: true },
  {
    type: 'ended',
    admission: A,
    outcome: 'failed',
    error: { status: null, reason: 'timeout' },
    flags: { dispatched: true, started: true, completed: false, interrupted: false },
    usage: [{ provider: 'p', model: 'm', input: 1, output: 2, cache_read: 3, cache_write: 4, requests: 5 }],
  },
  { type: 'dropped', what: 'late_output', admission: A },
  { type: 'dropped', what: 'internal_event' },
  { type: 'stopping' },
];

const PARKED = { type: 'parked', admission: A };
const TWO_PARKED = [PARKED, PARKED];

describe('[HST-10] events of the shim', () => {
  let world: LinkWorld;
  let handler: MemoryHandler;
  beforeEach(() => {
    world = new LinkWorld();
    handler = new MemoryHandler();
  });
  afterEach(() => world.end());

  const numbered = (events: readonly object[]): object[] =>
    events.map((event, index) => ({ seq: index + 1, ...event }));
  const body = (instance: string, ...events: readonly object[]): object => ({ instance, events: numbered(events) });

  it('[HST-10] of every kind are applied whole and in order, and answered after the commit', async () => {
    await world.bridge(handler);
    const shim = await world.attachedShim();
    shim.hold();
    const last = ALL_KINDS.map((event) => shim.emit(event)).at(-1)!;
    const { begun, release } = handler.holdAll();
    shim.release();
    await begun;
    expect(shim.lastEventAnswer).toBeNull();
    release();
    await shim.committed(last);
    expect(handler.applied).toEqual(numbered(ALL_KINDS).map((event) => event));
    expect(shim.lastEventAnswer).toEqual({
      status: 200,
      body: { ack: ALL_KINDS.length, replies: { 2: { go: true } } },
    });
    expect(shim.unacknowledged).toEqual([]);
  });

  it('[HST-10] with fields that this bridge does not know are taken all the same', async () => {
    await world.bridge(handler);
    const shim = await world.attachedShim();
    const answer = await shim.post('/link/v1/events', body(shim.instance, { type: 'parked', admission: A, news: [1] }));
    expect(answer.status).toBe(200);
  });

  it('[HST-11] whose answer was cut are posted again and have one effect', async () => {
    await world.bridge(handler);
    const shim = await world.attachedShim();
    const { begun, release } = handler.holdAll();
    const seq = shim.emit({ type: 'started', admission: A });
    await begun;
    shim.cutPosts();
    await shim.idle();
    shim.emit({ type: 'parked', admission: A });
    release();
    expect(await shim.committed(seq)).toEqual({ go: true });
    await shim.committed(seq + 1);
    expect(handler.applied.map((event) => event.seq)).toEqual([1, 2]);
    expect(handler.concurrent).toBe(1);
  });

  it('[INB-9] that the ledger cannot take are answered 503 and taken later', async () => {
    await world.bridge(handler);
    const shim = await world.attachedShim();
    handler.failure = new AngeliaError(ErrorCode.LedgerWriteFailed, { path: 'canary' });
    const seq = shim.emit({ type: 'started', admission: A });
    await shim.until(() => shim.lastEventAnswer !== null);
    expect(shim.lastEventAnswer).toEqual({
      status: 503,
      body: { code: 'ledger_write_failed', sentence: expect.stringContaining('cannot be written') },
    });
    handler.failure = new TypeError('canary of an unexpected error');
    const answer = await shim.post('/link/v1/events', { instance: shim.instance, events: shim.unacknowledged });
    expect(answer).toMatchObject({ status: 503, body: { code: 'internal' } });
    expect(JSON.stringify(answer)).not.toContain('canary');
    expect(world.unexpected).toEqual([{ where: 'link.events', code: 'internal', ids: { instance: shim.instance } }]);
    handler.failure = null;
    shim.retry();
    expect(await shim.committed(seq)).toEqual({ go: true });
    expect(handler.applied).toHaveLength(1);
  });

  it('[HST-10] of a second POST wait for the first one', async () => {
    await world.bridge(handler);
    const shim = await world.attachedShim();
    const other = world.shim({ report: { instance: shim.instance } });
    await other.challenge();
    const { begun, release } = handler.holdAll();
    const first = shim.post('/link/v1/events', body(shim.instance, { type: 'parked', admission: A }));
    await begun;
    // Another connection of the same session.
    const authorization = shim.authorization()['authorization']!;
    const second = other.post('/link/v1/events', body(shim.instance, ...TWO_PARKED), {
      authorization,
    });
    release();
    expect((await first).body['ack']).toBe(1);
    expect((await second).body['ack']).toBe(2);
    expect(handler.concurrent).toBe(1);
    expect(handler.applied.map((event) => event.seq)).toEqual([1, 2]);
  });

  it('[HST-11] that wait behind a commit are refused when their session has ended meanwhile', async () => {
    await world.bridge(handler);
    const shim = await world.attachedShim();
    const other = world.shim({ report: { instance: shim.instance } });
    await other.challenge();
    const { begun, release } = handler.holdAll();
    const first = shim.post('/link/v1/events', body(shim.instance, { type: 'parked', admission: A }));
    await begun;
    const authorization = shim.authorization()['authorization']!;
    const two = body(shim.instance, ...TWO_PARKED);
    const second = other.post('/link/v1/events', two, { authorization });
    const ended = world.telemetry.next('link.detached');
    shim.halfClose();
    await ended;
    release();
    expect((await first).status).toBe(200);
    expect(await second).toEqual({ status: 401, body: { code: 'link_session_unknown' } });
    expect(handler.applied.map((event) => event.seq)).toEqual([1]);
  });

  it('[HST-11] of an earlier process are handed over once, inside the attach', async () => {
    await world.bridge(handler);
    const instance = 'cd'.repeat(16);
    const spool = {
      instance,
      events: numbered([{ type: 'parked', admission: A }, { type: 'stopping' }]) as ShimEvent[],
    };
    const shim = await world.attachedShim({ report: { spool } });
    expect(handler.applied).toEqual(spool.events);
    shim.disconnect();
    await shim.streamEnded();
    await shim.connect();
    expect(handler.applied).toEqual(spool.events);
  });

  it('[HST-11] are acknowledged at the attach as far as they were committed', async () => {
    const first = await world.bridge(handler);
    const shim = await world.attachedShim();
    await shim.committed(shim.emit({ type: 'parked', admission: A }));
    await first.close();
    await shim.streamEnded();
    await world.bridge(handler);
    shim.hold();
    shim.emit({ type: 'parked', admission: A });
    expect(await shim.connect()).toMatchObject({ ack: 1 });
    shim.release();
    await shim.committed(2);
    expect(handler.applied.map((event) => event.seq)).toEqual([1, 2]);
  });

  it('[HST-10] keep U+2028, U+0085, lone surrogates and a text of 2 MiB', async () => {
    await world.bridge(handler);
    const shim = await world.attachedShim();
    const text = `a\u2028b\u2029c\u0085d\u0000e\u{1F44D}f\ud800g${'\u20ac'.repeat((2 * MIB) / 3)}`;
    await shim.committed(shim.emit({ type: 'edit', admission: A, handle: 'h', text, final: false }));
    expect(handler.applied).toMatchObject([{ text }]);
  });

  it('[HST-10] larger than the limit are refused without being kept, and the connection goes on', async () => {
    await world.bridge(handler, { limits: { link_max_body_bytes: MIB } });
    const shim = await world.attachedShim();
    const send = (text: string): object =>
      body(shim.instance, { type: 'send', admission: A, handle: 'h', chat_id: 'c', text });
    const large = await shim.post('/link/v1/events', send('x'.repeat(8 * MIB)));
    expect(large).toEqual({ status: 413, body: { code: 'link_body_too_large' } });
    const chunked = await shim.post('/link/v1/events', send('x'.repeat(8 * MIB)), { 'transfer-encoding': 'chunked' });
    expect(chunked).toEqual({ status: 413, body: { code: 'link_body_too_large' } });
    expect((await shim.post('/link/v1/events', send('small'))).status).toBe(200);
    expect(handler.applied).toHaveLength(1);
  });

  it.each([
    ['an unknown kind', [{ type: 'news' }], '/events/0/type'],
    ['no kind', [{}], '/events/0/type'],
    ['a missing field', [{ type: 'send', admission: A, handle: 'h', chat_id: 'c' }], '/events/0/text'],
    ['a field of another type', [{ type: 'edit', admission: A, handle: 'h', text: 'x', final: 1 }], '/events/0/final'],
    ['an unknown outcome', [{ ...ALL_KINDS[7], outcome: 'fine' }], '/events/0/outcome'],
    [
      'a result that would carry text as its code',
      [{ type: 'result', command: 'c', ok: false, code: 'Some text.' }],
      '/events/0/code',
    ],
    ['numbers that go back', [{ type: 'stopping' }, { type: 'stopping', seq: 1 }], '/events/1/seq'],
    ['a number that JSON has rounded', [{ type: 'stopping', seq: 2 ** 53 }], '/events/0/seq'],
    ['no event', [], '/events'],
  ])('[HST-10] with %s are refused by the name of the field, never by its value', async (_name, events, field) => {
    await world.bridge(handler);
    const shim = await world.attachedShim();
    const answer = await shim.post('/link/v1/events', body(shim.instance, ...(events as object[])));
    expect(answer).toEqual({ status: 400, body: { code: 'link_request_invalid', field } });
    expect(handler.applied).toEqual([]);
    expect(world.unexpected).toEqual([
      { where: 'link.events', code: 'link_request_invalid', ids: { instance: shim.instance, field } },
    ]);
  });

  it('[HST-10] that are not JSON in UTF-8, or of another process, are refused', async () => {
    await world.bridge(handler);
    const shim = await world.attachedShim();
    for (const bytes of [Buffer.from('{"instance": canary'), Buffer.from([0x22, 0xc3, 0x28, 0x22]), Buffer.alloc(0)]) {
      const answer = await shim.post('/link/v1/events', bytes);
      expect(answer).toEqual({ status: 400, body: { code: 'link_request_invalid', field: 'body' } });
    }
    const foreign = await shim.post('/link/v1/events', body('ef'.repeat(16), { type: 'stopping' }));
    expect(foreign).toEqual({ status: 400, body: { code: 'link_request_invalid', field: '/instance' } });
    expect(handler.applied).toEqual([]);
  });

  it('[INB-10] that announce the stop of Hermes show in the status until it attaches again', async () => {
    const host = await world.bridge(handler);
    const shim = await world.attachedShim();
    await shim.committed(shim.emit({ type: 'stopping' }));
    expect(host.status()).toMatchObject({ stopping: true, attached: { instance: shim.instance } });
    shim.disconnect();
    await shim.streamEnded();
    await world.attachedShim();
    expect(host.status().stopping).toBe(false);
  });

  it('[HST-11] that are being committed when the bridge closes still get their answer', async () => {
    const host = await world.bridge(handler);
    const shim = await world.attachedShim();
    const { begun, release } = handler.holdAll();
    const seq = shim.emit({ type: 'started', admission: A });
    await begun;
    const closed = host.close();
    release();
    expect(await shim.committed(seq)).toEqual({ go: true });
    await closed;
  });

  it('[HST-11] that hang in a commit do not keep the bridge from closing', async () => {
    const host = await world.bridge(handler);
    const shim = await world.attachedShim();
    const { begun, release } = handler.holdAll();
    shim.emit({ type: 'started', admission: A });
    await begun;
    const closed = host.close();
    await shim.streamEnded();
    world.clock.advance(2_000);
    await closed;
    release();
  });

  it('[HST-10] results of commands that nobody waits for any more have no effect but their number', async () => {
    const host = await world.bridge(handler);
    const shim = await world.attachedShim();
    await shim.committed(shim.emit({ type: 'result', command: 'start:unknown', ok: true }));
    expect(await host.startTurn(turn())).toEqual({ taken: true, repeated: false });
  });
});
