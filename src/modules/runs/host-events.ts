// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../../common/clock.js';
import { codeOf, ErrorCode } from '../../common/errors.js';
import type { Telemetry } from '../../common/telemetry.js';
import type { ChatServer, TaskEnd } from '../gateway/index.js';
import type { EndedEvent, EventReply, ShimEvent } from '../hermes/index.js';
import type {
  Classifier,
  HostEffect,
  HostEffectResult,
  LaneSnapshot,
  LedgerStore,
  OpenTask,
  Scheduler,
  TurnEnd,
} from '../inbox/index.js';
import type { ControlDeadlines } from './control-deadlines.js';
import { effectOf } from './event-effects.js';
import type { OutboxSender } from './outbox-sender.js';
import { taskIdOf } from './task-id.js';

/** First rest of a lane whose turn Hermes did not start, in ms; doubled with each attempt. */
const RELEASE_REST_MS = 250;
/** Longest rest, in ms. */
const RELEASE_REST_MAX_MS = 30_000;

/** Turns the events of the shim into steps of the ledger and acts on them after the commit (architecture 5). */
export class HostEvents {
  /** How often in a row the turns of a lane came back unstarted. */
  private readonly releases = new Map<string, number>();
  /** Lanes whose running turn a stop is about to cancel. */
  private readonly stopping = new Set<string>();

  constructor(
    private readonly store: LedgerStore,
    private readonly scheduler: Scheduler,
    private readonly classifier: Classifier,
    private readonly deadlines: ControlDeadlines,
    private readonly outbox: OutboxSender,
    private readonly chat: ChatServer,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
  ) {}

  /**
   * Commits the effects of events with their watermark, then acts on them.
   * @returns replies by event number
   * @throws AngeliaError when the ledger cannot be written
   */
  async apply(instance: string, events: readonly ShimEvent[]): Promise<ReadonlyMap<number, EventReply>> {
    const last = events.at(-1);
    if (last === undefined) return new Map();
    const effects = events.map((event) => effectOf(event, this.chat, this.isStopped(event)));
    const commit = this.store.applyHostEffects(instance, last.seq, effects);
    for (const event of events) if (event.type === 'ended') this.scheduler.slotFreed(event.admission);
    const results = await commit;
    const replies = new Map<number, EventReply>();
    for (const [index, result] of results.entries()) {
      const event = events[index];
      const effect = effects[index];
      if (event === undefined || effect === undefined) continue;
      this.settled(event, effect, result);
      if (event.type === 'started') replies.set(event.seq, { go: result.go });
    }
    return replies;
  }

  /** Ends a claim by the bridge's own decision. */
  async end(claim: string, end: TurnEnd): Promise<void> {
    this.finish(claim, end, await this.store.endClaim(claim, end));
  }

  /** A stop of that lane is on its way to Hermes: the turn that it cancels needs no sentence of ours. */
  stopRequested(lane: string): void {
    this.stopping.add(lane);
  }

  /** Announces the end of tasks that an earlier process may have left open. */
  closeTasks(tasks: readonly OpenTask[]): void {
    for (const task of tasks) {
      const taskId = taskIdOf(task.ingestSeq, task.claim);
      this.chat.taskStarted({ taskId, channelId: task.channelId, startedAt: task.startedAt });
      void this.closeTask(task.ingestSeq, taskId, taskOutcome(task.state, task.outcome));
    }
  }

  /** Announces again, on the connections of this process, the tasks of turns that an earlier one began and that may still run. */
  resumeTasks(lanes: readonly LaneSnapshot[]): void {
    for (const { ingestSeq, claim, startedAt, channelId } of lanes.flatMap((lane) => lane.leftovers)) {
      if (claim === null || startedAt === null) continue;
      this.chat.taskStarted({ taskId: taskIdOf(ingestSeq, claim), channelId, startedAt });
    }
  }

  /** Nobody works on a quarantined receipt any more: people see its task as failed. */
  abandon(ingestSeq: number, claim: string): void {
    void this.closeTask(ingestSeq, taskIdOf(ingestSeq, claim), 'failed');
  }

