// SPDX-License-Identifier: Apache-2.0
import { join, resolve } from 'node:path';
import { readAbsolutePath } from './readers.js';
import { invalidSetting } from './setting.js';

/** Which bridge a command is about; what is not given comes from the environment of the service. */
export interface ClientOptions {
  /** Folder of the Hermes profile. */
  readonly home?: string | undefined;
  /** Folder of the bridge's state. */
  readonly stateDir?: string | undefined;
}

/**
 * The state folder in which a running bridge has left its address and tokens.
 * @param options given by hand; a folder of a profile that is given here does not mix with variables of another one
 * @param env the environment of the command
 * @throws AngeliaError `config_invalid` naming the key
 */
export function readClientStateDir(options: ClientOptions, env: NodeJS.ProcessEnv = process.env): string {
  if (options.stateDir !== undefined) return resolve(options.stateDir);
  if (options.home !== undefined) return join(resolve(options.home), 'angelia');
  const stateDir = env['ANGELIA_STATE_DIR'];
  if (stateDir) return absolute('ANGELIA_STATE_DIR', stateDir);
  const home = env['ANGELIA_HERMES_HOME'];
  if (home) return join(absolute('ANGELIA_HERMES_HOME', home), 'angelia');
  throw invalidSetting('ANGELIA_HERMES_HOME', 'the folder of the Hermes profile (or --home FOLDER)');
}

function absolute(key: string, path: string): string {
  try {
    return readAbsolutePath(path);
  } catch {
    throw invalidSetting(key, 'an absolute path');
  }
}
