// SPDX-License-Identifier: Apache-2.0
import { resolve } from 'node:path';
import { readArguments, UsageError } from './arguments.js';

describe('[PLY-1] [HST-12] the command line of bin/up', () => {
  it('has a default for everything', () => {
    const expected = { hermes: '0.19.0', home: null, check: false, evidence: null, startedAt: 7 };
    expect(readArguments([], 7)).toEqual(expected);
  });

  it('reads every option', () => {
    const argv = ['--check', '--evidence', 'proof', '--home', '/srv/try', '--hermes', '0.18.2', '--started-at', '5,25'];
    expect(readArguments(argv)).toEqual({
      hermes: '0.18.2',
      home: '/srv/try',
      check: true,
      evidence: resolve('proof'),
      startedAt: 5.25,
    });
  });

  it.each([
    ['an unknown option', ['--fast']],
    ['a word that belongs to nothing', ['now']],
    ['a version that is not supported', ['--hermes', '0.17.0']],
    ['evidence without a check', ['--evidence', 'proof']],
    ['an empty folder', ['--home', '']],
    ['a start that is no number', ['--started-at', 'noon']],
  ])('refuses %s', (_what, argv) => {
    expect(() => readArguments(argv)).toThrow(UsageError);
  });
});
