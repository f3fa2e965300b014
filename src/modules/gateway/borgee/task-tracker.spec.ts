// SPDX-License-Identifier: Apache-2.0
import { ManualClock } from '../../../../test/support/manual-clock.js';
import type { AgentTask, TaskEnd } from '../chat-server.js';
import { Counters } from './counters.js';
import { type TaskLink, TaskTracker } from './task-tracker.js';
import { checkClientFrame } from './wire/index.js';

const CONFIRM_MS = 200;

/** A connection that keeps what it is given. */
class Link implements TaskLink {
  readonly agentId = 'ag_1';
  readonly frames: string[] = [];
  readonly held: (() => void)[] = [];
  nextPing = 1;
  room = Infinity;
  clogged = false;

  send(text: string, written: () => void): boolean {
    if (this.room <= 0) return false;
    this.room -= 1;
    const checked = checkClientFrame(text);
    if (!checked.ok || !('task_id' in checked.value)) throw new Error(text);
    const { value } = checked;
    this.frames.push(
      value.type === 'task_finished'
        ? `end ${value.task_id} ${value.outcome} ${value.reason}`
        : `start ${value.task_id}`,
    );
    if (this.clogged) this.held.push(written);
    else written();
    return true;
  }

  ping(): void {
    this.nextPing += 1;
  }
}

function setup(): { clock: ManualClock; tracker: TaskTracker; counters: Counters } {
  const clock = new ManualClock();
  const counters = new Counters();
  return { clock, counters, tracker: new TaskTracker(clock, counters, { taskConfirmMs: CONFIRM_MS }) };
}

const task = (taskId: string): AgentTask => ({ taskId, channelId: 'c1', startedAt: 1 });
const DONE: TaskEnd = { outcome: 'completed', finishedAt: 2 };
/** Whether a promise has settled by now. */
async function settled(promise: Promise<void>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}

describe('[BPP-4] tasks that people see (bpp 4.5)', () => {
  it('are announced, ended, and confirmed by a pong behind the end', async () => {
    const { clock, tracker } = setup();
    const link = new Link();
    tracker.attach(link);
    tracker.started(task('t1'));
    const end = tracker.finished('t1', DONE);
    expect(link.frames).toEqual(['start t1', 'end t1 completed ']);
    tracker.confirmed(0);
    expect(await settled(end)).toBe(false);
    clock.advance(CONFIRM_MS);
    expect(link.nextPing).toBe(2);
    tracker.confirmed(1);
    await end;
    expect(clock.pending).toBe(0);
  });

  it('name the fault of a failed task, and none of a cancelled one', () => {
    const { tracker } = setup();
    const link = new Link();
    tracker.attach(link);
    tracker.started(task('t1'));
    tracker.started(task('t2'));
    void tracker.finished('t1', { outcome: 'failed', finishedAt: 2 });
    void tracker.finished('t2', { outcome: 'cancelled', finishedAt: 2 });
    expect(link.frames.slice(2)).toEqual(['end t1 failed unknown', 'end t2 cancelled ']);
  });

  it('are never ended without a start, nor announced twice', async () => {
    const { tracker } = setup();
    const link = new Link();
    tracker.attach(link);
    await tracker.finished('unknown', DONE);
    tracker.started(task('t1'));
    tracker.started(task('t1'));
    expect(link.frames).toEqual(['start t1']);
  });

  it('are sent after a reconnect as far as they were not confirmed, start before end', async () => {
    const { clock, tracker, counters } = setup();
    const first = new Link();
    tracker.attach(first);
    tracker.started(task('t1'));
    clock.advance(CONFIRM_MS);
    tracker.confirmed(1);
    tracker.started(task('t2'));
    tracker.detach();
    const ends = [tracker.finished('t1', DONE), tracker.finished('t2', DONE)];
    const second = new Link();
    tracker.attach(second);
    expect(second.frames).toEqual(['end t1 completed ', 'start t2', 'end t2 completed ']);
    clock.advance(CONFIRM_MS);
    tracker.confirmed(1);
    await Promise.all(ends);
    expect(counters.snapshot()).toMatchObject({ task_frames: 4, task_frames_repeated: 1 });
  });

  it('that were announced offline go out with the next connection', () => {
    const { tracker } = setup();
    tracker.started(task('t1'));
    void tracker.finished('t1', DONE);
    const link = new Link();
    tracker.attach(link);
    expect(link.frames).toEqual(['start t1', 'end t1 completed ']);
  });

  it('need one ping for all frames of an interval', () => {
    const { clock, tracker } = setup();
    const link = new Link();
    tracker.attach(link);
    for (let i = 0; i < 100; i += 1) {
      tracker.started(task(`t${i}`));
      clock.advance(1);
    }
    expect(link.nextPing).toBe(1);
    clock.advance(CONFIRM_MS);
    expect(link.nextPing).toBe(2);
  });

  it('are not confirmed by a ping that was sent while they were still queued', async () => {
    const { tracker } = setup();
    const link = new Link();
    link.clogged = true;
    tracker.attach(link);
    tracker.started(task('t1'));
    const end = tracker.finished('t1', DONE);
    link.ping();
    tracker.confirmed(1);
    for (const written of link.held) written();
    tracker.confirmed(1);
    expect(await settled(end)).toBe(false);
    tracker.confirmed(2);
    await end;
  });

  it('wait for room in the writer', () => {
    const { clock, tracker } = setup();
    const link = new Link();
    link.room = 1;
    tracker.attach(link);
    tracker.started(task('t1'));
    tracker.started(task('t2'));
    expect(link.frames).toEqual(['start t1']);
    link.room = Infinity;
    clock.advance(CONFIRM_MS);
    tracker.confirmed(1);
    expect(link.frames).toEqual(['start t1', 'start t2']);
  });

  it('let nobody wait when another agent speaks or the gateway closes', async () => {
    const { clock, tracker } = setup();
    tracker.attach(new Link());
    tracker.started(task('t1'));
    const first = tracker.finished('t1', DONE);
    tracker.clear();
    await first;
    tracker.started(task('t2'));
    const second = tracker.finished('t2', DONE);
    tracker.close();
    await second;
    tracker.started(task('t3'));
    await tracker.finished('t3', DONE);
    expect(clock.pending).toBe(0);
  });
});
