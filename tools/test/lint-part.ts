// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { NEWEST_HERMES } from './parts.js';
import { type DetailedResult } from './results.js';
import { runProcess } from './run-process.js';
import { type Workshop } from './workshop.js';

const TIMEOUT_MS = 10 * 60_000;
/** Checks at a time; most use one processor. */
const AT_ONCE = 2;

/** One check of the lint part; it counts as one test. */
interface LintStep {
  readonly title: string;
  /** Where its rules stand. */
  readonly file: string;
  readonly argv: readonly [string, ...string[]];
  /** Folder below the repository in which it runs. */
  readonly folder?: string;
}

function lintSteps(workshop: Workshop): LintStep[] {
  const node = (script: string, ...args: string[]): [string, ...string[]] => [
    process.execPath,
    workshop.module(script),
    ...args,
  ];
  const python = (tool: string, ...args: string[]): [string, ...string[]] => [
    workshop.cache('python-lint/bin', tool),
    ...args,
  ];
  const interpreter = workshop.cache(`hermes-${NEWEST_HERMES}/bin/python`);
  const mypy = (cache: string): [string, ...string[]] =>
    python('mypy', '--python-executable', interpreter, '--cache-dir', workshop.cache(cache));
  return [
    {
      title: '[QLT-4] ESLint finds nothing',
      file: 'eslint.config.mjs',
      argv: node('eslint/bin/eslint.js', '.', '--max-warnings', '0'),
    },
    { title: '[QLT-4] TypeScript types hold', file: 'tsconfig.json', argv: node('typescript/bin/tsc', '-p', '.') },
    {
      title: 'Prettier finds nothing',
      file: '.prettierrc.json',
      argv: node('prettier/bin/prettier.cjs', '--check', '.', '--log-level', 'warn'),
    },
    {
      title: '[QLT-4] the arrows between the modules hold',
      file: '.dependency-cruiser.cjs',
      argv: node(
        'dependency-cruiser/bin/dependency-cruiser.mjs',
        '--config',
        '.dependency-cruiser.cjs',
        'src',
        'playground',
      ),
    },
    { title: 'knip finds nothing that is unused', file: 'knip.jsonc', argv: node('knip/bin/knip.js', '--no-progress') },
    { title: 'Ruff finds nothing', file: 'pyproject.toml', argv: python('ruff', 'check', '.') },
    { title: 'Ruff would format nothing', file: 'pyproject.toml', argv: python('ruff', 'format', '--check', '.') },
    { title: 'mypy types of the tools hold', file: 'pyproject.toml', argv: mypy('mypy-tools') },
    { title: 'mypy types of the shim hold', file: 'shim/pyproject.toml', argv: mypy('mypy-shim'), folder: 'shim' },
  ];
}

/** Runs the checks, two at a time. */
export async function runLint(workshop: Workshop): Promise<DetailedResult[]> {
  const waiting = lintSteps(workshop);
  const results: DetailedResult[] = [];
  const worker = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const result = await runStep(workshop, step);
      process.stderr.write(`  ${result.result === 'passed' ? '✓' : '✗'} ${step.title} (${String(result.ms)} ms)\n`);
      results.push(result);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

async function runStep(workshop: Workshop, step: LintStep): Promise<DetailedResult> {
  const env = workshop.environment({ NODE_COMPILE_CACHE: workshop.cache('node-compile') });
  const cwd = join(workshop.root, step.folder ?? '.');
  const end = await runProcess({ argv: step.argv, env, cwd, timeoutMs: TIMEOUT_MS, live: false });
  const result = end.code === 0 ? 'passed' : 'failed';
  return { title: step.title, file: step.file, hermes: null, result, ms: end.ms, detail: end.output };
}
