// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The agent's key in a file of mode 0600, so that it stands on no command line and in no output. A key that is there already is used
 * again: the same agent comes back after a restart.
 * @returns the key
 */
export function keyFromFile(file: string): string {
  if (existsSync(file)) {
    const known = readFileSync(file, 'utf8').trim();
    if (known !== '') {
      chmodSync(file, 0o600);
      return known;
    }
  }
  const key = `bgr_${randomBytes(24).toString('hex')}`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return key;
}
