// SPDX-License-Identifier: Apache-2.0
import type { ActionPayload } from '../../../src/modules/gateway/borgee/wire/index.js';
import { type World, WorldError } from '../world/index.js';

/** Zones of a page when the client names no limit (bpp 4.3). */
const ZONE_LIMIT = 20;

/** A page of a guild's zones, ascending by id; `next_after` is the last id when more may follow (bpp 4.3). */
export function zonePage(world: World, payload: ActionPayload): Readonly<Record<string, unknown>> {
  const guildId = String(payload['guild_id']);
  if (!world.guilds.has(guildId)) throw new WorldError('guild_unknown');
  const limit = typeof payload['limit'] === 'number' ? payload['limit'] : ZONE_LIMIT;
  const after = typeof payload['after'] === 'string' ? payload['after'] : '';
  const following = world.zones
    .filter((zone) => zone.guildId === guildId && zone.id > after)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const zones = following.slice(0, limit).map(({ id, name }) => ({ id, name }));
  const nextAfter = following.length > limit ? (zones.at(-1)?.id ?? null) : null;
  return { zones, next_after: nextAfter };
}
