// SPDX-License-Identifier: Apache-2.0
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { hermesEnvironment } from './hermes-gateway.js';
import { HermesHome } from './hermes-home.js';
import { keep, readKept } from './kept-home.js';
import { Repository, repository } from './repository.js';

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'home-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function home(change: Partial<ConstructorParameters<typeof HermesHome>[0]> = {}): HermesHome {
  const model = { baseUrl: 'http://127.0.0.1:1/v1', name: 'scripted', apiKey: 'sk-1' };
  const written = new HermesHome({
    root,
    model,
    serverUrl: 'http://127.0.0.1:2',
    apiKey: 'bgr_secret',
    streaming: true,
    ...change,
  });
  written.write();
  return written;
}

const mode = (path: string): number => statSync(path).mode & 0o777;

describe('[PLY-1] [HST-9] a throwaway profile', () => {
  it('holds the key in .env only, and is for its owner alone', () => {
    const { configFile, envFile, hermesHome } = home();
    expect(readFileSync(envFile, 'utf8')).toBe('BORGEE_API_KEY=bgr_secret\n');
    expect(readFileSync(configFile, 'utf8')).not.toContain('bgr_secret');
    expect([mode(hermesHome), mode(configFile), mode(envFile)]).toEqual([0o700, 0o600, 0o600]);
  });

  it('has the shim as a directory plugin, without compiled code', () => {
    const { pluginFolder } = home();
    expect(existsSync(join(pluginFolder, 'plugin.yaml'))).toBe(true);
    expect(existsSync(join(pluginFolder, '__pycache__'))).toBe(false);
  });

  it('writes words that YAML 1.1 would take for booleans as texts', () => {
    const { configFile } = home();
    expect(parse(readFileSync(configFile, 'utf8'), { version: '1.1' })).toMatchObject({
      onboarding: { profile_build: 'off' },
      tools: { tool_search: { enabled: 'off' } },
      group_sessions_per_user: false,
      borgee: { enabled: true, base_url: 'http://127.0.0.1:2', allow_insecure_loopback: true },
      streaming: { enabled: true, transport: 'edit' },
    });
  });

  it('takes further keys of the platform block and replaces top-level ones', () => {
    const { configFile } = home({
      streaming: false,
      platform: { drain_timeout_seconds: 1 },
      overrides: { plugins: { enabled: [] } },
    });
    expect(parse(readFileSync(configFile, 'utf8'))).toMatchObject({
      borgee: { enabled: true, drain_timeout_seconds: 1 },
      streaming: { enabled: false },
      plugins: { enabled: [] },
    });
  });

  it('written again, it keeps what is not its own and brings a fresh shim', () => {
    const { stateDir, pluginFolder, hermesHome } = home();
    writeFileSync(join(pluginFolder, 'old.py'), '');
    writeFileSync(join(hermesHome, 'state.db'), 'kept');
    home();
    expect(existsSync(join(pluginFolder, 'old.py'))).toBe(false);
    expect(readFileSync(join(hermesHome, 'state.db'), 'utf8')).toBe('kept');
    expect(stateDir.startsWith(hermesHome)).toBe(true);
  });

  it('is removed with everything in it', () => {
    home().remove();
    expect(existsSync(root)).toBe(false);
  });

  it('gives Hermes an environment from nothing', () => {
    const env = hermesEnvironment({ venv: '/venv', version: '0.19.0' }, home());
    expect(Object.keys(env).sort()).toEqual([
      'HERMES_DISABLE_LAZY_INSTALLS',
      'HERMES_HOME',
      'HOME',
      'LANG',
      'PATH',
      'PYTHONDONTWRITEBYTECODE',
      'PYTHONUNBUFFERED',
      'TMPDIR',
    ]);
    expect([env['HOME'], env['HERMES_HOME'], env['TMPDIR']].every((path) => path?.startsWith(root))).toBe(true);
  });
});

describe('[PLY-1] a folder that is kept between runs', () => {
  it('remembers port and key of its playground', () => {
    expect(readKept(root)).toBeNull();
    keep(root, { origin: 'http://127.0.0.1:4711', apiKey: 'bgr_1' });
    expect(readKept(root)).toEqual({ port: 4711, apiKey: 'bgr_1' });
    expect(mode(join(root, 'playground.json'))).toBe(0o600);
  });

  it('that cannot be read is an error', () => {
    writeFileSync(join(root, 'playground.json'), '{');
    expect(() => readKept(root)).toThrow(SyntaxError);
    expect(() => readKept(join(root, 'playground.json'))).toThrow('ENOTDIR');
  });
});

describe('[PLY-1] the repository', () => {
  it('is found from any folder inside it', () => {
    expect(Repository.containing(join(repository.root, 'playground', 'stack')).root).toBe(repository.root);
    expect(existsSync(repository.shim)).toBe(true);
    expect(repository.hermesEnvironment('0.19.0')).toBe(join(repository.root, '.cache', 'hermes-0.19.0'));
  });

  it('is not found outside', () => {
    expect(() => Repository.containing(root)).toThrow('checkout');
  });
});
