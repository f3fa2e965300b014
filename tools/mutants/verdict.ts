// SPDX-License-Identifier: Apache-2.0
import { type TestResult } from '../test/results.js';

/** What became of one mutant, as `--json` writes it. */
export interface Verdict {
  readonly name: string;
  readonly rule: string;
  readonly caught: boolean;
  /** Titles of the tests that noticed it. */
  readonly caughtBy: readonly string[];
  /** Why it counts as survived: `does not apply`, `does not build`, `no test failed`; null when it was caught. */
  readonly reason: string | null;
}

const keyOf = ({ file, title }: TestResult): string => `${file}\n${title}`;

/**
 * Titles of the tests that pass without a change and fail with it. Whatever else fails proves nothing: a file that cannot be loaded any more
 * says that the change is no sound code, not that a rule is watched.
 */
export function caughtBy(unpatched: readonly TestResult[], patched: readonly TestResult[]): string[] {
  const failedBefore = new Set(unpatched.filter(({ result }) => result === 'failed').map(keyOf));
  const passedBefore = new Set(unpatched.map(keyOf).filter((key) => !failedBefore.has(key)));
  const failed = patched.filter((test) => test.result === 'failed' && passedBefore.has(keyOf(test)));
  return [...new Set(failed.map(({ title }) => title))];
}

/** Lines for a person: the mutant, its rule, who caught it. */
export function describeVerdict({ name, rule, caughtBy: titles, reason }: Verdict): string {
  const mark = reason === null ? '✓' : '✗';
  const last = reason === null ? titles.map((title) => `    caught by: ${title}`) : [`    survived: ${reason}`];
  return [`${mark} ${name}`, `    breaks: ${rule}`, ...last].join('\n');
}

/** The last line of the output. */
export function summary(verdicts: readonly Verdict[]): string {
  const caught = verdicts.filter((verdict) => verdict.caught).length;
  return `${String(caught)} caught, ${String(verdicts.length - caught)} survived`;
}
