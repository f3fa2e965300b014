// SPDX-License-Identifier: Apache-2.0
import { CONTROL_TIMEOUT_MS, TurnBench } from '../../../test/support/turn-bench.js';
import { AngeliaError, ErrorCode } from '../../common/errors.js';
import { Watchdog } from './watchdog.js';

describe('control work beside a busy turn', () => {
  let bench: TurnBench;

  beforeEach(async () => {
    bench = await TurnBench.open();
  });

  afterEach(async () => {
    await bench.close();
  });

  const control = { body: '/status', dispatchClass: 'control' as const };
  const stop = { body: '/stop', dispatchClass: 'urgent_stop' as const };
  const started = (): string[] =>
    bench.host.starts.map(({ text, bypass }) => `${bypass ? 'beside' : 'in line'} ${text}`);

  it('[SCH-2] [SCH-3] hands a command over beside the turn, past the backlog', async () => {
    await bench.handOver('m1', { body: 'work' });
    for (const id of ['m2', 'm3', 'm4']) await bench.admit(id);
    await bench.handOver('c1', control);
    await bench.handOver('s1', stop);
    expect(started()).toEqual(['in line work', 'beside /status', 'beside /stop']);
  });

  it('[SCH-3] waits for the head of the line when the session went idle meanwhile', async () => {
    const claim = await bench.handOver('m1', { body: 'work' });
    bench.host.reply = () => Promise.resolve({ taken: false, code: 'not_active' });
    const released = bench.telemetry.next('receipt.released');
    await bench.handOver('c1', control);
    expect((await released).reason).toBe('not_taken_not_active');
    bench.host.reply = () => Promise.resolve({ taken: true, repeated: false });
    await bench.shim({ type: 'started', admission: claim }, bench.ended(claim, 'completed'));
    await bench.scheduler.quiesce();
    expect(started().at(-1)).toBe('in line /status');
  });

  it('[SCH-4] quarantines a control that does not end in time, frees its slot and suspends its busy session', async () => {
    await bench.handOver('m1', { body: 'work' });
    await bench.handOver('c1', control);
    const quarantined = bench.telemetry.next('receipt.quarantined');
    bench.clock.advance(CONTROL_TIMEOUT_MS);
    expect(await quarantined).toMatchObject({ outcome: 'control_timeout_after_session_suspension' });
    expect(bench.host.suspended).toEqual(['lane-1']);
    await bench.handOver('c2', { ...control, lane: 'lane-1' });
    expect(started().at(-1)).toBe('beside /status');
  });

  it('[SCH-4] leaves a control alone that ended in time', async () => {
    await bench.handOver('m1', { body: 'work' });
    const claim = await bench.handOver('c1', control);
    await bench.shim(bench.ended(claim, 'completed'));
    bench.clock.advance(CONTROL_TIMEOUT_MS);
    await bench.store.probe();
    expect((await bench.store.statistics()).receipts).toMatchObject({ quarantined: 0, completed: 1 });
  });

  it('[SCH-4] keeps it in doubt, its lane closed, when the session cannot be suspended', async () => {
    await bench.handOver('m1', { body: 'work' });
    await bench.handOver('c1', control);
    bench.host.suspendSession = () => Promise.reject(new AngeliaError(ErrorCode.LinkDetached));
    const reported = bench.telemetry.next('error.unexpected');
    bench.clock.advance(CONTROL_TIMEOUT_MS);
    expect((await reported).where).toBe('control.deadline');
    expect(bench.scheduler.blockedLanes()).toMatchObject([{ block: 'in_doubt' }]);
  });

  it('lets Hermes say that a turn was stopped: no sentence of ours beside it', async () => {
    const claim = await bench.handOver('m1', { body: 'work' });
    const stopClaim = await bench.handOver('s1', stop);
    await bench.shim(
      { type: 'started', admission: claim },
      bench.ended(claim, 'cancelled'),
      { type: 'send', admission: stopClaim, handle: 'h', chat_id: 'ch_1', text: 'Stopped.' },
      bench.ended(stopClaim, 'completed'),
    );
    await bench.taskClosed();
    expect(bench.chat.writes).toMatchObject([{ content: 'Stopped.' }]);
    expect(bench.chat.tasks.at(-1)).toMatch(/^cancelled /);
  });
});

describe('[HST-10] Watchdog', () => {
  let bench: TurnBench;
  let watchdog: Watchdog;

  beforeEach(async () => {
    bench = await TurnBench.open();
    bench.attach();
    watchdog = new Watchdog(bench.scheduler, bench.recovery, bench.host, bench.clock, bench.telemetry, 60_000);
  });

  afterEach(async () => {
    await bench.close();
  });

  it('leaves alone what the process knows, however long it runs', async () => {
    const claim = await bench.handOver('m1');
    bench.host.known = [claim];
    for (let look = 0; look < 5; look += 1) await watchdog.look();
    expect(bench.scheduler.runningClaims()).toHaveLength(1);
  });

  it('returns an unstarted claim to pending that the process does not know at two looks in a row', async () => {
    await bench.handOver('m1');
    bench.scheduler.setDispatch(false);
    await watchdog.look();
    expect(bench.scheduler.runningClaims()).toHaveLength(1);
    const fault = bench.telemetry.next('error.unexpected');
    await watchdog.look();
    expect((await fault).where).toBe('watchdog.lost_turn');
    expect((await bench.store.statistics()).receipts).toMatchObject({ pending: 1, processing: 0 });
  });

  it('[INB-4] quarantines a started claim that the living process lost', async () => {
    const claim = await bench.handOver('m1');
    await bench.shim({ type: 'started', admission: claim });
    await watchdog.look();
    await watchdog.look();
    expect((await bench.store.statistics()).receipts).toMatchObject({ quarantined: 1 });
  });

  it('looks every minute until it is stopped, and asks nobody while Hermes is away', async () => {
    await bench.handOver('m1');
    bench.host.current = { attached: null, refused: null, stopping: false };
    let asked = 0;
    bench.host.knownAdmissions = () => {
      asked += 1;
      return Promise.resolve([]);
    };
    const stop = new AbortController();
    const running = watchdog.run(stop.signal);
    bench.clock.advance(60_000);
    await bench.store.probe();
    stop.abort();
    await running;
    expect(asked).toBe(0);
  });
});
