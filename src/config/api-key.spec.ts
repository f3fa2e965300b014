// SPDX-License-Identifier: Apache-2.0
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AngeliaError, ErrorCode } from '../common/errors.js';
import { type ApiKey, readApiKey } from './api-key.js';

describe('[HST-9] the agent key', () => {
  let folder: string;
  let credentials: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'angelia-api-key-'));
    credentials = join(folder, 'credentials');
    mkdirSync(credentials);
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function writeEnvFile(text: string, mode = 0o600): void {
    writeFileSync(join(folder, '.env'), text, { mode });
    chmodSync(join(folder, '.env'), mode);
  }

  function read(env: NodeJS.ProcessEnv = {}): { key: string } & Omit<ApiKey, 'key'> {
    const { key, ...rest } = readApiKey(folder, env);
    return { key: key.reveal(), ...rest };
  }

  function refusal(env: NodeJS.ProcessEnv = {}): AngeliaError {
    try {
      readApiKey(folder, env);
    } catch (error) {
      if (error instanceof AngeliaError) return error;
    }
    throw new Error('a key was found');
  }

  it('comes from the environment of the service before everything else', () => {
    writeEnvFile('BORGEE_API_KEY=bgr_file\n');
    expect(read({ BORGEE_API_KEY: ' bgr_own ' })).toEqual({ key: 'bgr_own', source: 'environment', warnings: [] });
  });

  it('comes from that one name of the profile’s .env', () => {
    writeEnvFile('# keys\nOTHER_KEY=canary\nexport BORGEE_API_KEY="bgr_file" # agent\nBORGEE_API_KEY_OLD=bgr_old\n');
    expect(read()).toEqual({ key: 'bgr_file', source: 'profile_env_file', warnings: [] });
  });

  it('comes from the systemd credential of that name last', () => {
    writeEnvFile('OTHER_KEY=canary\n');
    writeFileSync(join(credentials, 'BORGEE_API_KEY'), 'bgr_credential\n', { mode: 0o400 });
    expect(read({ CREDENTIALS_DIRECTORY: credentials })).toEqual({
      key: 'bgr_credential',
      source: 'systemd_credential',
      warnings: [],
    });
  });

  it('passes over an empty place', () => {
    writeEnvFile('BORGEE_API_KEY=\n');
    writeFileSync(join(credentials, 'BORGEE_API_KEY'), 'bgr_credential');
    expect(read({ BORGEE_API_KEY: '  ', CREDENTIALS_DIRECTORY: credentials }).key).toBe('bgr_credential');
  });

  it('is read again by every call', () => {
    writeEnvFile('BORGEE_API_KEY=bgr_first\n');
    expect(read().key).toBe('bgr_first');
    writeEnvFile('BORGEE_API_KEY=bgr_second\n');
    expect(read().key).toBe('bgr_second');
  });

  it('[SEC-2] warns by name about a .env that others can read', () => {
    writeEnvFile('BORGEE_API_KEY=bgr_file\n', 0o644);
    expect(read().warnings).toEqual([`${join(folder, '.env')} can be read by others; set its mode to 0600.`]);
  });

  it('says nothing about the mode of a .env that does not hold it', () => {
    writeEnvFile('OTHER_KEY=canary\n', 0o644);
    expect(read({ BORGEE_API_KEY: 'bgr_own' }).warnings).toEqual([]);
  });

  it('names a file that cannot be read and goes on', () => {
    mkdirSync(join(folder, '.env'));
    writeFileSync(join(credentials, 'BORGEE_API_KEY'), 'bgr_credential');
    const { key, warnings } = read({ CREDENTIALS_DIRECTORY: credentials });
    expect(key).toBe('bgr_credential');
    expect(warnings).toEqual([`${join(folder, '.env')} cannot be read (EISDIR).`]);
  });

  it('is missed by name when no place has it', () => {
    const error = refusal({ CREDENTIALS_DIRECTORY: credentials });
    expect(error.code).toBe(ErrorCode.CredentialMissing);
    expect(error.details).toEqual({});
  });

  it('says which file it could not read when it is missing', () => {
    mkdirSync(join(folder, '.env'));
    expect(refusal().details['unreadable']).toContain('EISDIR');
  });

  it.each(['bgr canary', 'bgr_canary\u0007', 'bgr_canäry'])(
    '[SEC-1] refuses what no header can carry, without repeating it',
    (value) => {
      const error = refusal({ BORGEE_API_KEY: value });
      expect(error.code).toBe(ErrorCode.ConfigInvalid);
      expect(error.details['key']).toBe('BORGEE_API_KEY');
      expect(error.message).not.toContain(value);
    },
  );

  it('[SEC-1] does not show in what is read', () => {
    writeEnvFile('BORGEE_API_KEY=bgr_canary\n');
    expect(JSON.stringify(readApiKey(folder, {}))).not.toContain('bgr_canary');
  });
});
