// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, repositoryRoot } from './support/source-files.js';

const FILE = 'coverage.config.json';

type Thresholds = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Thresholds as `language.measure` with their percentage. */
function flat(text: string): Map<string, number> {
  const thresholds = JSON.parse(text) as Thresholds;
  return new Map(
    Object.entries(thresholds).flatMap(([language, measures]) =>
      Object.entries(measures).map(([measure, percent]): [string, number] => [`${language}.${measure}`, percent]),
    ),
  );
}

describe('[QLT-1] the coverage thresholds', () => {
  const now = flat(readFileSync(join(repositoryRoot, FILE), 'utf8'));

  it('are named keys for both languages', () => {
    expect([...now.keys()].sort()).toEqual([
      'python.lines',
      'typescript.branches',
      'typescript.functions',
      'typescript.lines',
    ]);
  });

  it('only rise', () => {
    const commits = git('log', '--format=%H', '--', FILE).trim().split('\n').filter(Boolean);
    const fallen = commits.flatMap((commit) =>
      [...flat(git('show', `${commit}:${FILE}`))]
        .filter(([key, percent]) => (now.get(key) ?? 0) < percent)
        .map(([key, percent]) => `${key} was ${String(percent)} in ${commit}`),
    );
    expect(fallen).toEqual([]);
  });
});