  /** Acts on one committed effect. */
  private settled(event: ShimEvent, effect: HostEffect, result: HostEffectResult): void {
    this.outbox.enqueue(result.queued);
    if (event.type === 'dropped')
      this.telemetry.emit('link.dropped', { what: event.what, claim: event.admission ?? null });
    if (event.type === 'started' && result.started !== null) this.announceTask(event.admission, result.started);
    if (event.type === 'question' && !event.answered) this.noteQuestion(event.admission);
    if (event.type === 'ended') this.tellUsage(event, result);
    if (effect.kind === 'end') this.finish(effect.claim, effect.end, { ...result, queued: [] });
  }

  /** Says once what the model requests of a turn used (OPS-9). */
  private tellUsage({ usage }: EndedEvent, { status, ended }: HostEffectResult): void {
    if (ended === null || status !== 'applied') return;
    const { ingestSeq, lane } = ended;
    for (const { provider, model, input, output, cache_read, cache_write, requests } of usage) {
      const tokens = { input, output, cacheRead: cache_read, cacheWrite: cache_write };
      this.telemetry.emit('turn.usage', { ingestSeq, lane, provider, model, ...tokens, requests });
    }
  }

  private isStopped(event: ShimEvent): boolean {
    if (event.type !== 'ended') return false;
    const lane = this.scheduler.laneOf(event.admission);
    return lane !== null && this.stopping.has(lane);
  }

  /** Texts of that lane may be the answer from now on. */
  private noteQuestion(claim: string): void {
    const lane = this.scheduler.laneOf(claim);
    if (lane !== null) this.classifier.setQuestionOpen(lane, true);
  }

  /** Tells the chat server that the agent works on a message (bpp 4.5). */
  private announceTask(claim: string, started: NonNullable<HostEffectResult['started']>): void {
    const { ingestSeq, messageId, channelId, startedAt } = started;
    this.telemetry.emit('receipt.started', { ingestSeq, messageId, claim });
    this.chat.taskStarted({ taskId: taskIdOf(ingestSeq, claim), channelId, startedAt });
  }

  /** After the commit of a turn's end: the lane, then the task. */
  private finish(claim: string, end: TurnEnd, result: HostEffectResult): void {
    this.outbox.enqueue(result.queued);
    const { ended } = result;
    if (ended === null || result.status !== 'applied') return;
    this.deadlines.clear(claim);
    this.classifier.setQuestionOpen(ended.lane, false);
    if (end.to === 'pending') {
      this.telemetry.emit('receipt.released', {
        ingestSeq: ended.ingestSeq,
        lane: ended.lane,
        claim,
        reason: end.outcome,
      });
      this.scheduler.released(claim, this.restOf(ended.lane));
      return;
    }
    this.releases.delete(ended.lane);
    this.stopping.delete(ended.lane);
    this.telemetry.emit('receipt.terminal', { ...ended, claim, state: end.to, outcome: end.outcome });
    this.scheduler.ended(claim);
    void this.closeTask(ended.ingestSeq, taskIdOf(ended.ingestSeq, claim), taskOutcome(end.to, end.outcome));
  }

  /** Ends the task after the last write of its turn, then notes that it did. */
  private async closeTask(ingestSeq: number, taskId: string, outcome: TaskEnd['outcome']): Promise<void> {
    try {
      await this.outbox.whenDrained(ingestSeq);
      await this.chat.taskFinished(taskId, { outcome, finishedAt: this.clock.now() });
      await this.store.closeTask(ingestSeq);
    } catch (error) {
      if (codeOf(error) === ErrorCode.LedgerClosed) return;
      this.telemetry.emit('error.unexpected', { where: 'task.close', code: codeOf(error), ids: { ingestSeq } });
    }
  }

  private restOf(lane: string): number {
    const before = this.releases.get(lane) ?? 0;
    this.releases.set(lane, before + 1);
    return Math.min(RELEASE_REST_MAX_MS, RELEASE_REST_MS * 2 ** Math.min(before, 10));
  }
}

/** How people see the end of a task (bpp 4.5). */
function taskOutcome(state: 'completed' | 'failed', outcome: string): TaskEnd['outcome'] {
  if (state === 'completed') return 'completed';
  return outcome === 'hermes_cancelled' || outcome === 'hermes_stopped' ? 'cancelled' : 'failed';
}
