// SPDX-License-Identifier: Apache-2.0
import type { AuditRecords, DeliveredEvent, ModelRequest, PostedEvent, ReceiptRow } from './records.js';

/** A message of the agent with everything that happened to it. */
export interface AgentMessage {
  readonly messageId: string;
  readonly channelId: string;
  readonly replyTo: string | null;
  readonly postedAt: number;
  /** Time of the newest post, edit or delete. */
  readonly lastWriteAt: number;
  /** Text as it stands at the end; null when it was deleted. */
  readonly text: string | null;
  /** Task that was open in the channel when it was posted. */
  readonly taskId: string | null;
  /** The newest message before it in its channel, when that was a slash command. */
  readonly commandId: string | null;
}

/** A time in which the agent showed itself busy in a channel. */
export interface TaskWindow {
  readonly taskId: string;
  readonly channelId: string;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly outcome: string | null;
}

/** A turn as the model saw it. */
export interface ModelTurn {
  /** Message that the turn answers; null when no delivered message has this text. */
  readonly messageId: string | null;
  readonly startedAt: number;
  readonly requests: readonly ModelRequest[];
}

/** The three records, joined: who answered what, when, and which turn belongs to which message. */
export class AuditFacts {
  /** Messages of people, by id, in the order of their first delivery. */
  readonly delivered: ReadonlyMap<string, DeliveredEvent>;
  readonly tasks: ReadonlyMap<string, TaskWindow>;
  readonly agentMessages: readonly AgentMessage[];
  readonly turns: readonly ModelTurn[];
  /** Receipts that stand for a message, by its id; of several the first. */
  readonly receiptOf: ReadonlyMap<string, ReceiptRow>;
  private readonly turnsByMessage: ReadonlyMap<string | null, readonly ModelTurn[]>;
  private readonly repliesTo: ReadonlyMap<string | null, readonly AgentMessage[]>;
  /** Messages without a reply, by their task. */
  private readonly unaddressedIn: ReadonlyMap<string | null, readonly AgentMessage[]>;
  /** Messages without a reply and without a task, by the slash command before them. */
  private readonly unaddressedAfter: ReadonlyMap<string | null, readonly AgentMessage[]>;

  constructor(readonly records: AuditRecords) {
    this.delivered = firstDeliveries(records);
    this.tasks = taskWindows(records);
    this.agentMessages = agentMessages(records, this.tasks, this.delivered);
    this.turns = modelTurns(records, this.delivered);
    const receipts = [...records.ledger.receipts].sort((a, b) => a.ingestSeq - b.ingestSeq);
    this.receiptOf = new Map(receipts.toReversed().map((row) => [row.messageId, row]));
    this.turnsByMessage = Map.groupBy(this.turns, (turn) => turn.messageId);
    const live = this.agentMessages.filter((message) => message.text !== null);
    const unaddressed = live.filter((message) => message.replyTo === null);
    this.repliesTo = Map.groupBy(live, (message) => message.replyTo);
    this.unaddressedIn = Map.groupBy(unaddressed, (message) => message.taskId);
    this.unaddressedAfter = Map.groupBy(
      unaddressed.filter((message) => message.taskId === null),
      (message) => message.commandId,
    );
  }

  /** Turns that the model saw for a message. */
  turnsOf(messageId: string): readonly ModelTurn[] {
    return this.turnsByMessage.get(messageId) ?? [];
  }

  /**
   * Messages of the agent that answer a message: replies to it, what was posted without a reply in the same tasks, and, for a slash
   * command, which Hermes answers without a task, what follows it without a reply.
   */
  answersTo(messageId: string): readonly AgentMessage[] {
    const replies = this.repliesTo.get(messageId) ?? [];
    const tasks = new Set(replies.map((message) => message.taskId).filter((task) => task !== null));
    const inTasks = [...tasks].flatMap((task) => this.unaddressedIn.get(task) ?? []);
    const afterCommand = this.unaddressedAfter.get(messageId) ?? [];
    return [...replies, ...inTasks, ...afterCommand].sort((a, b) => a.postedAt - b.postedAt);
  }
}

/** @returns the ingest number inside a task id `borgee-<ingest_seq>-<claim>`; null for another form */
export function ingestSeqOf(taskId: string): number | null {
  const match = /^borgee-(\d+)-/.exec(taskId);
  return match === null ? null : Number(match[1]);
}

function firstDeliveries({ chat }: AuditRecords): Map<string, DeliveredEvent> {
  const first = new Map<string, DeliveredEvent>();
  for (const event of chat) {
    if (event.type === 'delivered' && !first.has(event.messageId)) first.set(event.messageId, event);
  }
  return first;
}

/** A start or an end may come again after a reconnect; the first start and the first end count. */
function taskWindows({ chat }: AuditRecords): Map<string, TaskWindow> {
  const windows = new Map<string, TaskWindow>();
  for (const event of chat) {
    if (event.type === 'task_started' && !windows.has(event.taskId)) {
      const { taskId, channelId, at } = event;
      windows.set(taskId, { taskId, channelId, startedAt: at, finishedAt: null, outcome: null });
    } else if (event.type === 'task_finished') {
      const window = windows.get(event.taskId);
      if (window?.finishedAt === null) {
        windows.set(event.taskId, { ...window, finishedAt: event.at, outcome: event.outcome });
      }
    }
  }
  return windows;
}

