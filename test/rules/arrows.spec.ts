// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadConfiguration, repositoryRoot } from './support/source-files.js';

const FIXTURES = join(repositoryRoot, 'test/rules/fixtures/arrows');

/** Each rule and the import in the fixtures that breaks it; all other imports there are right. */
const BROKEN: readonly (readonly [rule: string, from: string, to: unknown])[] = [
  ['no-circular', 'src/common/circle-one.ts', 'src/common/circle-two.ts'],
  ['common-imports-nothing-of-ours', 'src/common/reads-settings.ts', 'src/config/index.ts'],
  ['config-imports-only-common', 'src/config/knows-a-module.ts', 'src/modules/hermes/index.ts'],
  ['module-entered-through-index', 'src/modules/runs/past-the-index.ts', 'src/modules/gateway/port.ts'],
  ['composition-enters-through-index', 'src/composes-past-the-index.ts', 'src/modules/inbox/intake.ts'],
  ['arrows-of-gateway', 'src/modules/gateway/knows-hermes.ts', 'src/modules/hermes/index.ts'],
  ['arrows-of-inbox', 'src/modules/inbox/knows-hermes.ts', 'src/modules/hermes/index.ts'],
  ['arrows-of-hermes', 'src/modules/hermes/knows-the-gateway.ts', 'src/modules/gateway/index.ts'],
  ['arrows-of-runs', 'src/modules/runs/knows-admin.ts', 'src/modules/admin/index.ts'],
  ['arrows-of-admin', 'src/modules/admin/knows-invocation.ts', 'src/modules/invocation/index.ts'],
  ['unlisted-module', 'src/modules/invocation/index.ts', 'src/modules/hermes/index.ts'],
  [
    'gateways-know-nothing-of-each-other',
    'src/modules/gateway/contract/knows-borgee.ts',
    'src/modules/gateway/borgee/client.ts',
  ],
  [
    'database-only-in-inbox-store',
    'src/modules/runs/asks-the-database.ts',
    expect.stringContaining('node_modules/typeorm/'),
  ],
  ['product-imports-no-playground', 'src/modules/runs/uses-a-test-tool.ts', 'test/support/tool.ts'],
  ['playground-takes-only-the-wire', 'playground/knows-the-inbox.ts', 'src/modules/inbox/intake.ts'],
];

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

/** Runs dependency-cruiser with the rules of the repository over the fixtures, as if they were the repository. */
async function cruise(): Promise<Violation[]> {
  const program = join(repositoryRoot, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [
    '--config',
    join(repositoryRoot, '.dependency-cruiser.cjs'),
    '--output-type',
    'json',
    'src',
    'playground',
  ];
  // The reporter exits with 0 for JSON; what is broken stands in the report.
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    cwd: FIXTURES,
    maxBuffer: 64 * 1024 * 1024,
  });
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
}

describe('[QLT-4][U-1] the arrows between the modules', () => {
  it('are held by rules that catch each import that breaks them, and no other', async () => {
    const found = (await cruise()).map(({ rule, from, to }) => [rule.name, from, to]);
    const byName = (one: readonly unknown[], other: readonly unknown[]): number =>
      String(one).localeCompare(String(other));
    expect(found.sort(byName)).toEqual([...BROKEN].sort(byName));
  });

  it('have each a fixture that breaks it', async () => {
    const { forbidden } = await loadConfiguration<{ forbidden: { name: string }[] }>('.dependency-cruiser.cjs');
    const names = forbidden.map(({ name }) => name);
    expect([...new Set(BROKEN.map(([name]) => name))].sort()).toEqual([...names].sort());
  });
});
