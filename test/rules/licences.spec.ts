// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAllowed } from './support/licence-rule.js';
import { repositoryFiles, repositoryRoot } from './support/source-files.js';

interface Dependency {
  readonly name: string;
  /** SPDX expressions or names, as its author wrote them; all of them must be allowed. */
  readonly licences: readonly string[];
}

/** Packages of npm, as they lie in node_modules. */
function npmDependencies(): Dependency[] {
  const { packages } = JSON.parse(readFileSync(join(repositoryRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>;
  };
  return Object.keys(packages)
    .map((path) => join(repositoryRoot, path, 'package.json'))
    .filter((path) => !path.startsWith(join(repositoryRoot, 'package.json')) && existsSync(path))
    .map((path) => {
      const { name, license } = JSON.parse(readFileSync(path, 'utf8')) as {
        name: string;
        license?: string | { type: string };
      };
      return { name, licences: [typeof license === 'object' ? license.type : (license ?? '')] };
    });
}

/** Distributions of the Python environment with that Hermes Agent; bin/setup makes it. */
function pythonDependencies(version: string): Dependency[] {
  const python = join(repositoryRoot, `.cache/hermes-${version}/bin/python`);
  const output = execFileSync(python, [join(repositoryRoot, 'tools/python/list_licences.py')], { encoding: 'utf8' });
  return JSON.parse(output) as Dependency[];
}

/** Dependencies with a licence that is not on the list, or with none. */
function refused(dependencies: readonly Dependency[]): string[] {
  return dependencies
    .filter(({ licences }) => licences.length === 0 || !licences.every(isAllowed))
    .map(({ name, licences }) => `${name}: ${licences.join(', ')}`);
}

describe('[QLT-2] licences', () => {
  it('of npm packages are on the list', () => {
    const dependencies = npmDependencies();
    expect(dependencies.length).toBeGreaterThan(100);
    expect(refused(dependencies)).toEqual([]);
  });

  it.each(['0.18.2', '0.19.0'])('of Python distributions beside Hermes Agent %s are on the list', (version) => {
    const dependencies = pythonDependencies(version);
    expect(dependencies.map(({ name }) => name)).toContain('hermes-agent');
    expect(refused(dependencies)).toEqual([]);
  });

  it.each([
    'MIT',
    'Apache-2.0',
    '(MIT OR GPL-3.0)',
    '(GPL-2.0 OR MIT) AND (ISC)',
    'ISC License (ISCL)',
    'BSD-3-Clause AND MIT',
    'Apache Software License',
    'MPL-2.0',
  ])('%s would be allowed', (licence) => {
    expect(isAllowed(licence)).toBe(true);
  });

  it.each([
    '',
    'UNLICENSED',
    'GPL-3.0',
    'AGPL-3.0-only',
    'MIT AND GPL-2.0',
    '(MIT OR ISC) AND (GPL-2.0 OR GPL-3.0)',
    'SEE LICENSE IN file',
    'BUSL-1.1',
  ])('%p would be refused', (licence) => {
    expect(isAllowed(licence)).toBe(false);
  });
});

describe('[QLT-2] the licence of a source file', () => {
  const HEADERS: readonly [files: RegExp, header: RegExp][] = [
    [/\.(ts|tsx|mjs|cjs|jsonc)$/, /^(#!.*\n)?\/\/ SPDX-License-Identifier: Apache-2\.0\n/],
    [
      /\.(py|sh|toml|ya?ml)$|^tools\/python\/.*\.txt$|^(bin|\.ci)\/[^.]+$/,
      /^(#!.*\n)?# SPDX-License-Identifier: Apache-2\.0\n/,
    ],
    [/\.css$/, /^\/\* SPDX-License-Identifier: Apache-2\.0 \*\/\n/],
    [/\.(html|svg)$/, /^(<!doctype html>\n|<svg[^>]*>\n\s*)?<!-- SPDX-License-Identifier: Apache-2\.0 -->\n/i],
  ];

  it.each(HEADERS)('stands at the top of %p', (files, header) => {
    const missing = repositoryFiles(files).filter(({ text }) => !header.test(text));
    expect(missing.map(({ path }) => path)).toEqual([]);
  });

  it('is that of the repository', () => {
    expect(readFileSync(join(repositoryRoot, 'LICENSE'), 'utf8')).toContain('Apache License');
    expect(JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'))).toMatchObject({
      license: 'Apache-2.0',
    });
  });
});
