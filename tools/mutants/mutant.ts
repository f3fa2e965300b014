// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A change that breaks one rule of the product, and the tests that must notice it. */
export interface Mutant {
  /** File name of the patch, without its ending. */
  readonly name: string;
  /** The rule that the patch breaks, with the ids of its requirements. */
  readonly rule: string;
  /** Test files that are run, relative to the repository: specs of Jest, or files of pytest. */
  readonly tests: readonly string[];
  /** The tests run compiled code, which has to be built with the change. */
  readonly build: boolean;
  /** Lines of the patch file, the header included, which `git apply` passes over. */
  readonly patch: string;
}

const PATCH = '.patch';
const SPEC = /^(src|playground|tools|test\/(rules|conformance))\/.+\.spec\.ts$/;
const PYTHON_TEST = /^shim\/tests\/test_\w+\.py$/;

/**
 * Reads a patch file. Its header stands before the diff, one field a line: `Rule: [ID] sentence`, one or more `Test: file`, and
 * `Build: service` where the tests run compiled code.
 * @param path for the name
 * @throws Error naming what the header lacks
 */
export function parseMutant(path: string, text: string): Mutant {
  const name = basename(path, PATCH);
  const [header = '', diff] = text.split(/^(?=--- )/m);
  if (diff === undefined) throw new Error(`${name}: there is no diff`);
  const fields = (key: string): string[] =>
    [...header.matchAll(new RegExp(`^${key}: (.+)$`, 'gm'))].map(([, value = '']) => value.trim());
  const [rule, ...more] = fields('Rule');
  if (rule === undefined || more.length > 0) throw new Error(`${name}: exactly one line "Rule: …" is needed`);
  if (!/^\[[A-Z]+-?\d+\] /.test(rule)) throw new Error(`${name}: the rule begins with the id of its requirement`);
  const tests = fields('Test');
  if (tests.length === 0) throw new Error(`${name}: a line "Test: …" is needed`);
  const other = tests.find((test) => !isSpec(test) && !isPythonTest(test));
  if (other !== undefined) throw new Error(`${name}: ${other} is no test file that can be run here`);
  const build = fields('Build');
  if (build.some((value) => value !== 'service')) throw new Error(`${name}: only "Build: service" is known`);
  return { name, rule, tests, build: build.length > 0, patch: text };
}

/** Reads all patches of a folder, by name. @throws Error for one that cannot be read */
export function readMutants(folder: string): Mutant[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(PATCH))
    .sort()
    .map((file) => parseMutant(file, readFileSync(join(folder, file), 'utf8')));
}

/**
 * Chooses mutants by name; no name chooses all.
 * @throws Error naming the word that names none
 */
export function chooseMutants(mutants: readonly Mutant[], names: readonly string[]): Mutant[] {
  const unknown = names.find((name) => !mutants.some((mutant) => mutant.name === name));
  if (unknown !== undefined) throw new Error(`there is no mutant ${unknown}`);
  return mutants.filter(({ name }) => names.length === 0 || names.includes(name));
}

/** True for a spec of Jest. */
export function isSpec(file: string): boolean {
  return SPEC.test(file);
}

/** True for a test file of the shim. */
export function isPythonTest(file: string): boolean {
  return PYTHON_TEST.test(file);
}
