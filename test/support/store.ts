// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { shortHash } from '../../src/common/ids.js';
import {
  type NewReceipt,
  WorkerLedgerStore,
  type WorkerLedgerStoreOptions,
} from '../../src/modules/inbox/store/index.js';

const STORE_FOLDER = 'src/modules/inbox/store';

/**
 * Compiled code of the store's thread, which runs outside of Jest's transform.
 * @throws Error when it is missing or older than its source: a test of old code would prove nothing
 */
export function storeWorkerUrl(): URL {
  const compiled = join('dist', STORE_FOLDER, 'store.worker.js');
  const builtAt = statSync(compiled, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = [STORE_FOLDER, 'migrations'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
      .map((name) => join(folder, name)),
  );
  const newer = sources.find((source) => statSync(source).mtimeMs > builtAt);
  if (newer !== undefined) throw new Error(`${compiled} is older than ${newer}: run "npm run build" first`);
  return pathToFileURL(compiled);
}

/** A store on its real thread. */
export function workerStore(options: Omit<WorkerLedgerStoreOptions, 'workerUrl'>): WorkerLedgerStore {
  return new WorkerLedgerStore({ ...options, workerUrl: storeWorkerUrl() });
}

/** A folder of one test, with the path of a ledger in it that does not exist yet. */
export interface LedgerFolder {
  readonly folder: string;
  readonly path: string;
  remove(): void;
}

/** @returns a new folder under the system's temporary one, mode 0700 */
export function ledgerFolder(): LedgerFolder {
  const folder = mkdtempSync(join(tmpdir(), 'angelia-ledger-'));
  return {
    folder,
    path: join(folder, 'state', 'ledger.sqlite3'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A receipt that waits for its turn; `id` is its message id and makes its dedupe key. */
export function newReceipt(id: string, changes: Partial<NewReceipt> = {}): NewReceipt {
  return {
    dedupeKey: shortHash('receipt', id),
    evidence: shortHash('payload', id),
    kind: 'message',
    lane: 'lane-1',
    channelId: 'ch_1',
    channelType: 'channel',
    messageId: id,
    authorId: 'u_1',
    authorName: 'Ada',
    body: `text of ${id}`,
    sourceBody: null,
    dispatchClass: 'ordinary',
    context: null,
    sourceCreatedAt: 1_000,
    receivedAt: 2_000,
    terminal: null,
    checkEcho: true,
    ...changes,
  };
}
