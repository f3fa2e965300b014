// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const BUILD = resolve(import.meta.dirname, '../../playground/web/build.mjs');

/** The chat page, built from the sources of this run. */
export interface BuiltWeb {
  /** Folder for `webRoot`. */
  readonly root: string;
  remove(): Promise<void>;
}

/** Builds the chat page into a folder of its own, so that a test never looks at an older build. */
export async function buildWeb(): Promise<BuiltWeb> {
  const root = await mkdtemp(join(tmpdir(), 'angelia-web-'));
  await promisify(execFile)(process.execPath, [BUILD, '--outdir', root]);
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}
