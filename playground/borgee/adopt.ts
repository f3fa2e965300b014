// SPDX-License-Identifier: Apache-2.0
import { checkServerFrame } from '../../src/modules/gateway/borgee/wire/index.js';
import type { AnyFrame } from './connection/agent-connection.js';
import type { World } from './world/index.js';

/**
 * A frame that a test made by hand may speak of channels, people and messages that the world does not have; a server knows what it
 * has delivered, so they are added before it goes out. Frames that deliver nothing, and broken ones, leave the world as it is.
 */
export function adopt(world: World, frame: AnyFrame): void {
  const checked = checkServerFrame(JSON.stringify(frame));
  if (!checked.ok || checked.value.type !== 'inbound_message') return;
  const delivery = checked.value;
  const startsTurn = delivery.kind === 'message' || delivery.kind === 'mention';
  if (!startsTurn || delivery.body.trim() === '' || world.hasMessage(delivery.message_id)) return;
  // A hand-made echo must not count as an answer of the agent.
  if (delivery.author_id === world.agent.id) return;
  if (!world.authors.has(delivery.author_id)) world.addAuthor(delivery.author_name, delivery.author_id);
  if (!world.channels.has(delivery.channel_id)) {
    const isDirect = delivery.channel_type === 'dm';
    world.addChannel({
      id: delivery.channel_id,
      type: isDirect ? 'dm' : 'channel',
      personId: isDirect ? delivery.author_id : null,
    });
  }
  world.post({
    id: delivery.message_id,
    channelId: delivery.channel_id,
    authorId: delivery.author_id,
    body: delivery.body,
    kind: delivery.kind === 'mention' ? 'mention' : 'message',
    createdAt: delivery.created_at,
  });
}
