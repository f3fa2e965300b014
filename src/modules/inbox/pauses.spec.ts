// SPDX-License-Identifier: Apache-2.0
import { OperatorBench } from '../../../test/support/operator-bench.js';

const LANE = 'agent:main:borgee:channel:ch_1';

describe('[OPS-5] pauses', () => {
  let bench: OperatorBench;

  beforeEach(async () => {
    bench = await OperatorBench.open();
    await bench.openDispatch();
  });

  afterEach(() => bench.close());

  it('of the dispatch: messages are stored, nothing starts, what runs goes on', async () => {
    await bench.admit('running');
    await bench.settled();
    expect(await bench.pauses.set('dispatch', true, 'admin')).toEqual(['dispatch']);
    await bench.admit('later', { lane: 'other' });
    await bench.admit('next');
    await bench.end(bench.turns[0]!);
    expect(bench.ran).toEqual(['running']);
    expect(await bench.pauses.set('dispatch', false, 'admin')).toEqual([]);
    await bench.settled();
    expect(bench.ran.slice(1).sort()).toEqual(['later', 'next']);
  });

  it('of one lane: the others go on', async () => {
    await bench.pauses.set(`lane:${LANE}`, true, 'admin');
    await bench.admit('waits', { lane: LANE });
    await bench.admit('runs', { lane: 'other' });
    await bench.settled();
    expect(bench.ran).toEqual(['runs']);
    await bench.pauses.set(`lane:${LANE}`, false, 'admin');
    await bench.settled();
    expect(bench.ran).toEqual(['runs', 'waits']);
  });

  it('of the intake: the chat server is told', async () => {
    await bench.pauses.set('intake', true, 'admin');
    expect(bench.chat.paused).toBe(true);
    await bench.pauses.set('intake', false, 'admin');
    expect(bench.chat.paused).toBe(false);
  });

  it('hold over a restart of the bridge', async () => {
    await bench.pauses.set('intake', true, 'admin');
    await bench.pauses.set('dispatch', true, 'admin');
    await bench.pauses.set(`lane:${LANE}`, true, 'admin');
    await bench.admit('waits', { lane: LANE });
    bench.chat.paused = false;
    await bench.restart();
    await bench.openDispatch();
    expect([bench.chat.paused, bench.ran, bench.pauses.active]).toEqual([
      true,
      [],
      ['dispatch', 'intake', `lane:${LANE}`],
    ]);
    await bench.pauses.set('dispatch', false, 'admin');
    await bench.settled();
    expect(bench.ran).toEqual([]);
    await bench.pauses.set(`lane:${LANE}`, false, 'admin');
    await bench.settled();
    expect(bench.ran).toEqual(['waits']);
  });

  it('tell what changed', async () => {
    const changes = bench.events('pause.changed');
    await bench.pauses.set('intake', true, 'admin');
    await bench.pauses.set(`lane:${LANE}`, true, 'admin');
    await bench.pauses.set('intake', false, 'admin');
    expect(changes).toEqual([
      { what: 'intake', lane: null, on: true },
      { what: 'lane', lane: LANE, on: true },
      { what: 'intake', lane: null, on: false },
    ]);
  });

  it('do not act when they cannot be written', async () => {
    await bench.store.close();
    await expect(bench.pauses.set('intake', true, 'admin')).rejects.toMatchObject({ code: 'ledger_closed' });
    expect([bench.chat.paused, bench.pauses.active]).toEqual([false, []]);
  });
});

describe('[OPS-5] after an outage', () => {
  let bench: OperatorBench;

  beforeEach(async () => {
    bench = await OperatorBench.open();
    await bench.admit('old', { lane: 'quiet' });
    await bench.admit('old too', { lane: 'busy' });
    bench.clock.advance(31 * 60_000);
    await bench.admit('new', { lane: 'busy' });
    await bench.admit('alone', { lane: 'fresh' });
  });

  afterEach(() => bench.close());

  const held = (): string[] =>
    bench.scheduler
      .view()
      .filter((lane) => lane.held)
      .map(({ lane }) => lane);

  it('messages that are too old wait for the operator, with everything behind them; other lanes go on', async () => {
    const told = bench.events('lanes.held');
    await bench.openDispatch(30);
    expect([bench.ran, held(), told]).toEqual([['alone'], ['quiet', 'busy'], [{ lanes: 2, throughSeq: 2 }]]);
    await bench.pauses.set('lane:busy', false, 'admin');
    await bench.settled();
    expect([bench.ran, held()]).toEqual([['alone', 'old too'], ['quiet']]);
  });

  it('what the operator let go is not held by the next outage', async () => {
    await bench.openDispatch(30);
    await bench.pauses.set('lane:quiet', false, 'admin');
    await bench.settled();
    bench.scheduler.released(bench.turns.find(({ messageId }) => messageId === 'old')!.claim, 0);
    bench.scheduler.setDispatch(false);
    await bench.openDispatch(30);
    expect(held()).toEqual(['busy']);
  });

  it('0 holds nothing, and neither does an age that nothing has', async () => {
    await bench.openDispatch(0);
    await bench.openDispatch(60);
    expect([held(), [...bench.ran].sort()]).toEqual([[], ['alone', 'old', 'old too']]);
  });

  it('a message that grows old behind a long turn of its lane is not held', async () => {
    await bench.openDispatch(0);
    bench.clock.advance(60 * 60_000);
    await bench.end(bench.turns.find(({ messageId }) => messageId === 'old too')!);
    expect(bench.ran).toContain('new');
  });
});
