// SPDX-License-Identifier: Apache-2.0
import { TurnBench } from '../../../test/support/turn-bench.js';

describe('HostEvents', () => {
  let bench: TurnBench;

  beforeEach(async () => {
    bench = await TurnBench.open();
  });

  afterEach(async () => {
    await bench.close();
  });

  const contents = (): string[] => bench.chat.writes.map((write) => ('content' in write ? write.content : write.kind));

  it('[INB-2] [BPP-4] carries a turn from its start to its end, the task last', async () => {
    const claim = await bench.handOver('m1');
    const [started] = await bench.shim({ type: 'started', admission: claim });
    expect(started).toEqual({ go: true });
    const terminal = bench.telemetry.next('receipt.terminal');
    await bench.shim(
      { type: 'send', admission: claim, handle: 'h1', chat_id: 'ch_1', text: 'answer', reply_to: 'm1' },
      bench.ended(claim, 'completed'),
    );
    expect(await terminal).toMatchObject({ messageId: 'm1', state: 'completed', outcome: 'hermes_completed' });
    await bench.taskClosed();
    expect(bench.chat.writes).toEqual([{ kind: 'send', channelId: 'ch_1', content: 'answer', replyToId: 'm1' }]);
    const task = `borgee-1-${claim.slice(0, 12)}`;
    expect(bench.chat.tasks).toEqual([`started ${task}`, `completed ${task}`]);
  });

  it('splits a long text by the frame of the server', async () => {
    const claim = await bench.handOver('m1');
    const text = '0123456789'.repeat(5);
    await bench.shim({ type: 'send', admission: claim, handle: 'h1', chat_id: 'ch_1', text });
    await bench.outbox.whenEmpty();
    expect(contents()).toEqual([text.slice(0, 20), text.slice(20, 40), text.slice(40)]);
  });

  it('says no to the start of a claim that is not in processing', async () => {
    expect(await bench.shim({ type: 'started', admission: 'f'.repeat(32) })).toEqual([{ go: false }]);
  });

  it('[HST-10] acts once on events that come again, and answers a repeated start from the ledger', async () => {
    const claim = await bench.handOver('m1');
    const events = [
      { type: 'started' as const, admission: claim, seq: 1 },
      { type: 'send' as const, admission: claim, handle: 'h1', chat_id: 'ch_1', text: 'answer', seq: 2 },
    ];
    await bench.events.apply('i', events);
    const replies = await bench.events.apply('i', events);
    await bench.outbox.whenEmpty();
    expect(replies.get(1)).toEqual({ go: true });
    expect(contents()).toEqual(['answer']);
  });

  it('[RUN-12] completes a turn without text and sends nothing', async () => {
    const claim = await bench.handOver('m1');
    const terminal = bench.telemetry.next('receipt.terminal');
    await bench.shim({ type: 'started', admission: claim }, bench.ended(claim, 'completed'));
    expect((await terminal).state).toBe('completed');
    await bench.taskClosed();
    expect(bench.chat.writes).toEqual([]);
  });

  it('ends a failed turn failed and says so once, with the code', async () => {
    const claim = await bench.handOver('m1');
    const terminal = bench.telemetry.next('receipt.terminal');
    await bench.shim({ type: 'started', admission: claim }, bench.ended(claim, 'failed', 401));
    expect(await terminal).toMatchObject({ state: 'failed', outcome: 'hermes_failed' });
    await bench.taskClosed();
    expect(bench.chat.writes).toEqual([
      {
        kind: 'send',
        channelId: 'ch_1',
        content: 'The agent could not answer: its model request failed (model_failed, HTTP 401).',
        replyToId: 'm1',
      },
    ]);
    expect(bench.chat.tasks.at(-1)).toMatch(/^failed /);
  });

  it('tells people that an interrupted turn did not finish', async () => {
    const claim = await bench.handOver('m1');
    await bench.shim({ type: 'started', admission: claim }, bench.ended(claim, 'cancelled'));
    await bench.taskClosed();
    expect(contents()).toEqual([expect.stringContaining('turn_interrupted')]);
    expect(bench.chat.tasks.at(-1)).toMatch(/^cancelled /);
  });

  it('says once per kind and turn that a question cannot be answered', async () => {
    const claim = await bench.handOver('m1');
    await bench.shim(
      { type: 'question', admission: claim, kind: 'clarify', question: 'clarify', answered: true },
      { type: 'question', admission: claim, kind: 'approval', question: 'approval', answered: true },
    );
    await bench.outbox.whenEmpty();
    await bench.shim({ type: 'question', admission: claim, kind: 'clarify', question: 'clarify', answered: true });
    await bench.outbox.whenEmpty();
    expect(contents()).toHaveLength(2);
  });

  it('[INB-12] takes a withdrawn start for no start: the receipt waits again and its lane rests', async () => {
    const claim = await bench.handOver('m1');
    const released = bench.telemetry.next('receipt.released');
    await bench.shim({ type: 'withdrawn', admission: claim }, bench.ended(claim, 'withdrawn'));
    expect((await released).reason).toBe('withdrawn');
    const again = bench.telemetry.next('receipt.claimed');
    bench.clock.advance(250);
    await again;
    await bench.scheduler.quiesce();
    expect(bench.host.starts).toHaveLength(2);
    expect(bench.host.starts[1]).toMatchObject({ clean: true, message_id: 'm1' });
  });

  it('rests longer each time a lane comes back unstarted', async () => {
    let claim = await bench.handOver('m1');
    for (const rest of [250, 500, 1000]) {
      await bench.shim(bench.ended(claim, 'not_started'));
      const claimed = bench.telemetry.next('receipt.claimed');
      bench.clock.advance(rest - 1);
      expect(bench.clock.pending).toBe(1);
      bench.clock.advance(1);
      claim = (await claimed).claim;
    }
    await bench.scheduler.quiesce();
  });

  it('[HST-11] announces the tasks of turns that an earlier process began, and ends them with the turn', async () => {
    const claim = await bench.handOver('m1');
    await bench.handOver('m2', { lane: 'lane-2' });
    const { lanes } = await bench.reopen();
    bench.events.resumeTasks(lanes);
    expect(bench.chat.tasks).toEqual([]);
    await bench.store.markStarted(claim);
    bench.events.resumeTasks((await bench.reopen()).lanes);
    expect(bench.chat.tasks).toEqual([`started borgee-1-${claim.slice(0, 12)}`]);
    await bench.shim(bench.ended(claim, 'completed'));
    await bench.taskClosed();
    expect(bench.chat.tasks.at(-1)).toBe(`completed borgee-1-${claim.slice(0, 12)}`);
  });

  it('closes tasks that an earlier process left open', async () => {
    bench.events.closeTasks([
      {
        ingestSeq: 7,
        claim: 'c'.repeat(32),
        channelId: 'ch_1',
        startedAt: 1,
        state: 'failed',
        outcome: 'hermes_failed',
      },
    ]);
    await bench.taskClosed();
    expect(bench.chat.tasks).toEqual(['started borgee-7-cccccccccccc', 'failed borgee-7-cccccccccccc']);
  });
});
