// SPDX-License-Identifier: Apache-2.0
import type { TaskFinishedFrame, TaskStartedFrame } from '../../../src/modules/gateway/borgee/wire/index.js';
import { TaskBook } from './task-book.js';

const start = (change: Partial<TaskStartedFrame> = {}): TaskStartedFrame => ({
  type: 'task_started',
  task_id: 't1',
  agent_id: 'a',
  channel_id: 'c1',
  subject: 'Working',
  started_at: 1,
  ...change,
});
const finish = (change: Partial<TaskFinishedFrame> = {}): TaskFinishedFrame => ({
  type: 'task_finished',
  task_id: 't1',
  agent_id: 'a',
  channel_id: 'c1',
  outcome: 'completed',
  reason: '',
  finished_at: 2,
  ...change,
});

describe('[BPP-4] tasks that the agent announced', () => {
  it('shows a channel busy from the start to the end', () => {
    const book = new TaskBook();
    book.start(start(), 1);
    book.start(start({ task_id: 't2' }), 1);
    expect(book.busyChannels).toEqual(['c1']);
    book.finish(finish(), 1);
    expect(book.busyChannels).toEqual(['c1']);
    book.finish(finish({ task_id: 't2' }), 1);
    expect(book.busyChannels).toEqual([]);
  });

  it('takes the identical frame again on later connections only', () => {
    const book = new TaskBook();
    expect(book.start(start(), 1)).toEqual({ repeated: false });
    expect(book.start(start({ started_at: 9 }), 2)).toEqual({ repeated: true });
    expect(book.start(start(), 2)).toHaveProperty('broken');
    expect(book.finish(finish(), 2)).toEqual({ repeated: false });
    expect(book.finish(finish({ finished_at: 9 }), 3)).toEqual({ repeated: true });
    expect(book.finish(finish(), 3)).toHaveProperty('broken');
    expect(book.start(start(), 4)).toEqual({ repeated: true });
  });

  it.each([
    ['another subject', (book: TaskBook) => book.start(start({ subject: 'Resting' }), 2)],
    ['another channel', (book: TaskBook) => book.start(start({ channel_id: 'c2' }), 2)],
    ['an end in another channel', (book: TaskBook) => book.finish(finish({ channel_id: 'c2' }), 2)],
    ['an end of a stranger', (book: TaskBook) => book.finish(finish({ task_id: 't9' }), 2)],
  ])('refuses %s', (_what, act) => {
    const book = new TaskBook();
    book.start(start(), 1);
    expect(act(book)).toMatchObject({ broken: { check: 'task-pairs' } });
  });

  it('refuses an end that differs in its outcome or reason', () => {
    const book = new TaskBook();
    book.start(start(), 1);
    book.finish(finish({ outcome: 'failed', reason: 'unknown' }), 1);
    expect(book.finish(finish({ outcome: 'cancelled' }), 2)).toHaveProperty('broken');
    expect(book.finish(finish({ outcome: 'failed', reason: 'runtime_timeout' }), 2)).toHaveProperty('broken');
  });

  it('takes repeats of what an earlier process began', () => {
    const book = new TaskBook();
    book.restoreStart('t1', 'c1');
    book.restoreEnd('t9', 'completed', '');
    expect(book.start(start(), 1)).toEqual({ repeated: true });
    book.restoreEnd('t1', 'completed', '');
    expect(book.finish(finish(), 1)).toEqual({ repeated: true });
  });
});
