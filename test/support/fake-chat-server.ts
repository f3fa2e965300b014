// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../../src/common/errors.js';
import {
  SendError,
  type AgentTask,
  type ChatServer,
  type ChatServerStatus,
  type SendOutcome,
  type TaskEnd,
} from '../../src/modules/gateway/index.js';

/** One write as it arrived at the server. */
export type Write =
  | { readonly kind: 'send'; readonly channelId: string; readonly content: string; readonly replyToId: string | null }
  | { readonly kind: 'edit'; readonly messageId: string; readonly content: string }
  | { readonly kind: 'delete'; readonly messageId: string };

/** The port ChatServer without a wire: it records writes and answers as the test says. */
export class FakeChatServer implements ChatServer {
  readonly writes: Write[] = [];
  readonly tasks: string[] = [];
  /** Outcomes of the next writes; empty: they succeed. */
  readonly failures: SendOutcome[] = [];
  /** Called after each write, before its result. */
  onWrite: () => void = () => undefined;
  configured = 0;
  retried = 0;
  paused = false;
  private isOnline = true;
  private readonly listeners = new Set<(online: boolean) => void>();
  private readonly openTasks = new Set<string>();
  private nextId = 1;

  configure(): void {
    this.configured += 1;
  }

  retryNow(): void {
    this.retried += 1;
  }

  setPaused(paused: boolean): void {
    this.paused = paused;
    this.setOnline(!paused);
  }

  close(): Promise<void> {
    this.setOnline(false);
    return Promise.resolve();
  }

  status(): ChatServerStatus {
    const state = this.isOnline ? 'online' : this.paused ? 'paused' : 'reconnecting';
    return {
      state,
      reason: this.isOnline ? null : this.paused ? ErrorCode.IntakePaused : ErrorCode.ServerUnreachable,
      since: 0,
      attempt: 0,
      queuedBytes: 0,
      counters: {},
    };
  }

  get online(): boolean {
    return this.isOnline;
  }

  setOnline(online: boolean): void {
    this.isOnline = online;
    for (const listener of this.listeners) listener(online);
  }

  onOnlineChange(listener: (online: boolean) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  onIdentity(): void {
    return undefined;
  }

  split(_channelId: string, _replyToId: string | null, text: string): string[] {
    return text.match(/[\s\S]{1,20}/g) ?? [''];
  }

  async sendMessage(message: { channelId: string; content: string; replyToId: string | null }): Promise<string> {
    await this.write({ kind: 'send', ...message });
    return `msg_${String(this.nextId++)}`;
  }

  editMessage(edit: { messageId: string; content: string }): Promise<void> {
    return this.write({ kind: 'edit', ...edit });
  }

  deleteMessage(messageId: string): Promise<void> {
    return this.write({ kind: 'delete', messageId });
  }

  taskStarted(task: AgentTask): void {
    this.openTasks.add(task.taskId);
    this.tasks.push(`started ${task.taskId}`);
  }

  taskFinished(taskId: string, end: TaskEnd): Promise<void> {
    if (this.openTasks.delete(taskId)) this.tasks.push(`${end.outcome} ${taskId}`);
    return Promise.resolve();
  }

  private write(write: Write): Promise<void> {
    const outcome = this.failures.shift();
    if (outcome !== 'not_sent') this.writes.push(write);
    this.onWrite();
    if (outcome === undefined) return Promise.resolve();
    const code = outcome === 'refused' ? ErrorCode.ActionRefused : ErrorCode.ConnectionLost;
    return Promise.reject(new SendError(outcome, code));
  }
}
