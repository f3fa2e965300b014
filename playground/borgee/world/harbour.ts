// SPDX-License-Identifier: Apache-2.0
import { World } from './world.js';
import type { Author } from './types.js';

/** Ids of the default world. They are fixed, so that a restarted playground is the same place. */
export const HARBOUR = {
  guild: 'guild-harbour',
  channels: { general: 'channel-general', engineering: 'channel-engineering', random: 'channel-random' },
  authors: { Mira: 'author-mira', Jonas: 'author-jonas', Aiko: 'author-aiko' },
  directMessages: { Mira: 'dm-mira', Jonas: 'dm-jonas', Aiko: 'dm-aiko' },
} as const;

/** The default world: guild "Harbour", three channels, three people, and a direct message of each with the agent. */
export function harbour(agent: Author): World {
  const world = new World(agent);
  world.addGuild('Harbour', HARBOUR.guild);
  for (const [name, id] of Object.entries(HARBOUR.channels)) world.addChannel({ id, name, guildId: HARBOUR.guild });
  for (const [name, id] of Object.entries(HARBOUR.authors)) world.addAuthor(name, id);
  for (const [name, id] of Object.entries(HARBOUR.directMessages)) {
    const personId = HARBOUR.authors[name as keyof typeof HARBOUR.authors];
    world.addChannel({ id, name, type: 'dm', personId });
  }
  return world;
}
