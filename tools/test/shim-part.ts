// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inLoopbackNamespace } from './namespace.js';
import { type DetailedResult } from './results.js';
import { runProcess } from './run-process.js';
import { HERMES_VERSIONS, type HermesVersion, type Workshop } from './workshop.js';

/** The Python project of the shim. */
export const SHIM_FOLDER = 'shim';
/** Where it stands what is measured; seen from the shim. */
export const COVERAGE_RULES = '--rcfile=../pyproject.toml';

const TIMEOUT_MS = 15 * 60_000;

/** One test as the pytest plugin tools/python/angelia_report.py writes it. */
interface PytestRow {
  readonly title: string;
  readonly file: string;
  readonly passed: boolean;
  readonly ms: number;
  readonly detail: string;
}

/**
 * Runs the Python tests of the shim in the environment of each Hermes version (HST-12), and measures what they touch. The versions run side
 * by side: most of their time the tests wait for real gateways.
 */
export async function runShim(workshop: Workshop): Promise<DetailedResult[]> {
  const results = await Promise.all(HERMES_VERSIONS.map((version) => runPytest(workshop, version)));
  return results.flat();
}

async function runPytest(workshop: Workshop, version: HermesVersion): Promise<DetailedResult[]> {
  const report = join(workshop.reports, `pytest-${version}.json`);
  const python = join(workshop.hermesEnvironment(version), 'bin/python');
  const end = await runProcess({
    argv: inLoopbackNamespace(workshop, [
      python,
      ...['-m', 'coverage', 'run', COVERAGE_RULES],
      ...['-m', 'pytest', '-p', 'angelia_report', '--angelia-report', report],
      ...['--basetemp', join(workshop.folder, `pytest-${version}`)],
    ]),
    env: {
      ...workshop.hermesTestEnvironment(version),
      PYTHONPATH: join(workshop.root, 'tools/python'),
      COVERAGE_FILE: pythonCoverageFile(workshop),
    },
    cwd: join(workshop.root, SHIM_FOLDER),
    timeoutMs: TIMEOUT_MS,
    live: false,
  });
  process.stderr.write(`-- Hermes ${version}\n${end.output}`);
  const results = readPytestReport(report, version);
  const failed = results.some(({ result }) => result === 'failed');
  if (results.length === 0 || (end.code !== 0 && !failed)) {
    const title = '[TST-2] part shim runs its tests';
    results.push({
      title,
      file: 'shim/pyproject.toml',
      hermes: version,
      result: 'failed',
      ms: end.ms,
      detail: end.output,
    });
  }
  return results;
}

/** Tests as tools/python/angelia_report.py has written them. @returns none when the file is missing */
export function readPytestReport(report: string, version: HermesVersion): DetailedResult[] {
  const rows = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as PytestRow[]) : [];
  return rows.map(({ title, file, passed, ms, detail }): DetailedResult => {
    return { title, file: join(SHIM_FOLDER, file), hermes: version, result: passed ? 'passed' : 'failed', ms, detail };
  });
}

/** Where the measurements lie; each process of each version adds its own name to it. */
export function pythonCoverageFile(workshop: Workshop): string {
  return join(workshop.reports, 'python-coverage');
}
