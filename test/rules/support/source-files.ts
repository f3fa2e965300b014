// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The repository. */
export const repositoryRoot = resolve(import.meta.dirname, '../../..');

/** Files that break rules on purpose, and the file that lists what broken lines look like. */
const ON_PURPOSE = /^test\/rules\/(fixtures\/|support\/text-rules\.ts$)/;

/** A file of the repository. */
export interface SourceFile {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
}

/** Runs git in the repository. @returns its output */
export function git(...args: string[]): string {
  return execFileSync('git', ['-C', repositoryRoot, ...args], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
}

/** Paths of all files that are or would be committed, without those that break rules on purpose. */
export function repositoryPaths(): string[] {
  const paths = git('ls-files', '--cached', '--others', '--exclude-standard', '-z').split('\0');
  const deleted = new Set(git('ls-files', '--deleted', '-z').split('\0'));
  return paths.filter((path) => path !== '' && !deleted.has(path) && !ON_PURPOSE.test(path)).sort();
}

/** Files whose path matches, with their text. */
export function repositoryFiles(pattern: RegExp): SourceFile[] {
  return repositoryPaths()
    .filter((path) => pattern.test(path))
    .map((path) => ({ path, text: readFileSync(join(repositoryRoot, path), 'utf8') }));
}

/** Lines of the files that match, as `path:line`. */
export function findLines(files: readonly SourceFile[], matches: (line: string) => boolean): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (matches(line) ? [`${path}:${String(index + 1)}`] : [])),
  );
}

/** Loads a configuration file of the repository that has no types. */
export async function loadConfiguration<T>(name: string): Promise<T> {
  const { default: configuration } = (await import(join(repositoryRoot, name))) as { default: T };
  return configuration;
}
