// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { inLoopbackNamespace } from './namespace.js';
import { type JestRun, type Part } from './parts.js';
import { type DetailedResult } from './results.js';
import { type CommandEnd, runProcess } from './run-process.js';
import { type Workshop } from './workshop.js';

/** The fields of Jest's own report that count. */
interface JestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly duration?: number | null;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

/**
 * Runs one call of Jest.
 * @param live shows what Jest prints while it runs
 * @returns every test, a file that could not be run as one failed test, and one for each promise that the run itself broke
 */
export async function runJest(workshop: Workshop, run: JestRun, live = true): Promise<DetailedResult[]> {
  const name = [...run.projects, run.hermes ?? ''].join('-');
  const report = join(workshop.reports, `jest-${name}.json`);
  rmSync(report, { force: true });
  const end = await runProcess({
    argv: jestCommand(workshop, run, report),
    env: run.hermes === null ? workshop.environment() : workshop.hermesTestEnvironment(run.hermes),
    cwd: workshop.root,
    timeoutMs: run.timeoutMs,
    live,
    isDone: () => existsSync(report),
  });
  const results = existsSync(report)
    ? readReport(workshop.root, JSON.parse(readFileSync(report, 'utf8')) as JestReport, run)
    : [];
  return [...results, ...brokenPromises(run, end, results)];
}

function jestCommand(workshop: Workshop, run: JestRun, report: string): [string, ...string[]] {
  const jest: [string, ...string[]] = [
    process.execPath,
    '--experimental-vm-modules',
    '--no-warnings',
    workshop.module('jest/bin/jest.js'),
  ];
  jest.push('--selectProjects', ...run.projects, '--json', '--outputFile', report);
  jest.push('--maxWorkers', run.workers === undefined ? '100%' : String(run.workers));
  if (run.coverage) jest.push('--coverage', '--coverageDirectory', join(workshop.reports, 'coverage'));
  if (run.files.length > 0) jest.push('--runTestsByPath', ...run.files);
  return run.hermes === null ? jest : inLoopbackNamespace(workshop, jest);
}

function readReport(root: string, report: JestReport, run: JestRun): DetailedResult[] {
  return report.testResults.flatMap(({ name, message, status, assertionResults }): DetailedResult[] => {
    const file = relative(root, name);
    if (assertionResults.length === 0 && status === 'failed') {
      return [{ title: `${file} can be run`, file, hermes: run.hermes, result: 'failed', ms: 0, detail: message }];
    }
    return assertionResults.map((test) => ({
      title: test.fullName,
      file,
      hermes: run.hermes,
      result: test.status === 'passed' ? 'passed' : 'failed',
      ms: Math.round(test.duration ?? 0),
      detail: test.failureMessages?.join('\n') || `it was not run (${test.status})`,
    }));
  });
}

/** What is wrong with the run as a whole: a part without tests, a program that fails without a failed test or does not end. */
function brokenPromises(run: JestRun, end: CommandEnd, results: readonly DetailedResult[]): DetailedResult[] {
  const broken: DetailedResult[] = [];
  const add = (title: string, detail: string): void => {
    broken.push({ title, file: 'jest.config.mjs', hermes: run.hermes, result: 'failed', ms: end.ms, detail });
  };
  for (const part of run.projects) {
    if (!results.some(({ file }) => partOf(file) === part))
      add(`[TST-2] part ${part} runs its tests`, end.output || 'no test ran');
  }
  if (end.ended === 'timeout')
    add(`[TST-2] part ${run.projects.join(' and ')} ends in time`, `ended after ${String(end.ms)} ms`);
  if (end.ended === 'did_not_exit') {
    add(
      `[TST-2] part ${run.projects.join(' and ')} leaves nothing open`,
      'Jest did not end by itself: a socket, timer or process was left open.',
    );
  }
  const failed = results.some(({ result }) => result === 'failed') || broken.length > 0;
  if (end.code !== 0 && !failed) add(`part ${run.projects.join(' and ')} ends without an error`, end.output);
  return broken;
}

/** The part that a spec file belongs to. */
export function partOf(file: string): Part {
  const [, folder] = /^test\/(rules|conformance|e2e|faults|browser)\//.exec(file) ?? [];
  return (folder as Part | undefined) ?? 'unit';
}
