// SPDX-License-Identifier: Apache-2.0
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { partOf } from './jest-part.js';
import { parseParts, PARTS, planJestRuns, QUICK_E2E_FILE, QUICK_PARTS } from './parts.js';

describe('parts of bin/test', () => {
  it('are all of them when none is named, the quick ones with --quick', () => {
    expect([...parseParts([], false)]).toEqual(PARTS);
    expect([...parseParts([], true)]).toEqual(QUICK_PARTS);
  });

  it('run in their order, whatever the order of the words', () => {
    expect([...parseParts(['shim', 'lint'], false)]).toEqual(['lint', 'shim']);
  });

  it('refuse a word that names none', () => {
    expect(() => parseParts(['units'], false)).toThrow('there is no part units; parts: lint, rules');
  });

  it('[HST-12] run e2e and faults once for each Hermes version', () => {
    const runs = planJestRuns(new Set(['e2e', 'faults'] as const), false);
    expect(runs.map(({ projects, hermes, files }) => [...projects, hermes, ...files])).toEqual([
      ['e2e', '0.18.2'],
      ['e2e', '0.19.0'],
      ['faults', '0.18.2'],
      ['faults', '0.19.0'],
    ]);
  });

  it('run one e2e file on the newest Hermes when it has to be quick', () => {
    const runs = planJestRuns(new Set(QUICK_PARTS), true).filter(({ hermes }) => hermes !== null);
    expect(runs.map(({ projects, hermes, files }) => [...projects, hermes, ...files])).toEqual([
      ['e2e', '0.19.0', QUICK_E2E_FILE],
    ]);
    expect(existsSync(resolve(import.meta.dirname, '../..', QUICK_E2E_FILE))).toBe(true);
  });

  it('[QLT-1] measure coverage only when unit and conformance both run', () => {
    const measured = (...parts: ('unit' | 'conformance')[]): boolean[] =>
      planJestRuns(new Set(parts), false).map(({ coverage }) => coverage);
    expect(measured('unit', 'conformance')).toEqual([true]);
    expect(measured('unit')).toEqual([false]);
    expect(measured('conformance')).toEqual([false]);
  });

  it.each([
    ['src/config/origin.spec.ts', 'unit'],
    ['playground/audit/canary.spec.ts', 'unit'],
    ['test/conformance/store/claims.spec.ts', 'conformance'],
    ['test/rules/text.spec.ts', 'rules'],
    ['test/e2e/conversation.spec.ts', 'e2e'],
  ])('know that %s belongs to %s', (file, part) => {
    expect(partOf(file)).toBe(part);
  });
});
