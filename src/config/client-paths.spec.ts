// SPDX-License-Identifier: Apache-2.0
import { resolve } from 'node:path';
import { readClientStateDir } from './client-paths.js';

describe('[SEC-3] where a command finds its bridge', () => {
  const env = { ANGELIA_HERMES_HOME: '/srv/a', ANGELIA_STATE_DIR: '/var/lib/angelia' };

  it.each([
    [{ stateDir: '/srv/state', home: '/srv/b' }, env, '/srv/state'],
    [{ home: '/srv/b' }, env, '/srv/b/angelia'],
    [{ home: 'b' }, {}, resolve('b', 'angelia')],
    [{}, env, '/var/lib/angelia'],
    [{}, { ANGELIA_HERMES_HOME: '/srv/a/' }, '/srv/a/angelia'],
  ])('%j and %j: %s', (options, variables, expected) => {
    expect(readClientStateDir(options, variables)).toBe(expected);
  });

  it.each([
    [{}, 'ANGELIA_HERMES_HOME'],
    [{ ANGELIA_HERMES_HOME: 'relative' }, 'ANGELIA_HERMES_HOME'],
    [{ ANGELIA_STATE_DIR: 'relative' }, 'ANGELIA_STATE_DIR'],
  ])('names the variable that is missing or wrong in %j', (variables, key) => {
    expect(() => readClientStateDir({}, variables)).toThrow(`key=${key}`);
  });
});
