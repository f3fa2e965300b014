// SPDX-License-Identifier: Apache-2.0
import type { AgentMessage, AuditFacts } from './facts.js';

/** What became of the messages of people, from the chat server's and the model's records alone. */
export interface Verdict {
  /** Messages that were answered. */
  readonly answers: number;
  /** Ids of messages without their whole answer or without the end of their turn. */
  readonly lost: readonly string[];
  /** Ids of messages with two turns at the model or with an answer given twice. */
  readonly repeated: readonly string[];
}

/**
 * Judges messages of people.
 * @param facts the records, joined
 * @param messageIds the messages that must be answered
 */
export function judge(facts: AuditFacts, messageIds: readonly string[]): Verdict {
  const lost = messageIds.filter((id) => !isAnswered(facts, id));
  const repeated = messageIds.filter((id) => facts.turnsOf(id).length > 1 || timesAnswered(facts, id) > 1);
  return { answers: messageIds.length - lost.length, lost, repeated };
}

/** The whole text of the model stands in the channel, and the agent has said that it is done. What never reached the model is shown as no task. */
function isAnswered(facts: AuditFacts, messageId: string): boolean {
  const answers = facts.answersTo(messageId);
  const task = answers.find((message) => message.taskId !== null)?.taskId ?? null;
  const ended = task === null ? facts.turnsOf(messageId).length === 0 : facts.tasks.get(task)?.finishedAt !== null;
  return answers.length > 0 && ended && compact(joined(answers)).includes(replyOf(facts, messageId));
}

/** How often the model's text stands in the channel; answers without a model count by the tasks that gave one. */
function timesAnswered(facts: AuditFacts, messageId: string): number {
  const answers = facts.answersTo(messageId);
  const whole = replyOf(facts, messageId);
  if (whole === '') return new Set(answers.map((message) => message.taskId)).size;
  return compact(joined(answers)).split(whole).length - 1;
}

/** The last text that the model gave in answer to a message, without white space. */
function replyOf(facts: AuditFacts, messageId: string): string {
  const requests = facts.turnsOf(messageId).flatMap((turn) => turn.requests);
  return compact(requests.findLast((request) => request.reply !== '')?.reply ?? '');
}

function joined(messages: readonly AgentMessage[]): string {
  return messages.map((message) => message.text ?? '').join('');
}

/** Edges of split and segmented messages lose white space; it says nothing about completeness. */
function compact(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
