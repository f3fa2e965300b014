// SPDX-License-Identifier: Apache-2.0
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AgentConnection } from './connection/agent-connection.js';
import type { Message, World } from './world/index.js';

/** How a burst goes out. */
export interface BurstOptions {
  /** Who speaks; default: the person of a direct message, else the first person of the world. */
  readonly authorId?: string;
  /** Text of the i-th message, from 0; default: a number and its channel. */
  readonly body?: (index: number) => string;
  /** Messages that are said in one turn of the event loop; default: 64. */
  readonly batch?: number;
  /** How long one batch waits for a reader that is behind, ms; default: 20. Beyond it the next batch goes out all the same. */
  readonly patienceMs?: number;
}

/** What a burst needs of the playground. */
export interface BurstHost {
  readonly world: World;
  readonly connection: AgentConnection | null;
  say(channelId: string, authorId: string, body: string): Message;
}

/**
 * Says many messages, paced by the event loop like the writer of a real server: a client that reads keeps up and loses nothing, one
 * that stops for long finds its outgoing buffer full (`dropBehind`). Resolves when all were said and nothing waits for the socket.
 */
export async function sendBurst(
  host: BurstHost,
  count: number,
  channelIds: readonly string[],
  options: BurstOptions,
): Promise<readonly string[]> {
  const { batch = 64, patienceMs = 20, body = (index: number) => `Message ${index + 1} of ${count}.` } = options;
  const channels = channelIds.map((channelId) => host.world.channel(channelId));
  const first = host.world.people[0]?.id;
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const channel = channels[index % channels.length];
    const authorId = options.authorId ?? channel?.personId ?? first;
    if (channel === undefined || authorId === undefined) throw new Error('A burst needs a person and a channel.');
    ids.push(host.say(channel.id, authorId, body(index)).id);
    if (ids.length % batch !== 0) continue;
    await nextTurn();
    await host.connection?.drained(patienceMs);
  }
  await host.connection?.drained();
  return ids;
}
