// SPDX-License-Identifier: Apache-2.0
import type { PlaygroundEntry, Recorder } from '../record/index.js';
import type { World, WorldChange } from './world/index.js';

/** Writes what people and the agent say into the record; the auditor recomputes its verdict from these lines. */
export function recordFacts(world: World, recorder: Recorder<PlaygroundEntry>, agentOnline: () => boolean): () => void {
  return world.onChange((change) => void recorder.append(factOf(change, agentOnline())));
}

function factOf({ kind, message, channel }: WorldChange, agentOnline: boolean): PlaygroundEntry {
  const place = { message_id: message.id, channel_id: channel.id };
  if (kind === 'edited') return { kind, ...place, content: message.body, by_agent: message.byAgent };
  if (kind === 'deleted') return { kind, ...place, by_agent: message.byAgent };
  if (message.byAgent) return { kind: 'answer', ...place, reply_to_id: message.replyToId, content: message.body };
  return {
    kind: 'sent',
    ...place,
    channel_type: channel.type,
    author_id: message.authorId,
    body: message.body,
    delivered_as: message.kind,
    agent_online: agentOnline,
  };
}
