// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Violation } from './records.js';

/** A text that must not stand in any of the searched files. */
export interface Canary {
  /** What it is, for people; the text itself is never shown. */
  readonly name: string;
  readonly text: string;
}

/** [SEC-1] No canary stands in a file, plain, in base64 or in hexadecimal. */
export function noCanaryIn(files: readonly string[], canaries: readonly Canary[]): Violation[] {
  return files.flatMap((file) => {
    const content = readFileSync(file);
    return canaries
      .filter(({ text }) => formsOf(text).some((form) => content.includes(form)))
      .map(({ name }) => ({ invariant: 'noCanaryIn', what: `${file} holds ${name}` }));
  });
}

/**
 * All files below a folder.
 * @param skip tells paths to leave out, folders with everything below them
 */
export function filesBelow(folder: string, skip: (path: string) => boolean = () => false): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (skip(path)) return [];
    if (entry.isDirectory()) return filesBelow(path, skip);
    return entry.isFile() ? [path] : [];
  });
}

/** Forms in which a text can slip through: as it is, as JSON writes it, base64 without its last group, hexadecimal. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  return [text, JSON.stringify(text).slice(1, -1), bytes.toString('base64').slice(0, -4), bytes.toString('hex')];
}
