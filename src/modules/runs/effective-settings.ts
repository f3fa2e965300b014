// SPDX-License-Identifier: Apache-2.0
import { realpathSync } from 'node:fs';
import { AngeliaError, ErrorCode } from '../../common/errors.js';
import type { Telemetry } from '../../common/telemetry.js';
import { parseBorgeeSettings, type ApiKey, type BorgeeSettings } from '../../config/index.js';
import type { ChatServer } from '../gateway/index.js';
import type { OfficialLocks } from '../hermes/index.js';
import { officialLockIdentities, type BridgeLocks, type LedgerStore } from '../inbox/index.js';

/**
 * The platform settings that act now. They come from the Hermes profile through the shim, are kept in the ledger without secrets, and
 * let a bridge that starts without Hermes connect and store all the same (architecture 5, D-13). The key is read anew each time.
 */
export class EffectiveSettings {
  private settings: BorgeeSettings | null = null;
  private failure: AngeliaError | null = null;
  private unknownKeys: readonly string[] = [];
  private keyWarnings: readonly string[] = [];
  private identities: OfficialLocks = { profile: null, credential: null };

  constructor(
    private readonly hermesHome: string,
    private readonly readKey: () => ApiKey,
    private readonly store: LedgerStore,
    private readonly locks: BridgeLocks,
    private readonly chat: ChatServer,
    private readonly telemetry: Telemetry,
  ) {}

  /** The settings that act, or null while none are known. */
  get current(): BorgeeSettings | null {
    return this.settings;
  }

  /** Why the chat server is not connected although settings may be known: `settings_unknown`, `credential_missing`, … */
  get problem(): AngeliaError | null {
    return this.failure;
  }

  /** What the operator should know about keys that do nothing and about the place of the agent key. */
  get warnings(): readonly string[] {
    return [...this.unknownKeys, ...this.keyWarnings];
  }

  /** Identities of the two official locks that the shim takes (D-8). */
  get officialLocks(): OfficialLocks {
    return this.identities;
  }

  /** Takes over the settings that an earlier process kept; connects nowhere without them. */
  restore(kept: string | null): void {
    if (kept === null) {
      this.failure = new AngeliaError(ErrorCode.SettingsUnknown);
      return;
    }
    try {
      this.apply(parseBorgeeSettings(JSON.parse(kept) as Record<string, unknown>).settings);
    } catch (error) {
      this.fail('settings.restore', error);
    }
  }

  /**
   * Takes over what the shim brought.
   * @param platform the platform block as Hermes gave it
   * @throws AngeliaError `config_invalid` naming the key, `credential_missing`, `credential_locked`
   */
  async adopt(platform: Readonly<Record<string, unknown>>): Promise<void> {
    const { settings, warnings } = parseBorgeeSettings(platform);
    this.unknownKeys = warnings;
    this.apply(settings);
    await this.store.keepSettings(JSON.stringify(settings));
  }

  /** Reads the key again and asks a refused server again (SIGHUP). */
  reload(): void {
    if (this.settings === null) return;
    try {
      this.apply(this.settings);
      this.chat.retryNow();
    } catch (error) {
      this.fail('settings.reload', error);
    }
  }

  /** Connects with the settings and the key of this moment. */
  private apply(settings: BorgeeSettings): void {
    this.settings = settings;
    try {
      const { key, warnings } = this.readKey();
      this.keyWarnings = warnings;
      this.locks.takeCredential(settings.base_url, key.reveal());
      this.identities = officialLockIdentities(realpathSync(this.hermesHome), settings.base_url, key.reveal());
      this.chat.configure(settings, key.reveal());
      this.failure = null;
    } catch (error) {
      this.failure = error instanceof AngeliaError ? error : new AngeliaError(ErrorCode.Internal, {}, error);
      throw this.failure;
    }
  }

  private fail(where: string, error: unknown): void {
    this.failure = error instanceof AngeliaError ? error : new AngeliaError(ErrorCode.Internal, {}, error);
    this.telemetry.emit('error.unexpected', { where, code: this.failure.code, ids: {} });
  }
}
