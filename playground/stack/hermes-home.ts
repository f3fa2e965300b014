// SPDX-License-Identifier: Apache-2.0
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { stringify } from 'yaml';
import { repository } from './repository.js';

/** An OpenAI-compatible model. */
export interface ModelEndpoint {
  /** With its `/v1`, without a trailing slash. */
  readonly baseUrl: string;
  readonly name: string;
  readonly apiKey: string;
}

/** What a throwaway Hermes profile is made of. */
export interface HermesHomeOptions {
  /** Folder that holds everything of this profile; created when missing. */
  readonly root: string;
  readonly model: ModelEndpoint;
  /** Origin of the chat server. */
  readonly serverUrl: string;
  /** The agent key; stands in the profile's `.env` only. */
  readonly apiKey: string;
  /** Edit streaming: preview by send, updates by edit. */
  readonly streaming: boolean;
  /** Further keys of the `borgee:` block. */
  readonly platform?: Readonly<Record<string, unknown>>;
  /** Top-level keys of config.yaml that replace the usual ones. */
  readonly overrides?: Readonly<Record<string, unknown>>;
}

/** Characters of new text that trigger an edit, and seconds between edits, while an answer streams. */
const EDIT_STREAMING = { enabled: true, transport: 'edit', cursor: '', edit_interval: 0.3, buffer_threshold: 24 };

/** A Hermes profile in a folder of its own: nothing of the machine's user is read or written. */
export class HermesHome {
  /** `HOME` of everything that runs on this profile. */
  readonly home: string;
  /** `HERMES_HOME` */
  readonly hermesHome: string;
  /** Temporary files of Hermes and of the commands that the model runs. */
  readonly temporary: string;

  /** @param options what the profile is made of; written by `write()` */
  constructor(readonly options: HermesHomeOptions) {
    this.home = join(options.root, 'home');
    this.hermesHome = join(this.home, '.hermes');
    this.temporary = join(options.root, 'tmp');
  }

  /** State folder of the bridge (default of `ANGELIA_STATE_DIR`). */
  get stateDir(): string {
    return join(this.hermesHome, 'angelia');
  }

  get ledgerFile(): string {
    return join(this.stateDir, 'ledger.sqlite3');
  }

  /** Written by the bridge when it listens for the shim. */
  get linkFile(): string {
    return join(this.stateDir, 'link.json');
  }

  /** Hermes's own log. */
  get agentLog(): string {
    return join(this.hermesHome, 'logs', 'agent.log');
  }

  get configFile(): string {
    return join(this.hermesHome, 'config.yaml');
  }

  get envFile(): string {
    return join(this.hermesHome, '.env');
  }

  /** The installed shim. */
  get pluginFolder(): string {
    return join(this.hermesHome, 'plugins', basename(repository.shim));
  }

  /** Writes the profile: folders, the shim, `config.yaml` and `.env`. An existing profile keeps everything else. */
  write(): void {
    for (const folder of [this.hermesHome, join(this.hermesHome, 'plugins'), this.temporary]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
    rmSync(this.pluginFolder, { recursive: true, force: true });
    cpSync(repository.shim, this.pluginFolder, { recursive: true, filter: (path) => !path.includes('__pycache__') });
    this.writeConfig();
    this.writeKey(this.options.apiKey);
  }

  /**
   * Writes `config.yaml`.
   * @param overrides top-level keys that replace those of the options
   */
  writeConfig(overrides: Readonly<Record<string, unknown>> = this.options.overrides ?? {}): void {
    const config = { ...configuration(this.options), ...overrides };
    // Hermes reads YAML 1.1, where a bare off is no text.
    writeFileSync(this.configFile, stringify(config, { version: '1.1' }), { mode: 0o600 });
  }

  /** Writes the agent key into the profile's `.env`. */
  writeKey(apiKey: string): void {
    writeFileSync(this.envFile, `BORGEE_API_KEY=${apiKey}\n`, { mode: 0o600 });
  }

  /** Removes the folder with everything in it. */
  remove(): void {
    rmSync(this.options.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * The configuration of a profile that talks to nobody but the given model and chat server. The lower half switches off what Hermes
 * does of its own accord: downloads, catalogues, background model requests and rewriting of this very file.
 */
function configuration(options: HermesHomeOptions): Record<string, unknown> {
  return {
    model: {
      default: options.model.name,
      provider: 'custom',
      base_url: options.model.baseUrl,
      api_key: options.model.apiKey,
      context_length: 131_072,
    },
    plugins: { enabled: [basename(repository.shim)] },
    group_sessions_per_user: false,
    borgee: {
      enabled: true,
      base_url: options.serverUrl,
      allow_insecure_loopback: true,
      typing_indicator: false,
      gateway_restart_notification: false,
      ...options.platform,
    },
    display: {
      busy_input_mode: 'queue',
      busy_ack_enabled: false,
      platforms: {
        borgee: { tool_progress: 'off', interim_assistant_messages: false, long_running_notifications: false },
      },
    },
    streaming: options.streaming ? EDIT_STREAMING : { enabled: false },
    platform_toolsets: { borgee: ['terminal', 'clarify', 'file'] },
    agent: { environment_probe: false, api_max_retries: 1, restart_drain_timeout: 0 },
    approvals: { mode: 'manual' },
    memory: { memory_enabled: false, user_profile_enabled: false },
    skills: { creation_nudge_interval: 0 },
    security: { tirith_enabled: false, allow_lazy_installs: false },
    tools: { tool_search: { enabled: 'off' } },
    model_catalog: { enabled: false },
    onboarding: { profile_build: 'off' },
    kanban: { dispatch_in_gateway: false },
    curator: { enabled: false },
    gateway: {
      // Hermes would write every answer to a ledger of its own before it sends it; Angelia's is the one that counts.
      delivery_ledger: false,
      // A gateway that is restarted again and again is a test here, no crash loop that has to be slowed down.
      respawn_storm: { max_starts: 0 },
    },
  };
}
