// SPDX-License-Identifier: Apache-2.0
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chooseMutants, parseMutant, readMutants } from './mutant.js';

const root = join(import.meta.dirname, '../..');
const DIFF = '--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1 +1 @@\n-a\n+b\n';
const patch = (...header: string[]): string => `${header.join('\n')}\n\n${DIFF}`;

describe('a patch file of a mutant', () => {
  it('names the rule that it breaks and the tests that must notice', () => {
    const text = patch(
      '# A comment.',
      'Rule: [INB-1] A rule.',
      'Test: src/common/clock.spec.ts',
      'Test: shim/tests/test_link.py',
    );
    expect(parseMutant('folder/some-name.patch', text)).toEqual({
      name: 'some-name',
      rule: '[INB-1] A rule.',
      tests: ['src/common/clock.spec.ts', 'shim/tests/test_link.py'],
      build: false,
      patch: text,
    });
  });

  it('asks for compiled code with a line of its own', () => {
    const text = patch('Rule: [K2] A rule.', 'Test: test/conformance/store/worker-store.spec.ts', 'Build: service');
    expect(parseMutant('one.patch', text).build).toBe(true);
  });

  it.each([
    ['without a rule', ['Test: src/a.spec.ts'], 'exactly one line "Rule: …"'],
    ['with two rules', ['Rule: [INB-1] A.', 'Rule: [INB-2] B.', 'Test: src/a.spec.ts'], 'exactly one line "Rule: …"'],
    ['whose rule has no id', ['Rule: A rule.', 'Test: src/a.spec.ts'], 'begins with the id'],
    ['without a test', ['Rule: [INB-1] A.'], 'a line "Test: …"'],
    [
      'with a test of the whole',
      ['Rule: [INB-1] A.', 'Test: test/e2e/up.spec.ts'],
      'test/e2e/up.spec.ts is no test file',
    ],
    ['with a source as a test', ['Rule: [INB-1] A.', 'Test: src/a.ts'], 'src/a.ts is no test file'],
    ['with another build', ['Rule: [INB-1] A.', 'Test: src/a.spec.ts', 'Build: web'], 'only "Build: service"'],
  ])('%s is refused', (_case, header, message) => {
    expect(() => parseMutant('one.patch', patch(...header))).toThrow(message);
  });

  it('without a diff is refused', () => {
    expect(() => parseMutant('one.patch', 'Rule: [INB-1] A.\nTest: src/a.spec.ts\n')).toThrow('one: there is no diff');
  });

  it('takes no field out of the diff', () => {
    const text = `Rule: [INB-1] A.\nTest: src/a.spec.ts\n\n${DIFF}Test: src/b.spec.ts\n`;
    expect(parseMutant('one.patch', text).tests).toEqual(['src/a.spec.ts']);
  });
});

describe('the mutants of this repository', () => {
  const mutants = readMutants(join(root, 'test/mutants'));

  it('are at least twelve, and their tests are there', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(12);
    expect(mutants.flatMap(({ tests }) => tests).filter((test) => !existsSync(join(root, test)))).toEqual([]);
  });

  it('are chosen by name, all without one', () => {
    expect(chooseMutants(mutants, [])).toEqual(mutants);
    expect(chooseMutants(mutants, ['echo-filter-off']).map(({ name }) => name)).toEqual(['echo-filter-off']);
    expect(() => chooseMutants(mutants, ['echo-filter-off', 'nosuch'])).toThrow('there is no mutant nosuch');
  });
});
