// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NEWEST_HERMES } from './parts.js';
import { type DetailedResult } from './results.js';
import { runProcess } from './run-process.js';
import { COVERAGE_RULES, pythonCoverageFile, SHIM_FOLDER } from './shim-part.js';
import { type Workshop } from './workshop.js';

/** File with the thresholds: percentages by language and measure. They only rise (test/rules/coverage.spec.ts). */
export const THRESHOLDS_FILE = 'coverage.config.json';

type Measures = Readonly<Record<string, number>>;
type Thresholds = Readonly<Record<'typescript' | 'python', Measures>>;

const TIMEOUT_MS = 60_000;

function thresholds(workshop: Workshop): Thresholds {
  return JSON.parse(readFileSync(join(workshop.root, THRESHOLDS_FILE), 'utf8')) as Thresholds;
}

/** Compares what unit and conformance tests touched with the thresholds (QLT-1). */
export function checkTypeScriptCoverage(workshop: Workshop): DetailedResult {
  const title = '[QLT-1] unit and conformance tests touch as much of the TypeScript code as the threshold says';
  const summary = join(workshop.reports, 'coverage/coverage-summary.json');
  if (!existsSync(summary)) return verdict(title, [`${summary} was not written`]);
  const { total } = JSON.parse(readFileSync(summary, 'utf8')) as { total: Record<string, { pct: number }> };
  const measured = Object.fromEntries(Object.entries(total).map(([measure, { pct }]) => [measure, pct]));
  return verdict(title, compare('TypeScript', measured, thresholds(workshop).typescript));
}

/** Compares what the tests of the shim touched, on all Hermes versions together and in their subprocesses, with the threshold (QLT-1). */
export async function checkPythonCoverage(workshop: Workshop): Promise<DetailedResult> {
  const title = '[QLT-1] the tests of the shim touch as much of its code as the threshold says';
  const python = join(workshop.hermesEnvironment(NEWEST_HERMES), 'bin/python');
  const report = join(workshop.reports, 'python-coverage.json');
  const env = workshop.environment({ COVERAGE_FILE: pythonCoverageFile(workshop) });
  const base = { env, cwd: join(workshop.root, SHIM_FOLDER), timeoutMs: TIMEOUT_MS, live: false };
  const coverage = (...args: string[]): [string, ...string[]] => [python, '-m', 'coverage', ...args];
  for (const argv of [coverage('combine', COVERAGE_RULES), coverage('json', COVERAGE_RULES, '-o', report)]) {
    const end = await runProcess({ ...base, argv });
    if (end.code !== 0) return verdict(title, [end.output]);
  }
  const { totals } = JSON.parse(readFileSync(report, 'utf8')) as {
    totals: { covered_lines: number; num_statements: number };
  };
  const lines = (100 * totals.covered_lines) / totals.num_statements;
  return verdict(title, compare('Python', { lines }, thresholds(workshop).python));
}

function compare(language: string, measured: Measures, wanted: Measures): string[] {
  const rows = Object.entries(wanted).map(([measure, least]) => ({ measure, least, found: measured[measure] ?? 0 }));
  const text = rows
    .map(({ measure, least, found }) => `${measure} ${found.toFixed(1)} % (least ${String(least)} %)`)
    .join(', ');
  process.stderr.write(`  ${language} coverage: ${text}\n`);
  return rows
    .filter(({ least, found }) => found < least)
    .map(({ measure, least, found }) => `${measure}: ${found.toFixed(2)} %, threshold ${String(least)} %`);
}

function verdict(title: string, problems: readonly string[]): DetailedResult {
  const result = problems.length === 0 ? 'passed' : 'failed';
  return { title, file: THRESHOLDS_FILE, hermes: null, result, ms: 0, detail: problems.join('\n') };
}
