// SPDX-License-Identifier: Apache-2.0
import { type TestResult } from '../test/results.js';
import { caughtBy, describeVerdict, summary, type Verdict } from './verdict.js';

const test = (title: string, result: TestResult['result'], file = 'src/a.spec.ts'): TestResult => {
  return { title, file, hermes: null, result, ms: 1 };
};
const caught: Verdict = { name: 'one', rule: '[INB-1] A rule.', caught: true, caughtBy: ['t1', 't2'], reason: null };
const survivor: Verdict = { name: 'two', rule: '[INB-2] B.', caught: false, caughtBy: [], reason: 'no test failed' };

describe('a mutant is caught', () => {
  it('by each test that passes without it and fails with it', () => {
    const unpatched = [test('t1', 'passed'), test('t2', 'passed'), test('t3', 'passed')];
    const patched = [test('t1', 'failed'), test('t2', 'passed'), test('t3', 'failed')];
    expect(caughtBy(unpatched, patched)).toEqual(['t1', 't3']);
  });

  it('by no test that fails without it, too', () => {
    expect(caughtBy([test('t1', 'failed')], [test('t1', 'failed')])).toEqual([]);
    expect(caughtBy([test('t1', 'passed'), test('t1', 'failed')], [test('t1', 'failed')])).toEqual([]);
  });

  it('not because its test file cannot be loaded any more', () => {
    expect(caughtBy([test('t1', 'passed')], [test('src/a.spec.ts can be run', 'failed')])).toEqual([]);
  });

  it('by a test of that file, not by one of the same name elsewhere', () => {
    expect(caughtBy([test('t1', 'passed')], [test('t1', 'failed', 'src/b.spec.ts')])).toEqual([]);
  });

  it('once by a title that stands for several cases', () => {
    const cases = (result: TestResult['result']): TestResult[] => [test('t1', result), test('t1', result)];
    expect(caughtBy(cases('passed'), cases('failed'))).toEqual(['t1']);
  });
});

describe('the report of mutants', () => {
  it('names the rule and who caught it', () => {
    expect(describeVerdict(caught)).toBe('✓ one\n    breaks: [INB-1] A rule.\n    caught by: t1\n    caught by: t2');
  });

  it('says why one survived', () => {
    expect(describeVerdict(survivor)).toBe('✗ two\n    breaks: [INB-2] B.\n    survived: no test failed');
  });

  it('ends with the numbers', () => {
    expect(summary([caught, survivor, caught])).toBe('2 caught, 1 survived');
  });
});
