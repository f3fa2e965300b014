// SPDX-License-Identifier: Apache-2.0
import { ESLint, type Linter } from 'eslint';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfiguration, repositoryRoot } from './support/source-files.js';

const FIXTURES = join(repositoryRoot, 'test/rules/fixtures/lint');
const SAMPLE = 'src/modules/sample';

/** Each rule that this house sets itself, the fixture that breaks it, and the lines on which it is caught. */
const BROKEN: readonly [rule: string, fixture: string, lines: readonly number[]][] = [
  ['@typescript-eslint/no-floating-promises', 'floating-promise.ts', [3]],
  ['@typescript-eslint/no-misused-promises', 'misused-promise.ts', [3]],
  ['@typescript-eslint/switch-exhaustiveness-check', 'open-switch.ts', [3]],
  ['@typescript-eslint/consistent-type-imports', 'value-import-of-a-type.ts', [2]],
  ['@typescript-eslint/explicit-module-boundary-types', 'untyped-boundary.ts', [2]],
  ['@typescript-eslint/no-extraneous-class', 'static-class.ts', [2]],
  ['@typescript-eslint/restrict-template-expressions', 'object-in-template.ts', [3]],
  ['@typescript-eslint/no-unused-vars', 'unused-variable.ts', [3]],
  ['@typescript-eslint/no-confusing-void-expression', 'void-as-value.ts', [3]],
  ['eqeqeq', 'loose-equality.ts', [3]],
  ['no-console', 'console.ts', [3]],
  ['no-warning-comments', 'unfinished.ts', [2]],
  ['house/spdx-header', 'no-licence.ts', [1]],
  ['house/environment-only-in-config', 'environment.ts', [2, 4, 5, 6, 8]],
  ['house/database-only-in-store', 'database.ts', [2, 3, 11, 12, 16]],
  ['house/ledger-only-stated', 'ledger-file.ts', [8, 9, 10, 11]],
  ['house/time-only-by-clock', 'own-clock.ts', [2, 5, 6, 8, 8, 8]],
];

/** Places where a rule of the house does not hold, and code that only looks like a breach. */
const SOUND = [
  'src/config/environment.ts',
  'src/modules/inbox/store/ledger.ts',
  'src/common/clock.ts',
  `${SAMPLE}/sample.spec.ts`,
  `${SAMPLE}/sound.ts`,
];

/** The rules of the repository, applied to the fixtures as if they were the repository. */
const eslint = new ESLint({
  cwd: FIXTURES,
  overrideConfigFile: join(repositoryRoot, 'eslint.config.mjs'),
  overrideConfig: { languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: FIXTURES } } },
});

async function lint(path: string, text?: string): Promise<Linter.LintMessage[]> {
  const results = await eslint.lintText(text ?? readFileSync(join(FIXTURES, path), 'utf8'), {
    filePath: join(FIXTURES, path),
  });
  return results.flatMap((result) => result.messages);
}

/** Rules that are set in eslint.config.mjs itself; those of the presets come in blocks with a name. */
async function ownRules(): Promise<string[]> {
  const config = await loadConfiguration<Linter.Config[]>('eslint.config.mjs');
  const blocks = config.filter((block) => block.name === undefined);
  const rules = blocks.flatMap((block) => Object.entries(block.rules ?? {}));
  return [...new Set(rules.filter(([, setting]) => setting !== 'off').map(([rule]) => rule))].sort();
}

describe('[QLT-4] the lint rules of the house', () => {
  it.each(BROKEN)('%s catches %s', async (rule, fixture, lines) => {
    const messages = await lint(join(SAMPLE, fixture));
    expect(messages.filter(({ ruleId }) => ruleId === rule).map(({ line }) => line)).toEqual(lines);
  });

  it('max-lines catches a file of more than 400 lines', async () => {
    const text = (lines: number): string =>
      `// SPDX-License-Identifier: Apache-2.0\n${'export {};\n'.repeat(lines - 1)}`;
    const rulesFor = async (lines: number): Promise<(string | null)[]> =>
      (await lint(`${SAMPLE}/long-file.ts`, text(lines))).map((one) => one.ruleId);
    expect(await rulesFor(400)).not.toContain('max-lines');
    expect(await rulesFor(402)).toContain('max-lines');
  });

  it.each(SOUND)('find nothing in %s', async (path) => {
    expect((await lint(path)).map(({ ruleId, message }) => `${String(ruleId)}: ${message}`)).toEqual([]);
  });

  it('[SEC-3] read the environment nowhere but in src/config', async () => {
    expect((await lint('src/config/environment.ts')).length).toBe(0);
    const moved = await lint(`${SAMPLE}/sound.ts`, readFileSync(join(FIXTURES, 'src/config/environment.ts'), 'utf8'));
    expect(moved.map(({ ruleId }) => ruleId)).toContain('house/environment-only-in-config');
  });

  it('have each a fixture that breaks it', async () => {
    expect([...BROKEN.map(([rule]) => rule), 'max-lines'].sort()).toEqual(await ownRules());
  });
});
