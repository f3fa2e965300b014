// SPDX-License-Identifier: Apache-2.0
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { AngeliaError, ErrorCode } from '../common/errors.js';
import { Secret } from './secret.js';
import { invalidSetting } from './setting.js';

/** The one name under which the agent's key is known, in each of its three places (HST-9). */
export const API_KEY_NAME = 'BORGEE_API_KEY';

/** Permission bits of group and others. */
const OTHERS = 0o077;

/** Where a key was found. */
export type ApiKeySource = 'environment' | 'profile_env_file' | 'systemd_credential';

/** The agent's key and what an operator should know about its place. */
export interface ApiKey {
  readonly key: Secret;
  readonly source: ApiKeySource;
  /** Sentences that name a file, never its content. */
  readonly warnings: readonly string[];
}

/** Reads one place. @returns undefined when the key is not there */
type Place = (warnings: string[]) => string | undefined;

/**
 * Reads the agent's key: the service's own environment, else exactly that one name out of the profile's `.env`, else the systemd credential
 * of that name (HST-9). The two files are read anew by every call, so that a SIGHUP brings a new key.
 * @param hermesHome the profile's folder
 * @param env the environment of the service
 * @throws AngeliaError `credential_missing` when no place has it, `config_invalid` when it cannot be a key
 */
export function readApiKey(hermesHome: string, env: NodeJS.ProcessEnv = process.env): ApiKey {
  const warnings: string[] = [];
  const credentials = env['CREDENTIALS_DIRECTORY'];
  const places: readonly (readonly [ApiKeySource, Place])[] = [
    ['environment', () => env[API_KEY_NAME]],
    ['profile_env_file', (found) => readProfileEnvFile(join(hermesHome, '.env'), found)],
    ['systemd_credential', (found) => (credentials ? readReadable(join(credentials, API_KEY_NAME), found) : undefined)],
  ];
  for (const [source, read] of places) {
    const value = read(warnings)?.trim();
    if (value) return { key: new Secret(checked(value)), source, warnings };
  }
  throw new AngeliaError(ErrorCode.CredentialMissing, warnings.length === 0 ? {} : { unreadable: warnings.join(' ') });
}

/** A key travels in a header: what cannot stand there is refused before it breaks the request in a confusing way. */
function checked(value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value)) throw invalidSetting(API_KEY_NAME, 'printable ASCII characters without blanks');
  return value;
}

function readProfileEnvFile(path: string, warnings: string[]): string | undefined {
  const text = readReadable(path, warnings);
  if (text === undefined) return undefined;
  const value = parseEnv(text)[API_KEY_NAME];
  if (value && (statSync(path).mode & OTHERS) !== 0)
    warnings.push(`${path} can be read by others; set its mode to 0600.`);
  return value;
}

/** @returns undefined for a file that is absent or closed to this user; the second is worth a warning, since the operator meant it to be read */
function readReadable(path: string, warnings: string[]): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') warnings.push(`${path} cannot be read (${code ?? 'unknown'}).`);
    return undefined;
  }
}
