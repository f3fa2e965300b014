// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkPythonCoverage, checkTypeScriptCoverage } from './coverage.js';
import { runJest } from './jest-part.js';
import { checkLeftovers, workTreeState } from './leftovers.js';
import { runLint } from './lint-part.js';
import { parseParts, type Part, planJestRuns } from './parts.js';
import { describeFailures, type DetailedResult, toJson, totals } from './results.js';
import { endAll } from './run-process.js';
import { runShim } from './shim-part.js';
import { Workshop } from './workshop.js';

const root = resolve(import.meta.dirname, '../../..');

/** One stage of a run; its tests are counted together in the progress. */
interface Stage {
  readonly name: string;
  readonly run: () => Promise<DetailedResult[]>;
}

function stages(workshop: Workshop, parts: ReadonlySet<Part>, quick: boolean): Stage[] {
  const planned: Stage[] = [];
  if (parts.has('lint')) planned.push({ name: 'lint', run: () => runLint(workshop) });
  const jestStages = planJestRuns(parts, quick).map((run): Stage => {
    const name = run.projects.join(', ') + (run.hermes === null ? '' : ` (Hermes ${run.hermes})`);
    return {
      name,
      run: async () => [
        ...(await runJest(workshop, run)),
        ...(run.coverage ? [checkTypeScriptCoverage(workshop)] : []),
      ],
    };
  });
  const withHermes = planJestRuns(parts, quick).filter((run) => run.hermes !== null).length;
  planned.push(...jestStages.slice(0, jestStages.length - withHermes));
  if (parts.has('shim')) {
    planned.push({
      name: 'shim',
      run: async () => [...(await runShim(workshop)), await checkPythonCoverage(workshop)],
    });
  }
  planned.push(...jestStages.slice(jestStages.length - withHermes));
  return planned;
}

async function runAll(workshop: Workshop, parts: ReadonlySet<Part>, quick: boolean): Promise<DetailedResult[]> {
  const before = workTreeState(root);
  const results: DetailedResult[] = [];
  const planned: Stage[] = [
    ...stages(workshop, parts, quick),
    { name: 'leftovers', run: () => checkLeftovers(workshop, before) },
  ];
  for (const { name, run } of planned) {
    process.stderr.write(`\n== ${name}\n`);
    const startedAt = performance.now();
    const found = await run();
    const { passed, failed } = totals(found);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stderr.write(`== ${name}: ${String(passed)} passed, ${String(failed)} failed (${seconds} s)\n`);
    results.push(...found);
  }
  return results;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } },
  });
  const parts = parseParts(positionals, values.quick);
  const workshop = new Workshop(root);
  const end = (): void => {
    endAll();
    workshop.close();
    process.exit(130);
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    const results = await runAll(workshop, parts, values.quick);
    if (values.json !== undefined) writeFileSync(values.json, toJson(results));
    const { passed, failed } = totals(results);
    if (failed > 0) process.stdout.write(`\n${describeFailures(results)}\n\n`);
    process.stdout.write(`${String(passed)} passed, ${String(failed)} failed\n`);
    return failed === 0 ? 0 : 1;
  } finally {
    workshop.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`bin/test: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 64;
}
