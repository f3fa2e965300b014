// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { newNonce } from '../../../common/ids.js';
import { createPrivateFolder, createSecretFile, readSecretFile } from '../../../common/secret-file.js';

/**
 * What a token allows:
 * - `read`: states, ids, numbers, reasons; never what people wrote;
 * - `decide`: discard, requeue, pause, resume;
 * - `metrics`: the page for Prometheus;
 * - `content`: texts and display names of receipts (SEC-1).
 */
export type Scope = 'read' | 'decide' | 'metrics' | 'content';

/** One token of the admin interface. */
export interface AdminToken {
  /** Stands in the audit trail. */
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly secret: string;
}

/** The token files of the state folder and what each allows (SEC-2). */
export const ADMIN_TOKEN_FILES: readonly {
  readonly name: string;
  readonly file: string;
  readonly scopes: readonly Scope[];
}[] = [
  { name: 'admin', file: 'admin.token', scopes: ['read', 'decide', 'metrics'] },
  { name: 'admin-content', file: 'admin-content.token', scopes: ['read', 'decide', 'metrics', 'content'] },
  { name: 'metrics', file: 'metrics.token', scopes: ['metrics'] },
];

/**
 * The tokens of the admin interface; those that are missing are made, each in a file of its own that only the owner reads (SEC-2).
 * @param stateDir state folder of the bridge
 * @throws AngeliaError `secret_file_mode` when others can read a file
 */
export function readOrCreateAdminTokens(stateDir: string): readonly AdminToken[] {
  createPrivateFolder(stateDir);
  return ADMIN_TOKEN_FILES.map(({ name, file, scopes }) => ({
    name,
    scopes: new Set(scopes),
    secret: readOrCreate(join(stateDir, file)),
  }));
}

function readOrCreate(path: string): string {
  try {
    createSecretFile(path, newNonce());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readSecretFile(path).trim();
}
