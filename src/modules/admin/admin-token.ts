// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { newNonce } from '../../common/ids.js';
import { createPrivateFolder, createSecretFile, readSecretFile } from '../../common/secret-file.js';

/**
 * The token of the admin interface, made at the first start (SEC-2).
 * @param stateDir state folder of the bridge
 * @throws AngeliaError `secret_file_mode` when others can read the file
 */
export function readOrCreateAdminToken(stateDir: string): string {
  const path = join(stateDir, 'admin.token');
  createPrivateFolder(stateDir);
  try {
    createSecretFile(path, newNonce());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readSecretFile(path).trim();
}
