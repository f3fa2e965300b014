// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../common/errors.js';
import { checkHermesSettings, type RequiredHermesSettings } from './hermes-requirements.js';

const RIGHT: RequiredHermesSettings = {
  group_sessions_per_user: false,
  thread_sessions_per_user: false,
  busy_input_mode: 'queue',
  multiplex_profiles: false,
  official_plugin_enabled: false,
};

describe('[HST-5][HST-7][D-5][D-17] what Hermes must be set to', () => {
  it('accepts the right settings, the busy mode in any case', () => {
    expect(checkHermesSettings(RIGHT)).toBeNull();
    expect(checkHermesSettings({ ...RIGHT, busy_input_mode: ' Queue ' })).toBeNull();
  });

  it.each([
    ['group_sessions_per_user', { group_sessions_per_user: true }],
    ['thread_sessions_per_user', { thread_sessions_per_user: true }],
    ['display.busy_input_mode', { busy_input_mode: 'interrupt' }],
    ['display.busy_input_mode', { busy_input_mode: 'steer' }],
    ['display.busy_input_mode', { busy_input_mode: '' }],
    ['multiplex_profiles', { multiplex_profiles: true }],
    ['plugins.enabled', { official_plugin_enabled: true }],
  ])('names %s as it stands in config.yaml for %p', (key, wrong) => {
    const error = checkHermesSettings({ ...RIGHT, ...wrong });
    expect(error?.code).toBe(ErrorCode.HermesSettingWrong);
    expect(error?.details['key']).toBe(key);
    expect(error?.details['expected']).toEqual(expect.stringMatching(/^(false|queue|a list without borgee)/));
  });

  it('names one at a time, the sessions first', () => {
    const error = checkHermesSettings({ ...RIGHT, group_sessions_per_user: true, busy_input_mode: 'steer' });
    expect(error?.details['key']).toBe('group_sessions_per_user');
  });
});
