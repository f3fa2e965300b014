// SPDX-License-Identifier: Apache-2.0
import { existsSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { partOf, runJest } from '../test/jest-part.js';
import { NEWEST_HERMES } from '../test/parts.js';
import { type DetailedResult } from '../test/results.js';
import { runProcess } from '../test/run-process.js';
import { readPytestReport, SHIM_FOLDER } from '../test/shim-part.js';
import { type Workshop } from '../test/workshop.js';
import { isPythonTest, isSpec } from './mutant.js';

const TIMEOUT_MS = 10 * 60_000;

/** Runs test files, one at a time, those of the shim with the newest Hermes. */
export async function runTestFiles(workshop: Workshop, files: readonly string[]): Promise<DetailedResult[]> {
  const specs = files.filter(isSpec);
  const python = files.filter(isPythonTest);
  return [
    ...(specs.length > 0 ? await runSpecs(workshop, specs) : []),
    ...(python.length > 0 ? await runPython(workshop, python) : []),
  ];
}

function runSpecs(workshop: Workshop, files: readonly string[]): Promise<DetailedResult[]> {
  const projects = [...new Set(files.map(partOf))];
  const run = { projects, hermes: null, coverage: false, workers: 1, files, timeoutMs: TIMEOUT_MS };
  return runJest(workshop, run, false);
}

async function runPython(workshop: Workshop, files: readonly string[]): Promise<DetailedResult[]> {
  const python = join(workshop.hermesEnvironment(NEWEST_HERMES), 'bin/python');
  if (!existsSync(python)) {
    throw new Error(`Hermes ${NEWEST_HERMES} is missing: run "bin/setup --hermes ${NEWEST_HERMES} --tests" first`);
  }
  const report = join(workshop.reports, 'pytest.json');
  rmSync(report, { force: true });
  await runProcess({
    argv: [
      python,
      ...['-m', 'pytest', '-p', 'angelia_report', '--angelia-report', report],
      ...['--basetemp', join(workshop.folder, 'pytest')],
      ...files.map((file) => relative(SHIM_FOLDER, file)),
    ],
    env: {
      ...workshop.hermesTestEnvironment(NEWEST_HERMES),
      PYTHONPATH: join(workshop.root, 'tools/python'),
    },
    cwd: join(workshop.root, SHIM_FOLDER),
    timeoutMs: TIMEOUT_MS,
    live: false,
  });
  return readPytestReport(report, NEWEST_HERMES);
}
