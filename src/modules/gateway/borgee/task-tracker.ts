// SPDX-License-Identifier: Apache-2.0
import type { Clock, ClockTimer } from '../../../common/clock.js';
import type { AgentTask, TaskEnd } from '../chat-server.js';
import type { ClientOptions } from './client-options.js';
import type { Counters } from './counters.js';
import { encodeFrame, taskFinishedFrame, taskStartedFrame } from './encode.js';

/** The online connection as the tracker sees it. */
export interface TaskLink {
  readonly agentId: string;
  /** Number of the next WebSocket ping: one that follows a frame confirms it. */
  readonly nextPing: number;
  /** Hands a frame to the writer. @returns false when there is no room */
  send(text: string, written: () => void): boolean;
  /** Sends a ping now. */
  ping(): void;
}

/** Where one frame of a task stands. */
interface Delivery {
  state: 'due' | 'queued' | 'written' | 'confirmed';
  /** The frame has arrived when this ping, or a later one, is answered. */
  confirmedBy: number;
  sendings: number;
}

interface Tracked {
  readonly task: AgentTask;
  readonly start: Delivery;
  end: { readonly value: TaskEnd; readonly delivery: Delivery; readonly arrived: Promise<void> } | null;
  resolve: () => void;
}

const newDelivery = (): Delivery => ({ state: 'due', confirmedBy: 0, sendings: 0 });

/**
 * Tasks that people see as "busy" (bpp 4.5). The wire has no answer to task frames, so a frame counts as arrived when a WebSocket pong answers a
 * ping that was written after it; what is not confirmed when the connection ends is sent again on the next one. An end is sent only behind its
 * start, and nothing for what was never started (bpp rule 11).
 */
export class TaskTracker {
  private readonly tasks = new Map<string, Tracked>();
  private link: TaskLink | null = null;
  private confirmTimer: ClockTimer | undefined;
  private closed = false;

  constructor(
    private readonly clock: Clock,
    private readonly counters: Counters,
    private readonly options: Pick<ClientOptions, 'taskConfirmMs'>,
  ) {}

  /** A connection is online: sends what is due. */
  attach(link: TaskLink): void {
    this.link = link;
    this.flush();
  }

  /** The connection has ended: what it did not confirm is due again. */
  detach(): void {
    this.link = null;
    this.confirmTimer?.cancel();
    this.confirmTimer = undefined;
    for (const delivery of this.deliveries()) if (delivery.state !== 'confirmed') delivery.state = 'due';
  }

  /** Announces a task; a second time for the same id does nothing. */
  started(task: AgentTask): void {
    if (this.closed || this.tasks.has(task.taskId)) return;
    this.tasks.set(task.taskId, { task, start: newDelivery(), end: null, resolve: () => undefined });
    this.flush();
  }

  /** Ends an announced task; does nothing for an unknown one. @returns when the end has certainly arrived, or at `close()` */
  finished(taskId: string, value: TaskEnd): Promise<void> {
    const tracked = this.tasks.get(taskId);
    if (tracked === undefined || this.closed) return Promise.resolve();
    if (tracked.end === null) {
      const arrived = new Promise<void>((resolve) => (tracked.resolve = resolve));
      tracked.end = { value, delivery: newDelivery(), arrived };
      this.flush();
    }
    return tracked.end.arrived;
  }

  /** A pong answered this ping. */
  confirmed(ping: number): void {
    for (const delivery of this.deliveries()) {
      if (delivery.state === 'written' && delivery.confirmedBy <= ping) delivery.state = 'confirmed';
    }
    for (const [taskId, tracked] of this.tasks) {
      if (tracked.end?.delivery.state !== 'confirmed') continue;
      this.tasks.delete(taskId);
      tracked.resolve();
    }
    this.flush();
  }

  /** Forgets all tasks: another agent speaks from now on, or nobody any more. */
  clear(): void {
    for (const tracked of this.tasks.values()) tracked.resolve();
    this.tasks.clear();
  }

  /** Ends the tracker. */
  close(): void {
    this.closed = true;
    this.detach();
    this.clear();
  }

  private flush(): void {
    const { link } = this;
    if (link === null) return;
    for (const { task, start, end } of this.tasks.values()) {
      if (!this.send(link, start, () => encodeFrame(taskStartedFrame(link.agentId, task)))) break;
      if (end === null) continue;
      if (!this.send(link, end.delivery, () => encodeFrame(taskFinishedFrame(link.agentId, task, end.value)))) break;
    }
    this.confirmSoon();
  }

  /** @returns false when the writer has no room: the rest waits for the next confirmation */
  private send(link: TaskLink, delivery: Delivery, encode: () => string): boolean {
    if (delivery.state !== 'due') return true;
    delivery.state = 'queued';
    const taken = link.send(encode(), () => {
      if (this.link !== link) return;
      delivery.state = 'written';
      delivery.confirmedBy = link.nextPing;
      delivery.sendings += 1;
      this.counters.add(delivery.sendings === 1 ? 'task_frames' : 'task_frames_repeated');
      this.confirmSoon();
    });
    if (!taken) delivery.state = 'due';
    return taken;
  }

  /** One ping for all frames of the interval, as long as some wait for it. */
  private confirmSoon(): void {
    if (this.confirmTimer !== undefined || this.link === null) return;
    if (![...this.deliveries()].some((delivery) => delivery.state === 'written' || delivery.state === 'due')) return;
    this.confirmTimer = this.clock.schedule(this.options.taskConfirmMs, () => {
      this.confirmTimer = undefined;
      this.link?.ping();
    });
  }

  private *deliveries(): Iterable<Delivery> {
    for (const { start, end } of this.tasks.values()) {
      yield start;
      if (end !== null) yield end.delivery;
    }
  }
}
