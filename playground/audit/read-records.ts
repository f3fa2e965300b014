// SPDX-License-Identifier: Apache-2.0
import type { FrameEntry, ModelClosedEntry, ModelEntry, PlaygroundEntry, Recorded } from '../record/index.js';
import type { ChatEvent, ModelRequest } from './records.js';

/** What the chat server recorded, as the auditor sees it. */
export function chatEvents(entries: readonly Recorded<PlaygroundEntry>[]): ChatEvent[] {
  return entries.map(chatEvent).filter((event) => event !== null);
}

function chatEvent(entry: Recorded<PlaygroundEntry>): ChatEvent | null {
  const { at } = entry;
  switch (entry.kind) {
    case 'frame':
      return frameEvent(entry, at);
    case 'close':
      return { type: 'closed', at, connection: entry.conn };
    case 'answer':
      return {
        type: 'posted',
        at,
        messageId: entry.message_id,
        channelId: entry.channel_id,
        replyTo: entry.reply_to_id,
        text: entry.content,
      };
    case 'edited':
      return entry.by_agent ? { type: 'edited', at, messageId: entry.message_id, text: entry.content } : null;
    case 'deleted':
      return entry.by_agent ? { type: 'deleted', at, messageId: entry.message_id } : null;
    case 'task_started':
      return { type: 'task_started', at, taskId: entry.task_id, channelId: entry.channel_id };
    case 'task_finished':
      return {
        type: 'task_finished',
        at,
        taskId: entry.task_id,
        channelId: entry.channel_id,
        outcome: entry.outcome,
      };
    case 'control':
    case 'down':
    case 'listening':
    case 'reaction':
    case 'sent':
    case 'upgrade':
    case 'violation':
      return null;
  }
}

/** A message of a person on its way to the agent; null for everything else that travels. */
function frameEvent(entry: FrameEntry, at: number): ChatEvent | null {
  const frame = entry.frame;
  if (entry.dir === 'in' || entry.type !== 'inbound_message' || frame === undefined) return null;
  const { kind, message_id, channel_id, author_id, agent_id, body } = frame;
  if (kind !== 'message' && kind !== 'mention') return null;
  if (typeof message_id !== 'string' || typeof channel_id !== 'string' || typeof author_id !== 'string') return null;
  if (typeof body !== 'string' || author_id === agent_id) return null;
  if (entry.dir === 'dropped') return { type: 'dropped', at, messageId: message_id };
  return {
    type: 'delivered',
    at,
    connection: entry.conn,
    messageId: message_id,
    channelId: channel_id,
    authorId: author_id,
    text: body,
  };
}

/** Requests of turns at the model, with what became of them. */
export function modelRequests(entries: readonly Recorded<ModelEntry>[]): ModelRequest[] {
  const closed = new Map<number, ModelClosedEntry>();
  for (const entry of entries) if (entry.kind === 'closed') closed.set(entry.request, entry);
  const requests: ModelRequest[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'chat') continue;
    const end = closed.get(entry.request);
    requests.push({
      at: entry.at,
      system: entry.system,
      userText: entry.last_user,
      first: entry.last_role === 'user',
      answered: end !== undefined && end.complete && end.status < 400 && end.text !== '',
      reply: end?.text ?? '',
    });
  }
  return requests;
}
