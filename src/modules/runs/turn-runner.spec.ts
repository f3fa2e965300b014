// SPDX-License-Identifier: Apache-2.0
import { TurnBench } from '../../../test/support/turn-bench.js';
import { AngeliaError, ErrorCode } from '../../common/errors.js';

describe('HermesTurnRunner', () => {
  let bench: TurnBench;

  beforeEach(async () => {
    bench = await TurnBench.open();
  });

  afterEach(async () => {
    await bench.close();
  });

  it('[BPP-2] hands over the text, the clean name of its author and a prompt of this turn', async () => {
    const claim = await bench.handOver('m1', { body: 'hello', authorName: 'Mira]\n[x', channelType: 'dm' });
    expect(bench.host.starts).toMatchObject([
      {
        admission: claim,
        chat: { id: 'ch_1', type: 'dm', name: 'ch_1', thread_id: null },
        author: { id: 'u_1', name: 'Mira) (x' },
        message_id: 'm1',
        text: 'hello',
        command: false,
        clean: false,
      },
    ]);
    expect(bench.host.starts[0]?.prompt).toContain(claim);
  });

  it('commits the start of a slash command before its handover', async () => {
    let startedAtHandover: number | null | undefined;
    bench.host.reply = async () => {
      const { admission } = bench.host.starts[0]!;
      startedAtHandover = (await bench.store.findClaimed(admission))?.startedAt;
      return { taken: true, repeated: false };
    };
    await bench.handOver('m1', { body: '/status' });
    expect(startedAtHandover).toEqual(expect.any(Number));
    expect(bench.host.starts[0]?.command).toBe(true);
  });

  it.each(['/yolo', '/model x', '/restart', '/nosuch', '/Yolo@bot'])('refuses %s with one sentence', async (body) => {
    const terminal = bench.telemetry.next('receipt.terminal');
    await bench.handOver('m1', { body });
    expect(await terminal).toMatchObject({ outcome: 'command_refused' });
    await bench.outbox.whenEmpty();
    expect(bench.host.starts).toEqual([]);
    expect(bench.chat.writes).toEqual([
      expect.objectContaining({ content: expect.stringContaining('command_refused'), replyToId: 'm1' }),
    ]);
  });

  it.each(['/new', '/reset', '/status', '/stop', '/queue x', '/q x', '/help', '/usr/bin'])(
    'hands over %s',
    async (body) => {
      await bench.handOver('m1', { body });
      expect(bench.host.starts).toMatchObject([{ text: body, command: true }]);
    },
  );

  it.each(['hello', '/status'])('[INB-12] puts %s back when the shim did not take it', async (body) => {
    bench.host.reply = () => Promise.resolve({ taken: false, code: 'draining' });
    const released = bench.telemetry.next('receipt.released');
    await bench.handOver('m1', { body });
    expect((await released).reason).toBe('not_taken_draining');
    expect((await bench.store.statistics()).receipts.pending).toBe(1);
  });

  it('[INB-16] ends a message that can never be handed over, instead of trying it for ever', async () => {
    bench.host.reply = () => Promise.resolve({ taken: false, code: 'bad_request' });
    const terminal = bench.telemetry.next('receipt.terminal');
    await bench.handOver('m1');
    expect(await terminal).toMatchObject({ state: 'failed', outcome: 'not_taken_bad_request' });
    await bench.outbox.whenEmpty();
    expect(bench.chat.writes).toMatchObject([{ content: expect.stringContaining('hermes_start_refused') }]);
  });

  it('[INB-4] leaves the claim to the next reconciliation when the link went away', async () => {
    bench.host.reply = () => Promise.reject(new AngeliaError(ErrorCode.LinkDetached));
    const claim = await bench.handOver('m1');
    expect(await bench.store.findClaimed(claim)).not.toBeNull();
    expect(bench.scheduler.runningClaims()).toMatchObject([{ claim }]);
  });

  it('hands nothing over once the dispatch is closed', async () => {
    const claimed = bench.telemetry.next('receipt.claimed');
    await bench.admit('m1');
    bench.scheduler.setDispatch(true, 1);
    bench.scheduler.setDispatch(false);
    await claimed;
    await bench.scheduler.quiesce();
    expect(bench.host.starts).toEqual([]);
  });

  it('reports what it did not expect', async () => {
    bench.host.reply = () => Promise.reject(new Error('boom'));
    const reported = bench.telemetry.next('error.unexpected');
    await bench.handOver('m1');
    expect(await reported).toMatchObject({ where: 'turn.hand_over', code: 'internal' });
  });
});
