// SPDX-License-Identifier: Apache-2.0
import type { PlaygroundEntry, Recorded, SentEntry } from '../record/index.js';
import type { TaskBook } from './strict/task-book.js';
import type { World } from './world/index.js';

/**
 * Puts the messages and tasks of an earlier process back, from its record: people find their conversations again, and the agent may
 * end the tasks that it had begun. What it said to channels that are gone stays gone.
 */
export function restore(world: World, tasks: TaskBook, history: readonly Recorded<PlaygroundEntry>[]): void {
  for (const entry of history) restoreEntry(world, tasks, entry);
}

function restoreEntry(world: World, tasks: TaskBook, entry: Recorded<PlaygroundEntry>): void {
  switch (entry.kind) {
    case 'sent':
      addMissing(world, entry);
      post(world, entry, entry.author_id, entry.body);
      return;
    case 'answer':
      post(world, entry, world.agent.id, entry.content, entry.reply_to_id);
      return;
    case 'edited':
      if (world.hasMessage(entry.message_id)) {
        world.edit(entry.message_id, world.message(entry.message_id).authorId, entry.content, entry.at);
      }
      return;
    case 'deleted':
      if (world.hasMessage(entry.message_id)) {
        world.remove(entry.message_id, world.message(entry.message_id).authorId);
      }
      return;
    case 'task_started':
      if (!entry.repeated) tasks.restoreStart(entry.task_id, entry.channel_id);
      return;
    case 'task_finished':
      tasks.restoreEnd(entry.task_id, entry.outcome, entry.reason);
      return;
    case 'close':
    case 'control':
    case 'down':
    case 'frame':
    case 'listening':
    case 'reaction':
    case 'upgrade':
    case 'violation':
      return;
  }
}

/** People and channels that the earlier process had beside the default ones. */
function addMissing(world: World, entry: SentEntry): void {
  if (!world.authors.has(entry.author_id)) world.addAuthor(entry.author_id, entry.author_id);
  if (world.channels.has(entry.channel_id)) return;
  const type = entry.channel_type === 'dm' ? 'dm' : 'channel';
  world.addChannel({ id: entry.channel_id, type, personId: type === 'dm' ? entry.author_id : null });
}

function post(
  world: World,
  entry: { readonly message_id: string; readonly channel_id: string; readonly at: number },
  authorId: string,
  body: string,
  replyToId: string | null = null,
): void {
  if (!world.channels.has(entry.channel_id) || world.hasMessage(entry.message_id)) return;
  world.post({
    id: entry.message_id,
    channelId: entry.channel_id,
    authorId,
    body,
    replyToId,
    createdAt: entry.at,
  });
}
