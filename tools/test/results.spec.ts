// SPDX-License-Identifier: Apache-2.0
import { describeFailures, type DetailedResult, toJson, totals } from './results.js';

const PASSED: DetailedResult = {
  title: '[INB-1] holds',
  file: 'a.spec.ts',
  hermes: null,
  result: 'passed',
  ms: 3,
  detail: '',
};
const FAILED: DetailedResult = {
  ...PASSED,
  title: '[INB-2] breaks',
  hermes: '0.19.0',
  result: 'failed',
  detail: '\u001B[31mexpected 1\u001B[39m',
};

describe('results of bin/test', () => {
  it('are counted', () => {
    expect(totals([PASSED, FAILED, PASSED])).toEqual({ passed: 2, failed: 1 });
  });

  it('are written with title, file, Hermes version, result and time only', () => {
    expect(JSON.parse(toJson([FAILED]))).toEqual([
      { title: '[INB-2] breaks', file: 'a.spec.ts', hermes: '0.19.0', result: 'failed', ms: 3 },
    ]);
  });

  it('show what failed, where, and why without colours', () => {
    expect(describeFailures([PASSED, FAILED])).toBe('✗ [INB-2] breaks\n  a.spec.ts, Hermes 0.19.0\n    expected 1');
  });

  it('leave out what test programs add to a stack trace', () => {
    const detail =
      'Error: wrong\n    at own (test/a.spec.ts:1:2)\n    at run (/clone/node_modules/jest-circus/build/run.js:1:2)';
    expect(describeFailures([{ ...FAILED, detail }])).toMatch(/at own \(test\/a\.spec\.ts:1:2\)$/);
  });

  it('cut a long output', () => {
    const detail = Array.from({ length: 100 }, (_line, index) => `line ${String(index)}`).join('\n');
    const lines = describeFailures([{ ...FAILED, detail }]).split('\n');
    expect(lines).toHaveLength(43);
    expect(lines.at(-1)).toBe('    …');
  });
});
