// SPDX-License-Identifier: Apache-2.0

/** One test as `bin/test --json` writes it. */
export interface TestResult {
  /** Full title, with the requirement ids that it proves. */
  readonly title: string;
  /** Relative to the repository. */
  readonly file: string;
  /** Version of Hermes Agent that it ran with; null where Hermes plays no part. */
  readonly hermes: string | null;
  /** A skipped or todo test counts as failed. */
  readonly result: 'passed' | 'failed';
  readonly ms: number;
}

/** Result of a test with what a person needs when it failed. */
export interface DetailedResult extends TestResult {
  /** Why it failed; empty when it passed. */
  readonly detail: string;
}

/** Numbers of a list of results. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
}

/** Escape sequences of terminals. */
// eslint-disable-next-line no-control-regex -- the escape character is what is looked for
const ANSI = /\u001B\[[0-9;]*[A-Za-z]/g;

/** @returns the text without colours */
export function plain(text: string): string {
  return text.replaceAll(ANSI, '');
}

/** Counts results. */
export function totals(results: readonly TestResult[]): Totals {
  const failed = results.filter((one) => one.result === 'failed').length;
  return { passed: results.length - failed, failed };
}

/** The list as `--json` writes it. */
export function toJson(results: readonly DetailedResult[]): string {
  const rows = results.map(({ title, file, hermes, result, ms }): TestResult => ({ title, file, hermes, result, ms }));
  return `${JSON.stringify(rows, null, 1)}\n`;
}

/** A line of a stack trace that lies in a test program or in Node itself. */
const FOREIGN_FRAME = /^\s+at .*(node_modules\/|node:internal)/;

const LONGEST_DETAIL_LINES = 40;

/** What failed, readable: one block for each test, its output cut to the lines that help. */
export function describeFailures(results: readonly DetailedResult[]): string {
  return results
    .filter((one) => one.result === 'failed')
    .map((one) => {
      const lines = plain(one.detail)
        .trimEnd()
        .split('\n')
        .filter((line) => !FOREIGN_FRAME.test(line));
      const cut = lines.length > LONGEST_DETAIL_LINES ? [...lines.slice(0, LONGEST_DETAIL_LINES), '…'] : lines;
      const place = one.hermes === null ? one.file : `${one.file}, Hermes ${one.hermes}`;
      return [`✗ ${one.title}`, `  ${place}`, ...cut.map((line) => `    ${line}`)].join('\n');
    })
    .join('\n\n');
}
