// SPDX-License-Identifier: Apache-2.0
import { jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AngeliaError, ErrorCode } from './errors.js';
import {
  createPrivateFolder,
  createSecretFile,
  OWNER_AND_GROUP,
  readSecretFile,
  removeOwnFile,
  replaceSecretFile,
  syncFolder,
} from './secret-file.js';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('[SEC-2] secret files', () => {
  let folder: string;
  let umask: number;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'angelia-secret-'));
    umask = process.umask(0o022);
  });
  afterEach(() => {
    process.umask(umask);
    rmSync(folder, { recursive: true, force: true });
  });

  const refusalOf = (path: string): AngeliaError => {
    try {
      readSecretFile(path);
    } catch (error) {
      if (error instanceof AngeliaError) return error;
      throw error;
    }
    throw new Error('the file was read');
  };

  it('[SEC-2] are created with 0600 and read back', () => {
    const path = join(folder, 'token.key');
    createSecretFile(path, 'secret');
    expect(modeOf(path)).toBe(0o600);
    expect(readSecretFile(path)).toBe('secret');
  });

  it('[SEC-2] get the mode that was asked for, whatever the umask says', () => {
    process.umask(0o077);
    const path = join(folder, 'shared');
    createSecretFile(path, 'secret', OWNER_AND_GROUP);
    expect(modeOf(path)).toBe(0o640);
  });

  it('[SEC-2] are never created over something that exists, nor through a link', () => {
    const path = join(folder, 'token.key');
    createSecretFile(path, 'first');
    expect(() => createSecretFile(path, 'second')).toThrow('EEXIST');
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'));
    expect(() => createSecretFile(join(folder, 'link'), 'second')).toThrow('EEXIST');
    expect(readFileSync(path, 'utf8')).toBe('first');
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
  });

  it('[SEC-2] are replaced as a whole and leave no temporary file', () => {
    const path = join(folder, 'link.json');
    writeFileSync(path, 'readable by all', { mode: 0o644 });
    replaceSecretFile(path, 'new');
    expect(modeOf(path)).toBe(0o600);
    expect(readSecretFile(path)).toBe('new');
    expect(readdirSync(folder)).toEqual(['link.json']);
  });

  it('[SEC-2] leave nothing behind when they cannot be put in place', () => {
    const path = join(folder, 'occupied');
    createPrivateFolder(path);
    expect(() => replaceSecretFile(path, 'new')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(folder)).toEqual(['occupied']);
  });

  it.each([0o644, 0o604, 0o660, 0o640])('[SEC-2] with mode %o are refused by name of the path', (mode) => {
    const path = join(folder, 'token.key');
    createSecretFile(path, 'canary-7f3a');
    chmodSync(path, mode);
    const refusal = refusalOf(path);
    expect(refusal.code).toBe(ErrorCode.SecretFileMode);
    expect(refusal.details).toMatchObject({ path, mode: mode.toString(8) });
    expect(refusal.message).not.toContain('canary');
  });

  it('[SEC-2] of another user are refused, whatever their mode', () => {
    const path = join(folder, 'token.key');
    createSecretFile(path, 'secret');
    const user = statSync(path).uid;
    const getuid = jest.spyOn(process, 'getuid').mockReturnValue(user + 1);
    try {
      expect(refusalOf(path).details).toMatchObject({ own: false });
    } finally {
      getuid.mockRestore();
    }
  });

  it('[SEC-2] are not read through a link, from a folder or from a pipe', () => {
    createSecretFile(join(folder, 'target'), 'secret');
    symlinkSync(join(folder, 'target'), join(folder, 'link'));
    execFileSync('mkfifo', ['-m', '600', join(folder, 'pipe')]);
    expect(refusalOf(join(folder, 'link')).code).toBe(ErrorCode.SecretFileMode);
    expect(refusalOf(folder).code).toBe(ErrorCode.SecretFileMode);
    expect(refusalOf(join(folder, 'pipe')).code).toBe(ErrorCode.SecretFileMode);
  });

  it('[SEC-2] that are missing are told apart from refused ones', () => {
    expect(() => readSecretFile(join(folder, 'nothing'))).toThrow('ENOENT');
  });

  it('[SEC-2] stand in folders of 0700; an existing folder keeps its mode', () => {
    const path = join(folder, 'state', 'angelia');
    createPrivateFolder(path);
    expect(modeOf(path)).toBe(0o700);
    expect(modeOf(join(folder, 'state'))).toBe(0o700);
    chmodSync(path, 0o750);
    createPrivateFolder(path);
    expect(modeOf(path)).toBe(0o750);
    syncFolder(path);
  });

  it('removes a file only while it holds what was written to it', () => {
    const path = join(folder, 'address');
    expect(removeOwnFile(path, 'own')).toBe(false);
    createSecretFile(path, 'of the successor');
    expect(removeOwnFile(path, 'own')).toBe(false);
    replaceSecretFile(path, 'own');
    chmodSync(path, 0o644);
    expect([removeOwnFile(path, 'own'), existsSync(path)]).toEqual([false, true]);
    chmodSync(path, 0o600);
    expect([removeOwnFile(path, 'own'), existsSync(path)]).toEqual([true, false]);
    expect(() => removeOwnFile(join(folder, 'a'.repeat(300)), 'own')).toThrow('ENAMETOOLONG');
  });
});
