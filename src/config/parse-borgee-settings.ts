// SPDX-License-Identifier: Apache-2.0
import { BorgeeSettings } from './borgee-settings.js';
import { canonicalOrigin, isLoopbackHost } from './origin.js';
import { describeSettings, invalidSetting, readSettings } from './setting.js';
import { ShimSettings } from './shim-settings.js';

const SECTION = 'borgee.';

/** Keys under which an operator may have written the agent's key; it comes from BORGEE_API_KEY alone (HST-9). */
const REFUSED_KEYS = ['token', 'api_key'] as const;

/**
 * Keys of a platform block that Hermes or the official plugin put there and that are not ours to judge. What of them matters is checked
 * where it acts (`checkHermesSettings`), so none is worth a warning.
 */
const HERMES_KEYS: ReadonlySet<string> = new Set([
  'allow_admin_from',
  'allow_from',
  'channel_prompts',
  'cron_continuable_surface',
  'dm_policy',
  'exclusive_bot_mentions',
  'free_response_channels',
  'gateway_restart_notification',
  'group_allow_admin_from',
  'group_allow_from',
  'group_policy',
  'group_sessions_per_user',
  'group_user_allowed_commands',
  'mention_patterns',
  'notice_delivery',
  'reply_in_thread',
  'reply_prefix',
  'require_mention',
  'thread_sessions_per_user',
  'typing_indicator',
  'typing_status_text',
  'unauthorized_dm_behavior',
  'user_allowed_commands',
]);

/** The settings of a platform block, and what in it did nothing. */
export interface ParsedBorgeeSettings {
  readonly settings: BorgeeSettings;
  /** One sentence for each key that is not known: it names the key, never its value. */
  readonly warnings: readonly string[];
}

/**
 * Reads the platform block of a Borgee server; the block of the official plugin is read unchanged (bpp 6.2).
 * @param raw the block as Hermes gave it to the platform (`PlatformConfig.extra`)
 * @throws AngeliaError `config_invalid` with the details `key` and `expected`, never a value
 */
export function parseBorgeeSettings(raw: Readonly<Record<string, unknown>>): ParsedBorgeeSettings {
  for (const key of REFUSED_KEYS) {
    if (isPresent(raw[key]))
      throw invalidSetting(SECTION + key, 'no such key: the agent key comes only from BORGEE_API_KEY');
  }
  const lookup = (key: string): unknown => (Object.hasOwn(raw, key) ? raw[key] : undefined);
  const settings = readSettings(BorgeeSettings, lookup, SECTION);
  readSettings(ShimSettings, lookup, SECTION);
  requireSecureOrigin(settings);
  return { settings, warnings: unknownKeys(raw).map((key) => `${SECTION}${key} is not a known key and does nothing.`) };
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** http only where it cannot leave the machine, and only when the operator says so (HST-9). */
function requireSecureOrigin(settings: BorgeeSettings): void {
  const origin = canonicalOrigin(settings.base_url);
  if (origin.scheme === 'https') return;
  if (!isLoopbackHost(origin.host))
    throw invalidSetting(`${SECTION}base_url`, 'https, since the host is not a loopback one');
  if (settings.allow_insecure_loopback) return;
  throw invalidSetting(`${SECTION}base_url`, 'https, or allow_insecure_loopback: true beside it');
}

function unknownKeys(raw: Readonly<Record<string, unknown>>): string[] {
  const ours = new Set([...describeSettings(BorgeeSettings), ...describeSettings(ShimSettings)].map(({ key }) => key));
  // A leading underscore marks what Hermes and the official plugin derive themselves; a refused key that got here is empty.
  const known = (key: string): boolean =>
    ours.has(key) || HERMES_KEYS.has(key) || key.startsWith('_') || REFUSED_KEYS.some((refused) => refused === key);
  return Object.keys(raw)
    .filter((key) => !known(key))
    .sort();
}
