// SPDX-License-Identifier: Apache-2.0
import { AngeliaError, ErrorCode, type ErrorDetails } from '../common/errors.js';
import { parseBorgeeSettings } from './parse-borgee-settings.js';

const ORIGIN = 'https://chat.example.com';

/** The block that the official command `borgee-hermes setup` writes, as Hermes hands it over. */
const OFFICIAL_BLOCK = {
  base_url: 'http://127.0.0.1:3000/',
  allow_insecure_loopback: true,
  group_sessions_per_user: false,
  dm_policy: 'open',
  group_policy: 'open',
  _busy_input_mode: 'queue',
  _multiplex_profiles: false,
  _enabled_explicit: true,
};

function refusal(raw: Record<string, unknown>): ErrorDetails {
  try {
    parseBorgeeSettings(raw);
  } catch (error) {
    if (error instanceof AngeliaError && error.code === ErrorCode.ConfigInvalid) return error.details;
    throw error;
  }
  throw new Error('the block was accepted');
}

describe('the platform block of a Borgee server', () => {
  it('needs nothing but base_url', () => {
    expect(parseBorgeeSettings({ base_url: ORIGIN })).toEqual({
      settings: {
        base_url: ORIGIN,
        agent_id: '',
        allow_insecure_loopback: false,
        max_concurrent_dispatches: 4,
        drain_timeout_seconds: 30,
        max_inbound_frame_bytes: 16_777_216,
        auth_probe_interval_seconds: 300,
        intake_queue_max_bytes: 67_108_864,
        intake_stall_seconds: 30,
      },
      warnings: [],
    });
  });

  it('is read unchanged as the official plugin wrote it, without a warning', () => {
    const { settings, warnings } = parseBorgeeSettings(OFFICIAL_BLOCK);
    expect(settings.base_url).toBe('http://127.0.0.1:3000');
    expect(warnings).toEqual([]);
  });

  it('takes numbers as text and cuts fractions, as the official plugin does', () => {
    const { settings } = parseBorgeeSettings({
      base_url: ORIGIN,
      agent_id: ' ag_1 ',
      max_concurrent_dispatches: '12',
      drain_timeout_seconds: '0.5',
    });
    expect(settings).toMatchObject({ agent_id: 'ag_1', max_concurrent_dispatches: 12, drain_timeout_seconds: 0.5 });
    expect(
      parseBorgeeSettings({ base_url: ORIGIN, max_concurrent_dispatches: 32.9 }).settings.max_concurrent_dispatches,
    ).toBe(32);
  });

  it('names unknown keys as warnings, in order, without their values', () => {
    const { warnings } = parseBorgeeSettings({ base_url: ORIGIN, zebra: 'canary-1', max_dispatches: 4 });
    expect(warnings).toEqual([
      'borgee.max_dispatches is not a known key and does nothing.',
      'borgee.zebra is not a known key and does nothing.',
    ]);
  });

  it.each([
    ['base_url', undefined],
    ['base_url', 'ftp://chat.example.com'],
    ['agent_id', 42],
    ['allow_insecure_loopback', {}],
    ['max_concurrent_dispatches', 0],
    ['max_concurrent_dispatches', 33],
    ['max_concurrent_dispatches', '4.5'],
    ['max_concurrent_dispatches', Number.NaN],
    ['drain_timeout_seconds', 0],
    ['drain_timeout_seconds', -1],
    ['drain_timeout_seconds', 600.1],
    ['drain_timeout_seconds', Number.NaN],
    ['drain_timeout_seconds', 'soon'],
    ['max_inbound_frame_bytes', 65_535],
    ['max_inbound_frame_bytes', 268_435_457],
    ['auth_probe_interval_seconds', 0],
    ['auth_probe_interval_seconds', 86_401],
    ['intake_queue_max_bytes', 65_535],
    ['intake_queue_max_bytes', 4_294_967_297],
    ['intake_stall_seconds', 0],
    ['intake_stall_seconds', 3_601],
    ['link_file', 'relative/link.json'],
    ['start_hold_seconds', 0],
    ['queue_max_bytes', 1],
  ])('refuses %s: %p and names the key', (key, value) => {
    expect(refusal({ base_url: ORIGIN, [key]: value })['key']).toBe(`borgee.${key}`);
  });

  it.each([
    ['max_concurrent_dispatches', 1],
    ['max_concurrent_dispatches', 32],
    ['drain_timeout_seconds', 0.001],
    ['drain_timeout_seconds', 600],
    ['max_inbound_frame_bytes', 65_536],
    ['intake_stall_seconds', 0.1],
  ])('accepts %s: %p at the edge of its rule', (key, value) => {
    expect(parseBorgeeSettings({ base_url: ORIGIN, [key]: value }).settings).toMatchObject({ [key]: value });
  });

  it('reads only keys of the block itself', () => {
    const inherited = Object.create({ base_url: ORIGIN }) as Record<string, unknown>;
    expect(refusal(inherited)['key']).toBe('borgee.base_url');
  });
});

describe('[HST-9] credentials and insecure origins in the platform block', () => {
  it.each(['token', 'api_key'])('refuses %s and does not repeat it', (key) => {
    const details = refusal({ base_url: ORIGIN, [key]: 'canary-key' });
    expect(details['key']).toBe(`borgee.${key}`);
    expect(JSON.stringify(details)).toContain('BORGEE_API_KEY');
    expect(JSON.stringify(details)).not.toContain('canary-key');
  });

  it.each([null, ''])('takes an empty token (%p) for none', (token) => {
    expect(parseBorgeeSettings({ base_url: ORIGIN, token }).warnings).toEqual([]);
  });

  it('refuses http without allow_insecure_loopback', () => {
    expect(refusal({ base_url: 'http://127.0.0.1:3000' })).toEqual({
      key: 'borgee.base_url',
      expected: 'https, or allow_insecure_loopback: true beside it',
    });
  });

  it.each([
    'http://chat.example.com',
    'http://10.0.0.1',
    'http://192.168.1.2',
    'http://0.0.0.0',
    'http://127.0.0.1.example',
  ])('refuses %s even with it', (base_url) => {
    expect(refusal({ base_url, allow_insecure_loopback: true })['key']).toBe('borgee.base_url');
  });

  it.each(['http://localhost:3000', 'http://127.1.2.3', 'http://[::1]:3000'])('accepts %s with it', (base_url) => {
    expect(parseBorgeeSettings({ base_url, allow_insecure_loopback: 'yes' }).settings.base_url).toBe(base_url);
  });
});
