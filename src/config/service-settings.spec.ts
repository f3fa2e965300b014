// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { AngeliaError, type ErrorDetails } from '../common/errors.js';
import { readServiceSettings } from './service-settings.js';

describe('[SEC-3] the settings of the service', () => {
  let home: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'angelia-settings-'));
  });

  afterEach(() => rmSync(home, { recursive: true, force: true }));

  function refusal(env: NodeJS.ProcessEnv): ErrorDetails {
    try {
      readServiceSettings({ ANGELIA_HERMES_HOME: home, ...env });
    } catch (error) {
      if (error instanceof AngeliaError) return error.details;
    }
    throw new Error('the settings were accepted');
  }

  it('need nothing but the profile', () => {
    const settings = readServiceSettings({ ANGELIA_HERMES_HOME: `${home}/` });
    expect(settings).toEqual({
      paths: {
        hermesHome: home,
        stateDir: join(home, 'angelia'),
        linkFile: undefined,
        lockDir: join(homedir(), '.local/state/angelia/locks'),
      },
      listen: { link: { host: '127.0.0.1', port: 0 }, admin: { host: '127.0.0.1', port: 0 } },
      log: { level: 'info' },
      link: { maxBodyBytes: 67_108_864, nonceSeconds: 10, aliveSeconds: 5 },
      ledger: { busyTimeoutMs: 5_000, writeStallMs: 15_000, walMaxBytes: 67_108_864 },
      turns: { controlTimeoutSeconds: 15, watchdogSeconds: 60, holdOlderThanMinutes: 0 },
      retention: {
        bodyDays: 30,
        rowDays: 90,
        maxRows: 1_000_000,
        dedupeHorizonDays: 90,
        intervalMinutes: 60,
        stepRows: 500,
      },
      health: { eventLoopDelayMs: 250, diskLowBytes: 536_870_912 },
    });
  });

  it('are taken from their variables', () => {
    const settings = readServiceSettings({
      ANGELIA_HERMES_HOME: home,
      ANGELIA_STATE_DIR: '/var/lib/angelia',
      ANGELIA_LINK_FILE: '/run/angelia/link.json',
      ANGELIA_LOCK_DIR: '/run/angelia/locks',
      ANGELIA_LINK_LISTEN: '127.0.0.1:4711',
      ANGELIA_ADMIN_LISTEN: '[::1]:4712',
      ANGELIA_LOG_LEVEL: 'DEBUG',
      ANGELIA_LEDGER_BUSY_TIMEOUT_MS: '0',
    });
    expect(settings.paths).toEqual({
      hermesHome: home,
      stateDir: '/var/lib/angelia',
      linkFile: '/run/angelia/link.json',
      lockDir: '/run/angelia/locks',
    });
    expect(settings.listen).toEqual({ link: { host: '127.0.0.1', port: 4711 }, admin: { host: '::1', port: 4712 } });
    expect(settings.log.level).toBe('debug');
    expect(settings.ledger.busyTimeoutMs).toBe(0);
  });

  it('keep the locks in the state folder that the user chose, unless it is a relative path', () => {
    const locks = (XDG_STATE_HOME: string): string =>
      readServiceSettings({ ANGELIA_HERMES_HOME: home, XDG_STATE_HOME }).paths.lockDir;
    expect(locks('/srv/state')).toBe('/srv/state/angelia/locks');
    expect(locks('state')).toBe(join(homedir(), '.local/state/angelia/locks'));
  });

  it('take an empty variable for an absent one', () => {
    const settings = readServiceSettings({ ANGELIA_HERMES_HOME: home, ANGELIA_STATE_DIR: '', ANGELIA_LOG_LEVEL: '' });
    expect(settings.paths.stateDir).toBe(join(home, 'angelia'));
    expect(settings.log.level).toBe('info');
  });

  it.each([
    ['ANGELIA_HERMES_HOME', ''],
    ['ANGELIA_HERMES_HOME', 'relative'],
    ['ANGELIA_HERMES_HOME', '/nonexistent/profile'],
    ['ANGELIA_STATE_DIR', 'relative'],
    ['ANGELIA_LINK_FILE', './link.json'],
    ['ANGELIA_LOCK_DIR', '~/locks'],
    ['ANGELIA_LINK_LISTEN', '0.0.0.0:0'],
    ['ANGELIA_ADMIN_LISTEN', 'localhost:80'],
    ['ANGELIA_LOG_LEVEL', 'loud'],
    ['ANGELIA_LINK_MAX_BODY_BYTES', '1'],
    ['ANGELIA_LINK_NONCE_SECONDS', '0'],
    ['ANGELIA_LINK_ALIVE_SECONDS', '11'],
    ['ANGELIA_LEDGER_BUSY_TIMEOUT_MS', '-1'],
    ['ANGELIA_LEDGER_WRITE_STALL_MS', '99'],
    ['ANGELIA_LEDGER_WAL_MAX_BYTES', 'much'],
  ])('refuse %s=%p and name it', (key, value) => {
    expect(refusal({ [key]: value })['key']).toBe(key);
  });

  it('refuse a profile that is no folder', () => {
    const file = join(home, 'file');
    writeFileSync(file, '');
    expect(refusal({ ANGELIA_HERMES_HOME: file })['key']).toBe('ANGELIA_HERMES_HOME');
  });
});