function agentMessages(
  { chat }: AuditRecords,
  tasks: ReadonlyMap<string, TaskWindow>,
  delivered: ReadonlyMap<string, DeliveredEvent>,
): AgentMessage[] {
  const messages = new Map<string, AgentMessage>();
  const owners = new TaskOwners(tasks, delivered);
  const newest = new Map<string, DeliveredEvent>();
  const change = (messageId: string, at: number, text: string | null): void => {
    const message = messages.get(messageId);
    if (message !== undefined) messages.set(messageId, { ...message, text, lastWriteAt: at });
  };
  for (const event of chat) {
    if (event.type === 'delivered') newest.set(event.channelId, event);
    else if (event.type === 'edited') change(event.messageId, event.at, event.text);
    else if (event.type === 'deleted') change(event.messageId, event.at, null);
    else if (event.type === 'posted') {
      const { messageId, channelId, replyTo, at, text } = event;
      const taskId = owners.taskOf(event);
      const before = newest.get(channelId);
      const commandId = before?.text.startsWith('/') === true ? before.messageId : null;
      messages.set(messageId, {
        messageId,
        channelId,
        replyTo,
        postedAt: at,
        lastWriteAt: at,
        text,
        taskId,
        commandId,
      });
    }
  }
  return [...messages.values()];
}

/** What the bridge takes off a text that waits as an ordinary turn (INB-7). */
const QUEUE_PREFIX = /^\/(?:queue|q)(?:@\S*)?\s+/i;

/** True for a text that Hermes handles as a command: no task shows it, also while another turn of its channel has one. */
function isCommand(text: string): boolean {
  return text.startsWith('/') && !QUEUE_PREFIX.test(text);
}

/** Finds the task to which a post belongs: tasks of a channel may overlap for a moment, but each answers one message. */
class TaskOwners {
  /** The message that a task answers, by the first reply within it. */
  private readonly answers = new Map<string, string>();
  private readonly byChannel: ReadonlyMap<string, readonly TaskWindow[]>;
  /** Per channel, how many of its tasks are over for good: posts come in the order of time. */
  private readonly over = new Map<string, number>();

  constructor(
    tasks: ReadonlyMap<string, TaskWindow>,
    private readonly delivered: ReadonlyMap<string, DeliveredEvent>,
  ) {
    this.byChannel = Map.groupBy(tasks.values(), (task) => task.channelId);
  }

  taskOf({ channelId, replyTo, at }: PostedEvent): string | null {
    const open = this.openAt(channelId, at);
    if (replyTo === null) return (open.findLast((task) => this.answers.has(task.taskId)) ?? open[0])?.taskId ?? null;
    if (isCommand(this.delivered.get(replyTo)?.text ?? '')) return null;
    const own = open.find((task) => this.answers.get(task.taskId) === replyTo);
    const task = own ?? open.find((free) => !this.answers.has(free.taskId));
    if (task === undefined) return null;
    this.answers.set(task.taskId, replyTo);
    return task.taskId;
  }

  private openAt(channelId: string, at: number): readonly TaskWindow[] {
    const tasks = this.byChannel.get(channelId) ?? [];
    const isOver = (task: TaskWindow | undefined): boolean => (task?.finishedAt ?? Infinity) < at;
    let begin = this.over.get(channelId) ?? 0;
    while (isOver(tasks[begin])) begin += 1;
    this.over.set(channelId, begin);
    const open: TaskWindow[] = [];
    for (let index = begin; index < tasks.length; index += 1) {
      const task = tasks[index];
      if (task === undefined || task.startedAt > at) break;
      if (!isOver(task)) open.push(task);
    }
    return open;
  }
}

/**
 * Groups requests into turns. Each turn has a system message of its own; a first request that follows an answered one with the same
 * system message is a second turn all the same, one that follows a failed one is a repeat of the request within its turn, even when Hermes put a
 * text of its own into it.
 */
function modelTurns({ model }: AuditRecords, delivered: ReadonlyMap<string, DeliveredEvent>): ModelTurn[] {
  const turns: { messageId: string | null; startedAt: number; requests: ModelRequest[] }[] = [];
  const newest = new Map<string, (typeof turns)[number]>();
  for (const request of [...model].sort((a, b) => a.at - b.at)) {
    const known = newest.get(request.system);
    const messageId = messageWithText(request, delivered) ?? known?.messageId ?? null;
    const answered = known?.requests.some((earlier) => earlier.first && earlier.answered) === true;
    if (known === undefined || known.messageId !== messageId || (request.first && answered)) {
      const begun = { messageId, startedAt: request.at, requests: [request] };
      newest.set(request.system, begun);
      turns.push(begun);
    } else {
      known.requests.push(request);
    }
  }
  return turns;
}

/**
 * The delivered message whose text stands last in the user's text: Hermes puts the author's name before it, may put a note behind it, and
 * joins an unanswered one with the next.
 */
function messageWithText(request: ModelRequest, delivered: ReadonlyMap<string, DeliveredEvent>): string | null {
  let best: { readonly message: DeliveredEvent; readonly end: number; readonly length: number } | null = null;
  for (const message of delivered.values()) {
    const text = message.text.replace(QUEUE_PREFIX, '').trim();
    const begin = text === '' || message.at > request.at ? -1 : request.userText.lastIndexOf(text);
    if (begin === -1) continue;
    const found = { message, end: begin + text.length, length: text.length };
    const order = best === null ? 1 : found.end - best.end || found.length - best.length;
    if (best === null || order > 0 || (order === 0 && isCloser(message, best.message, request))) best = found;
  }
  return best?.message.messageId ?? null;
}

/** Among messages of one text: the one that the turn's prompt names. */
function isCloser(message: DeliveredEvent, best: DeliveredEvent, request: ModelRequest): boolean {
  return request.system.includes(message.messageId) && !request.system.includes(best.messageId);
}
