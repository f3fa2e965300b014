// SPDX-License-Identifier: Apache-2.0
import { AngeliaError, ErrorCode } from '../common/errors.js';

/** What Hermes really uses, as its own objects say; the part of the shim's report that the bridge depends on (HST-7). */
export interface RequiredHermesSettings {
  readonly group_sessions_per_user: boolean;
  readonly thread_sessions_per_user: boolean;
  readonly busy_input_mode: string;
  readonly multiplex_profiles: boolean;
  readonly official_plugin_enabled: boolean;
}

/** One setting that must hold before Hermes may be given turns. */
interface Requirement {
  /** Key as it stands in the profile's config.yaml. */
  readonly key: string;
  /** What to write there, and what else could be the reason. */
  readonly expected: string;
  readonly holds: (settings: RequiredHermesSettings) => boolean;
}

/** In the order in which they are named: the first that does not hold is told. */
const REQUIREMENTS: readonly Requirement[] = [
  {
    key: 'group_sessions_per_user',
    expected:
      'false at the top level of config.yaml (inside the platform block it does not act); the people of a channel share its session',
    holds: (settings) => !settings.group_sessions_per_user,
  },
  {
    key: 'thread_sessions_per_user',
    expected: 'false at the top level of config.yaml; the people of a thread share its session',
    holds: (settings) => !settings.thread_sessions_per_user,
  },
  {
    key: 'display.busy_input_mode',
    expected: 'queue (the global key; the one of a platform does not act)',
    holds: (settings) => settings.busy_input_mode.trim().toLowerCase() === 'queue',
  },
  {
    key: 'multiplex_profiles',
    expected:
      'false, here and under gateway, without profile_routes and without GATEWAY_MULTIPLEX_PROFILES in the environment',
    holds: (settings) => !settings.multiplex_profiles,
  },
  {
    key: 'plugins.enabled',
    expected: 'a list without borgee: the official plugin and Angelia must not serve one profile at once',
    holds: (settings) => !settings.official_plugin_enabled,
  },
];

/**
 * Checks that Hermes runs with the settings that Angelia needs (HST-7, HST-5, D-5, D-17).
 * @param effective what Hermes really uses, not what a file says
 * @returns null when all hold, else `hermes_setting_wrong` with the details `key` and `expected`
 */
export function checkHermesSettings(effective: RequiredHermesSettings): AngeliaError | null {
  const broken = REQUIREMENTS.find((requirement) => !requirement.holds(effective));
  if (broken === undefined) return null;
  return new AngeliaError(ErrorCode.HermesSettingWrong, { key: broken.key, expected: broken.expected });
}
