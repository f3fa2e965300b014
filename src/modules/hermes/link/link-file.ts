// SPDX-License-Identifier: Apache-2.0
import { readFileSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import { createPrivateFolder, replaceSecretFile, syncFolder } from '../../../common/secret-file.js';
import { LINK_PROTOCOL } from './protocol.js';
import { sameText } from './proof.js';

/** Where the shim finds the bridge (docs/link.md, section 1). */
export interface LinkAddress {
  readonly host: string;
  readonly port: number;
  readonly secret: string;
}

/** The link file of one bridge process. */
export class LinkFile {
  private secret: string | undefined;

  /** @param mode permission bits (SEC-2) */
  constructor(
    private readonly path: string,
    private readonly mode: number,
  ) {}

  /**
   * Tells the address; a file that is there is replaced, a missing folder is made (0700).
   * @throws AngeliaError `config_invalid` when it cannot be written
   */
  write(address: LinkAddress): void {
    const content = { protocol: LINK_PROTOCOL, ...address, pid: process.pid };
    try {
      createPrivateFolder(dirname(this.path));
      replaceSecretFile(this.path, `${JSON.stringify(content)}\n`, this.mode);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new AngeliaError(ErrorCode.ConfigInvalid, { key: 'ANGELIA_LINK_FILE', reason: String(code) }, error);
    }
    this.secret = address.secret;
  }

  /** Removes the file if it is still the own one; that of another bridge stays. @throws the system's error when it cannot be removed */
  remove(): void {
    if (this.secret === undefined || !this.isOwn(this.secret)) return;
    unlinkSync(this.path);
    syncFolder(dirname(this.path));
    this.secret = undefined;
  }

  private isOwn(secret: string): boolean {
    try {
      const content = JSON.parse(readFileSync(this.path, 'utf8')) as { secret?: unknown };
      return typeof content.secret === 'string' && sameText(content.secret, secret);
    } catch {
      // Missing, unreadable or not ours in its form: whatever it is, this process did not leave it so.
      return false;
    }
  }
}
