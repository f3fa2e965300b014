// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFiles, repositoryPaths, repositoryRoot } from './support/source-files.js';

interface PackageJson {
  readonly type: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}

const packageJson = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as PackageJson;
const isThere = (path: string): boolean => existsSync(join(repositoryRoot, path));

describe('the shape of the repository', () => {
  it.each(['gateway', 'inbox', 'runs', 'hermes', 'admin'])(
    '[U-1] the feature module %s is a Nest module behind its index',
    (name) => {
      const files = repositoryFiles(new RegExp(`^src/modules/${name}/(${name}\\.module|index)\\.ts$`));
      expect(files.map(({ path }) => path)).toEqual(
        [`src/modules/${name}/${name}.module.ts`, `src/modules/${name}/index.ts`].sort(),
      );
      const nestModule = files.find(({ path }) => path.endsWith('.module.ts'));
      expect(nestModule?.text).toContain('@Module(');
    },
  );

  it.each([
    '@nestjs/common',
    '@nestjs/core',
    '@nestjs/schedule',
    'better-sqlite3',
    'class-validator',
    'nestjs-pino',
    'typeorm',
    'ws',
  ])('[U-2] %s is used by the product', (name) => {
    expect(packageJson.dependencies).toHaveProperty([name]);
    const imports = repositoryFiles(/^src\/.*(?<!\.spec)\.ts$/).filter(({ text }) =>
      new RegExp(`from '${name}(/[^']*)?'`).test(text),
    );
    expect(imports.length).toBeGreaterThan(0);
  });

  it('[U-2] tests run on Jest', () => {
    expect(packageJson.devDependencies).toHaveProperty('jest');
  });

  it.each([
    'package.json',
    'nest-cli.json',
    'src/modules',
    'src/common',
    'test',
    'migrations',
    'docs',
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
  ])('[U-3] %s stands at the top level', (path) => {
    expect(isThere(path)).toBe(true);
  });

  it('[U-4] the ledger is made of TypeORM entities with migrations', () => {
    expect(repositoryFiles(/^src\/modules\/inbox\/store\/.*\.ts$/).some(({ text }) => text.includes('@Entity('))).toBe(
      true,
    );
    expect(
      repositoryFiles(/^migrations\/\d+-.*\.ts$/).every(({ text }) => text.includes('implements MigrationInterface')),
    ).toBe(true);
    expect(repositoryPaths().some((path) => /^migrations\/\d+-/.test(path))).toBe(true);
  });

  it.each(['bin/up', 'bin/test', 'bin/setup', '.ci/run'])(
    '%s is an executable bash script without syntax errors',
    (path) => {
      expect(statSync(join(repositoryRoot, path)).mode & 0o111).toBe(0o111);
      expect(readFileSync(join(repositoryRoot, path), 'utf8')).toMatch(/^#!\/usr\/bin\/env bash\n/);
      execFileSync('bash', ['-n', join(repositoryRoot, path)]);
    },
  );

  it('every version of a package is exact', () => {
    const versions = Object.entries({ ...packageJson.dependencies, ...packageJson.devDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it('every command of the package is there', () => {
    expect(Object.values(packageJson.bin ?? {}).filter((path) => !isThere(path))).toEqual([]);
  });

  it('[SEC-3] the shim reads no environment', () => {
    const reads = repositoryFiles(/^shim\/angelia\/.*\.py$/).flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter(
          (line) =>
            /os\.(getenv|environb?)|from os import .*environ/.test(line) &&
            !/os\.environ\["\w+"\] = |os\.environ\.setdefault\(/.test(line),
        )
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(reads).toEqual([]);
  });

  it('[HST-2] only adapter.py and hermes_config.py of the shim import Hermes', () => {
    const importers = repositoryFiles(/^shim\/angelia\/.*\.py$/).filter(({ text }) =>
      /^\s*(from|import) (gateway|hermes_\w+|agent|tools|model_tools|run_agent|toolsets|utils)\b/m.test(text),
    );
    expect(importers.map(({ path }) => path)).toEqual(['shim/angelia/adapter.py', 'shim/angelia/hermes_config.py']);
  });
});
