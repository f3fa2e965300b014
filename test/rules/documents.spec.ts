// SPDX-License-Identifier: Apache-2.0
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BorgeeSettings,
  LedgerLimits,
  LinkLimits,
  ListenSettings,
  LogSettings,
  PathSettings,
  ShimSettings,
} from '../../src/config/index.js';
import { allOperations } from '../../src/modules/admin/index.js';
import { renderConfigDocs } from '../../tools/config-docs.js';
import { renderMetricsDocs } from '../../tools/metrics-docs.js';
import { repositoryFiles, repositoryPaths, repositoryRoot } from './support/source-files.js';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
const folders = (path: string): string[] =>
  readdirSync(join(repositoryRoot, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name));

/** Rooms that a reader enters by name. */
const ROOMS = [
  'src/common',
  'src/config',
  ...folders('src/modules'),
  'shim',
  'playground',
  'bench',
  'test',
  'tools',
  'migrations',
];

const SETTINGS = [BorgeeSettings, LedgerLimits, LinkLimits, ListenSettings, LogSettings, PathSettings, ShimSettings];

describe('[QLT-3] documents', () => {
  it('docs/configuration.md is what the configuration classes say; `npm run docs` writes it', () => {
    expect(read('docs/configuration.md')).toBe(renderConfigDocs());
  });

  it.each(SETTINGS.map((settings) => [settings.name, settings] as const))(
    'every key of %s acts somewhere',
    (_name, settings) => {
      const product = repositoryFiles(/^(src\/(?!config\/).*(?<!\.spec)\.ts|shim\/angelia\/.*\.py)$/);
      const idle = Object.keys(new settings()).filter(
        (key) => !product.some(({ text }) => new RegExp(`[."']${key}\\b`).test(text)),
      );
      expect(idle).toEqual([]);
    },
  );

  it('[OPS-2] docs/metrics.md is what the class of the metrics says; `npm run docs` writes it', () => {
    expect(read('docs/metrics.md')).toBe(renderMetricsDocs());
  });

  it('[ADM-1] docs/operations.md gives the promise in the words of docs/architecture.md', () => {
    const promise = /^What it promises:\n\n((?:- .*\n| {2}.*\n)+)/m.exec(read('docs/architecture.md'))?.[1];
    expect(promise?.match(/^- /gm)).toHaveLength(4);
    expect(read('docs/operations.md')).toContain(promise);
  });

  it('[ADM-1] docs/operations.md names every request of the admin interface', () => {
    const page = read('docs/operations.md');
    const requests = allOperations().map(({ controller, method }) => {
      const handler = Object.getOwnPropertyDescriptor(controller.prototype, method)?.value as object;
      const path = [controller, handler].map((part) => String(Reflect.getMetadata('path', part))).join('/');
      const verb = Reflect.getMetadata('method', handler) === 0 ? 'GET' : 'POST';
      return `\`${verb} /${path.replace(/\/+/g, '/').replace(/^\/|\/$/g, '')}\``;
    });
    expect(requests.length).toBeGreaterThan(10);
    expect(requests.filter((request) => !page.includes(request))).toEqual([]);
  });

  it('[OPS-2] docs/operations.md names every reason of health', () => {
    const sources = repositoryPaths().filter((path) =>
      /^src\/modules\/admin\/health\/[\w.-]+(?<!\.spec)\.ts$/.test(path),
    );
    const names = sources.flatMap((path) =>
      [...read(path).matchAll(/\b(?:reason|redOf)\(\s*'([a-z_]+)'/g)].map(([, name = '']) => name),
    );
    const page = read('docs/operations.md');
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it.each(ROOMS)('%s has a README of a few lines', (room) => {
    const path = join(repositoryRoot, room, 'README.md');
    expect(existsSync(path)).toBe(true);
    const text = readFileSync(path, 'utf8').trim();
    expect(text).toMatch(/^(<!-- SPDX-License-Identifier: Apache-2\.0 -->\n+)?# \S/);
    const lines = text.split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(3);
    if (room.startsWith('src/')) expect(lines.length).toBeLessThanOrEqual(60);
  });

  it('link only to files that are there', () => {
    const known = new Set(repositoryPaths());
    const isKnown = (path: string): boolean =>
      known.has(path) || [...known].some((one) => one.startsWith(`${path.replace(/\/$/, '')}/`));
    const broken = repositoryPaths()
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) => {
        const targets = [...read(path).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
        const local = targets.filter((target) => !/^[a-z]+:/.test(target));
        return local.filter((target) => !isKnown(join(path, '..', target))).map((target) => `${path}: ${target}`);
      });
    expect(broken).toEqual([]);
  });

  it('decisions are numbered without gaps and begin with the deviations D-1 to D-19', () => {
    const numbers = readdirSync(join(repositoryRoot, 'docs/decisions'))
      .filter((name) => /^\d{4}-/.test(name))
      .map((name) => Number(name.slice(0, 4)))
      .sort((one, other) => one - other);
    expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
    const rows = [...read('docs/decisions/0001-deviations.md').matchAll(/^\| (D-\d+) +\|/gm)].map(([, id]) => id);
    expect(rows).toEqual(Array.from({ length: 19 }, (_row, index) => `D-${String(index + 1)}`));
  });

  it('the changelog has an entry for this version or for what is unreleased', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## \\[(Unreleased|${version.replaceAll('.', '\\.')})\\]`, 'm'));
  });
});
