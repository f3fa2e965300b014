// SPDX-License-Identifier: Apache-2.0
import type { TaskFinishedFrame, TaskStartedFrame } from '../../../src/modules/gateway/borgee/wire/index.js';
import { type Violation, violation } from './checks.js';

interface Task {
  readonly channelId: string;
  /** Null: the task is of an earlier process and its subject is not in the record. */
  readonly subject: string | null;
  /** The connection that carried the start last. */
  startedOn: number;
  end: { readonly outcome: string; readonly reason: string; on: number } | null;
}

/** How a task frame was taken. */
export type TaskVerdict = { readonly repeated: boolean } | { readonly broken: Violation };

/**
 * Tasks that the agent announced, over all connections (check `task-pairs`). A frame counts as identical when all but its clock agrees:
 * a bridge that was restarted may not know the millisecond any more.
 */
export class TaskBook {
  private readonly tasks = new Map<string, Task>();

  /** Channels in which a task runs. */
  get busyChannels(): readonly string[] {
    const running = [...this.tasks.values()].filter((task) => task.end === null);
    return [...new Set(running.map((task) => task.channelId))];
  }

  /** Takes a start. @param on number of the connection */
  start(frame: TaskStartedFrame, on: number): TaskVerdict {
    const known = this.tasks.get(frame.task_id);
    if (known === undefined) {
      this.tasks.set(frame.task_id, { channelId: frame.channel_id, subject: frame.subject, startedOn: on, end: null });
      return { repeated: false };
    }
    const otherSubject = known.subject !== null && known.subject !== frame.subject;
    if (known.channelId !== frame.channel_id || otherSubject) {
      return { broken: violation('task-pairs', 'another start of the same task') };
    }
    if (known.startedOn >= on) return { broken: violation('task-pairs', 'start repeated on the same connection') };
    known.startedOn = on;
    return { repeated: true };
  }

  /** Takes an end. @param on number of the connection */
  finish(frame: TaskFinishedFrame, on: number): TaskVerdict {
    const known = this.tasks.get(frame.task_id);
    if (known === undefined) return { broken: violation('task-pairs', 'end without a start') };
    if (known.channelId !== frame.channel_id) return { broken: violation('task-pairs', 'end in another channel') };
    const { outcome, reason } = frame;
    if (known.end === null) {
      known.end = { outcome, reason, on };
      return { repeated: false };
    }
    if (known.end.outcome !== outcome || known.end.reason !== reason) {
      return { broken: violation('task-pairs', 'a second, different end') };
    }
    if (known.end.on >= on) return { broken: violation('task-pairs', 'end repeated on the same connection') };
    known.end.on = on;
    return { repeated: true };
  }

  /** Puts a task of an earlier process back; connection numbers start anew. */
  restoreStart(taskId: string, channelId: string): void {
    this.tasks.set(taskId, { channelId, subject: null, startedOn: 0, end: null });
  }

  restoreEnd(taskId: string, outcome: string, reason: string): void {
    const task = this.tasks.get(taskId);
    if (task !== undefined) task.end = { outcome, reason, on: 0 };
  }
}
