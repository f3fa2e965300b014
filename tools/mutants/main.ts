// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { describeFailures, type DetailedResult } from '../test/results.js';
import { endAll } from '../test/run-process.js';
import { chooseMutants, type Mutant, readMutants } from './mutant.js';
import { ScratchTree } from './scratch-tree.js';
import { runTestFiles } from './test-files.js';
import { caughtBy, describeVerdict, summary, type Verdict } from './verdict.js';

const root = resolve(import.meta.dirname, '../../..');

/** Test files of some mutants, each once. */
function testsOf(mutants: readonly Mutant[]): string[] {
  return [...new Set(mutants.flatMap(({ tests }) => tests))];
}

/**
 * Runs the tests of all mutants on the unpatched tree, with compiled code only where a mutant asks for it: a test that needs it in secret
 * fails here, and not because of a mutant.
 */
async function runUnpatched(tree: ScratchTree, mutants: readonly Mutant[]): Promise<DetailedResult[]> {
  const plain = testsOf(mutants.filter(({ build }) => !build));
  const built = testsOf(mutants.filter(({ build }) => build)).filter((file) => !plain.includes(file));
  const results = await runTestFiles(tree.workshop, plain);
  if (built.length === 0) return results;
  const refusal = await tree.build();
  if (refusal !== null) throw new Error(`the unpatched tree does not build:\n${refusal}`);
  results.push(...(await runTestFiles(tree.workshop, built)));
  tree.removeBuild();
  return results;
}

/** Tries one mutant and leaves the tree as it was. */
async function tryMutant(tree: ScratchTree, mutant: Mutant, unpatched: readonly DetailedResult[]): Promise<Verdict> {
  const { name, rule } = mutant;
  const survived = (reason: string): Verdict => ({ name, rule, caught: false, caughtBy: [], reason });
  if (!tree.apply(mutant.patch)) return survived('does not apply to the current tree');
  try {
    if (mutant.build && (await tree.build()) !== null) return survived('does not build');
    const patched = await runTestFiles(tree.workshop, mutant.tests);
    const titles = caughtBy(unpatched, patched);
    if (titles.length > 0) return { name, rule, caught: true, caughtBy: titles, reason: null };
    const other = patched.find(({ result }) => result === 'failed');
    return survived(other === undefined ? 'no test failed' : `its tests did not run: ${other.title}`);
  } finally {
    tree.revert(mutant.patch);
    tree.removeBuild();
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true, default: [] }, json: { type: 'string' } },
  });
  const mutants = chooseMutants(readMutants(join(root, 'test/mutants')), values.only);
  const tree = new ScratchTree(root);
  const end = (): void => {
    endAll();
    tree.close();
    process.exit(130);
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    process.stderr.write(`Running ${String(testsOf(mutants).length)} test files on the unpatched tree\n`);
    const unpatched = await runUnpatched(tree, mutants);
    if (unpatched.length === 0 || unpatched.some(({ result }) => result === 'failed')) {
      process.stdout.write(`${describeFailures(unpatched)}\n\nThe unpatched tree fails its own tests.\n`);
      return 1;
    }
    const verdicts: Verdict[] = [];
    for (const mutant of mutants) {
      const verdict = await tryMutant(tree, mutant, unpatched);
      process.stdout.write(`${describeVerdict(verdict)}\n`);
      verdicts.push(verdict);
    }
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(verdicts, null, 1)}\n`);
    process.stdout.write(`${summary(verdicts)}\n`);
    return verdicts.every(({ caught }) => caught) ? 0 : 1;
  } finally {
    tree.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`mutants: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 64;
}
