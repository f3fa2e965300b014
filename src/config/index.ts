// SPDX-License-Identifier: Apache-2.0
export { type ApiKey, type ApiKeySource, readApiKey } from './api-key.js';
export { BorgeeSettings } from './borgee-settings.js';
export { type ClientOptions, readClientStateDir } from './client-paths.js';
export { checkHermesSettings, type RequiredHermesSettings } from './hermes-requirements.js';
export { LedgerLimits, LinkLimits } from './limits.js';
export { HealthLimits, RetentionLimits, TurnLimits } from './operation-limits.js';
export { canonicalOrigin, isLoopbackHost } from './origin.js';
export { type ParsedBorgeeSettings, parseBorgeeSettings } from './parse-borgee-settings.js';
export { type ListenAddress } from './readers.js';
export { type Secret } from './secret.js';
export {
  ListenSettings,
  type LogLevel,
  LogSettings,
  PathSettings,
  readServiceSettings,
  ServiceSettings,
} from './service-settings.js';
export { describeSettings, type SettingDescription } from './setting.js';
export { ShimSettings } from './shim-settings.js';
