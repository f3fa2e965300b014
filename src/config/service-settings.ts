// SPDX-License-Identifier: Apache-2.0
import { IsIn, IsString } from 'class-validator';
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { LedgerLimits, LinkLimits } from './limits.js';
import { HealthLimits, RetentionLimits, TurnLimits } from './operation-limits.js';
import { type ListenAddress, readAbsolutePath, readListenAddress, readText } from './readers.js';
import { invalidSetting, readSettings, Setting } from './setting.js';

/** Levels of the log, from quiet to chatty. */
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const LOOPBACK_ADDRESS = 'a loopback address and a port, such as 127.0.0.1:0';

/** Where the service finds and keeps things. */
export class PathSettings {
  /** Folder of the Hermes profile. */
  @Setting({
    key: 'ANGELIA_HERMES_HOME',
    description: 'Folder of the Hermes profile that this bridge serves (its HERMES_HOME).',
    expected: 'the absolute path of an existing folder',
    read: readAbsolutePath,
  })
  @IsString()
  hermesHome!: string;

  /** Folder of the ledger and the service's own secrets. */
  @Setting({
    key: 'ANGELIA_STATE_DIR',
    description: 'Folder of `ledger.sqlite3`, `token.key` and `admin.token`; created with mode 0700.',
    expected: 'an absolute path',
    defaultText: '`<ANGELIA_HERMES_HOME>/angelia`',
    read: readAbsolutePath,
  })
  @IsString()
  stateDir!: string;

  /** Link file that was set, for a bridge that runs as its own user; undefined: the default one of the profile. */
  @Setting({
    key: 'ANGELIA_LINK_FILE',
    description:
      'Link file for a bridge that runs as its own user, written with mode 0640; the platform block names it as `link_file`.',
    expected: 'an absolute path',
    defaultText: '`<ANGELIA_HERMES_HOME>/angelia/link.json`, mode 0600',
    read: readAbsolutePath,
  })
  @IsString()
  linkFile?: string;

  /** Folder of the lock files. */
  @Setting({
    key: 'ANGELIA_LOCK_DIR',
    description: 'Folder of the locks that keep two bridges of one user from serving one profile or one key.',
    expected: 'an absolute path',
    defaultText: "`angelia/locks` in the user's state folder (`$XDG_STATE_HOME`, else `~/.local/state`)",
    read: readAbsolutePath,
  })
  @IsString()
  lockDir!: string;
}

/** Where the service listens. */
export class ListenSettings {
  @Setting({
    key: 'ANGELIA_LINK_LISTEN',
    description: 'Address of the link that the shim dials; port 0: the system chooses, the link file tells.',
    expected: LOOPBACK_ADDRESS,
    default: { host: '127.0.0.1', port: 0 },
    defaultText: '`127.0.0.1:0`',
    read: readListenAddress,
  })
  link!: ListenAddress;

  @Setting({
    key: 'ANGELIA_ADMIN_LISTEN',
    description: 'Address of the admin interface (health); port 0: the system chooses, the log tells.',
    expected: LOOPBACK_ADDRESS,
    default: { host: '127.0.0.1', port: 0 },
    defaultText: '`127.0.0.1:0`',
    read: readListenAddress,
  })
  admin!: ListenAddress;
}

/** What the service writes about itself. */
export class LogSettings {
  @Setting({
    key: 'ANGELIA_LOG_LEVEL',
    description: 'Least level that is logged.',
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    read: (raw) => readText(raw).toLowerCase(),
  })
  @IsIn(LOG_LEVELS)
  level!: LogLevel;
}

/** All settings of the service; everything about the chat server stands in the Hermes profile instead (`BorgeeSettings`). */
export class ServiceSettings {
  constructor(
    readonly paths: PathSettings,
    readonly listen: ListenSettings,
    readonly log: LogSettings,
    readonly link: LinkLimits,
    readonly ledger: LedgerLimits,
    readonly turns: TurnLimits,
    readonly retention: RetentionLimits,
    readonly health: HealthLimits,
  ) {}
}

/**
 * Reads the settings of the service from its environment; the only place that does (SEC-3).
 * @param env the environment of the process
 * @throws AngeliaError `config_invalid` with the details `key` and `expected`
 */
export function readServiceSettings(env: NodeJS.ProcessEnv = process.env): ServiceSettings {
  const lookup = (key: string): string | undefined => env[key];
  return new ServiceSettings(
    readPaths(lookup, env),
    readSettings(ListenSettings, lookup),
    readSettings(LogSettings, lookup),
    readSettings(LinkLimits, lookup),
    readSettings(LedgerLimits, lookup),
    readSettings(TurnLimits, lookup),
    readSettings(RetentionLimits, lookup),
    readSettings(HealthLimits, lookup),
  );
}

function readPaths(lookup: (key: string) => string | undefined, env: NodeJS.ProcessEnv): PathSettings {
  const home = lookup('ANGELIA_HERMES_HOME');
  const computed: Readonly<Record<string, string | undefined>> = {
    ANGELIA_STATE_DIR: home && join(home, 'angelia'),
    ANGELIA_LOCK_DIR: join(stateHome(env), 'angelia', 'locks'),
  };
  const paths = readSettings(PathSettings, (key) => lookup(key) || computed[key]);
  if (!statSync(paths.hermesHome, { throwIfNoEntry: false })?.isDirectory()) {
    throw invalidSetting('ANGELIA_HERMES_HOME', 'the absolute path of an existing folder');
  }
  return paths;
}

/** The user's state folder; a relative XDG_STATE_HOME does not count, as the XDG specification says. */
function stateHome(env: NodeJS.ProcessEnv): string {
  const xdg = env['XDG_STATE_HOME'];
  return xdg && isAbsolute(xdg) ? xdg : join(homedir(), '.local', 'state');
}
