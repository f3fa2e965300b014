// SPDX-License-Identifier: Apache-2.0
import { ManualClock } from '../../../../test/support/manual-clock.js';
import { ErrorCode } from '../../../common/errors.js';
import { ActionChannel } from './action-channel.js';
import { DEFAULT_CLIENT_OPTIONS } from './client-options.js';
import { Counters } from './counters.js';
import { FrameWriter } from './frame-writer.js';
import type { SemanticActionFrame, SemanticActionResultFrame } from './wire/index.js';

interface Setup {
  readonly channel: ActionChannel;
  readonly clock: ManualClock;
  readonly counters: Counters;
  readonly sent: SemanticActionFrame[];
  readonly writer: FrameWriter;
}

/** @param window bytes that the socket takes; 0: it takes nothing */
function setup(window = 1_000_000): Setup {
  const clock = new ManualClock();
  const counters = new Counters();
  const sent: SemanticActionFrame[] = [];
  const writer = new FrameWriter(
    { writable: true, send: (text) => sent.push(JSON.parse(text) as SemanticActionFrame) },
    { ...DEFAULT_CLIENT_OPTIONS, writeWindowBytes: window, regularLane: { frames: 300, bytes: 1_000_000 } },
  );
  return { channel: new ActionChannel(writer, clock, counters, DEFAULT_CLIENT_OPTIONS), clock, counters, sent, writer };
}

const result = (nonce: string, rest: object): SemanticActionResultFrame =>
  ({ type: 'semantic_action_result', nonce, ...rest }) as SemanticActionResultFrame;
const send = ({ channel }: Setup): Promise<unknown> => channel.perform('ag_1', 'delete_message', { message_id: 'm' });

describe('[BPP-4] actions (bpp 4.1)', () => {
  it('are matched by their nonce, in any order', async () => {
    const test = setup();
    const first = send(test);
    const second = send(test);
    const [a, b] = test.sent;
    expect(a?.nonce).not.toBe(b?.nonce);
    test.channel.settle(result(b!.nonce, { status: 'ok', payload: '{"n":2}', error: '' }));
    test.channel.settle(result(a!.nonce, { status: 'ok', payload: '', error: '' }));
    await expect(first).resolves.toBeNull();
    await expect(second).resolves.toEqual({ n: 2 });
    expect(test.clock.pending).toBe(0);
  });

  it('keep the code of the server when it refuses', async () => {
    const test = setup();
    const action = send(test);
    test.channel.settle(
      result(test.sent[0]!.nonce, { status: 'error', payload: '', error: 'bpp.semantic_op_unknown' }),
    );
    await expect(action).rejects.toMatchObject({
      outcome: 'refused',
      code: ErrorCode.ActionRefused,
      serverCode: 'bpp.semantic_op_unknown',
    });
  });

  it('are refused by permission_denied as well', async () => {
    const test = setup();
    const action = send(test);
    test.channel.deny({
      type: 'permission_denied',
      agent_id: 'ag_1',
      request_id: test.sent[0]!.nonce,
      attempted_action: 'delete_message',
      required_capability: 'chat',
      current_scope: '',
      denied_at: 1,
    });
    await expect(action).rejects.toMatchObject({ outcome: 'refused', serverCode: 'bpp.permission_denied' });
  });

  it('are uncertain after a result that cannot be read', async () => {
    const test = setup();
    const action = send(test);
    expect(test.channel.settle(result(test.sent[0]!.nonce, { status: 'ok', payload: 7 }))).toMatchObject({
      field: 'payload',
    });
    await expect(action).rejects.toMatchObject({ outcome: 'uncertain', code: ErrorCode.ProtocolError });
  });

  it('ignore results that nobody waits for, whatever they hold', () => {
    const test = setup();
    expect(test.channel.settle(result('foreign', { status: 7 }))).toBeNull();
    expect(test.counters.snapshot()['late_results']).toBe(1);
  });

  it('are uncertain at their deadline when they were written, and a late result changes nothing', async () => {
    const test = setup();
    const action = send(test);
    test.clock.advance(30_000);
    await expect(action).rejects.toMatchObject({ outcome: 'uncertain', code: ErrorCode.ActionTimeout });
    test.channel.settle(result(test.sent[0]!.nonce, { status: 'ok', payload: '', error: '' }));
    expect(test.counters.snapshot()['late_results']).toBe(1);
  });

  it('certainly never left when they were still queued at their deadline', async () => {
    const test = setup(0);
    const action = send(test);
    test.clock.advance(30_000);
    await expect(action).rejects.toMatchObject({ outcome: 'not_sent', code: ErrorCode.ActionTimeout });
    expect(test.sent).toEqual([]);
  });

  it('are uncertain or not sent at the end of the connection, by whether they were written', async () => {
    const written = setup();
    const action = send(written);
    written.channel.stop();
    await expect(action).rejects.toMatchObject({ outcome: 'uncertain', code: ErrorCode.ConnectionLost });
    await expect(send(written)).rejects.toMatchObject({ outcome: 'not_sent', code: ErrorCode.NotOnline });
    const queued = setup(0);
    const waiting = send(queued);
    queued.channel.stop();
    await expect(waiting).rejects.toMatchObject({ outcome: 'not_sent', code: ErrorCode.ConnectionLost });
    expect(queued.clock.pending).toBe(0);
  });

  it('are at most 256 at once', async () => {
    const test = setup();
    const actions = Array.from({ length: 256 }, () => send(test));
    await expect(send(test)).rejects.toMatchObject({ outcome: 'not_sent', code: ErrorCode.ActionCapacity });
    test.channel.stop();
    await Promise.allSettled(actions);
  });

  it('are not sent when the lane is full', async () => {
    const test = setup(0);
    for (let i = 0; i < 300; i += 1) test.writer.offer('regular', 'x');
    await expect(send(test)).rejects.toMatchObject({ outcome: 'not_sent', code: ErrorCode.ActionCapacity });
    expect(test.clock.pending).toBe(0);
  });

  it('never happen when no frame can hold them', async () => {
    const test = setup();
    const large = test.channel.perform('ag_1', 'edit_message', { message_id: 'm', content: 'x'.repeat(32_768) });
    await expect(large).rejects.toMatchObject({ outcome: 'refused', code: ErrorCode.FrameTooLarge });
    expect(test.sent).toEqual([]);
  });

  it('have no deadline while reading is paused, and a full one afterwards', async () => {
    const test = setup();
    const action = send(test);
    test.clock.advance(29_000);
    test.channel.suspend();
    test.clock.advance(60_000);
    test.channel.resume();
    test.clock.advance(29_999);
    test.channel.settle(result(test.sent[0]!.nonce, { status: 'ok', payload: '', error: '' }));
    await expect(action).resolves.toBeNull();
  });
});
