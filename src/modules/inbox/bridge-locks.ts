// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { AngeliaError, ErrorCode } from '../../common/errors.js';
import { InterprocessLock } from './store/interprocess-lock.js';

const digest = (...parts: readonly string[]): string => createHash('sha256').update(parts.join('\0')).digest('hex');

/** A held lock and the file name that stands for what it protects. */
interface Held {
  readonly name: string;
  readonly lock: InterprocessLock;
}

/**
 * The two locks of one bridge (HST-6): first the profile, then the credential; given back in reverse. The system frees both when the
 * process dies. They exclude bridges of one user only: across users the shim serves just the bridge that its link file names.
 */
export class BridgeLocks {
  private profile: Held | undefined;
  private credential: Held | undefined;

  /** @param folder holds the lock files of all bridges of this user; created 0700 when it is missing */
  constructor(private readonly folder: string) {}

  /**
   * Takes the lock of a Hermes profile.
   * @param home HERMES_HOME; every path to the same folder gives the same lock
   * @throws AngeliaError `profile_locked`; the system's error when the folder does not exist
   */
  takeProfile(home: string): void {
    const name = `profile-${digest('angelia-profile-lock-v1', realpathSync(home)).slice(0, 32)}.lock`;
    if (this.profile?.name === name) return;
    if (this.profile !== undefined) throw new AngeliaError(ErrorCode.ProfileLocked, { holder: 'this process' });
    this.profile = this.take(name, ErrorCode.ProfileLocked);
  }

  /**
   * Takes the lock of a credential; one that was taken for another origin or key is given back after it.
   * @param origin canonical origin of the chat server
   * @param apiKey never leaves this function but as a digest
   * @throws AngeliaError `credential_locked`; the former credential lock is kept then
   */
  takeCredential(origin: string, apiKey: string): void {
    if (this.profile === undefined) throw new Error('the profile lock comes first');
    const name = `credential-${digest('angelia-credential-lock-v1', origin, apiKey).slice(0, 32)}.lock`;
    if (this.credential?.name === name) return;
    const former = this.credential;
    this.credential = this.take(name, ErrorCode.CredentialLocked);
    former?.lock.release();
  }

  /** Gives back what is held, in reverse order; any number of times. */
  release(): void {
    this.credential?.lock.release();
    this.credential = undefined;
    this.profile?.lock.release();
    this.profile = undefined;
  }

  private take(name: string, refusal: ErrorCode): Held {
    const lock = InterprocessLock.acquire(join(this.folder, name));
    if (lock === null) throw new AngeliaError(refusal, { lock: name });
    return { name, lock };
  }
}

/**
 * Identities under which the official Borgee plugin locks a profile and a credential (bpp 6.12, D-8). The shim takes the locks of these
 * names, scopes `borgee-profile` and `borgee`, so that plugin and bridge never serve one profile or key at once.
 * @param homeRealPath canonical real path of HERMES_HOME
 * @param origin canonical origin; null while none is known
 * @param apiKey null while none is known; only its digest is returned
 */
export function officialLockIdentities(
  homeRealPath: string,
  origin: string | null,
  apiKey: string | null,
): { readonly profile: string; readonly credential: string | null } {
  return {
    profile: `hermes-home:${digest('borgee-hermes-profile-lock-v1', homeRealPath)}`,
    credential:
      origin === null || apiKey === null ? null : `${origin}|credential:${digest('borgee-hermes-lock-v1', apiKey)}`,
  };
}
