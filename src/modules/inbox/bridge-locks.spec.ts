// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ERROR_SENTENCES, ErrorCode } from '../../common/errors.js';
import { BridgeLocks, officialLockIdentities } from './bridge-locks.js';

const ORIGIN = 'https://chat.example.com';
const KEY = 'bgr_example';

describe('[HST-6] locks of a bridge', () => {
  let folder: string;
  let home: string;
  let held: BridgeLocks[];

  const locks = (): BridgeLocks => {
    const one = new BridgeLocks(join(folder, 'locks'));
    held.push(one);
    return one;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'angelia-locks-'));
    home = join(folder, 'home');
    mkdirSync(home);
    held = [];
  });
  afterEach(() => {
    for (const one of held) one.release();
    rmSync(folder, { recursive: true, force: true });
  });

  it('[HST-6] one profile is served by one bridge, under every path that leads to it', () => {
    const first = locks();
    first.takeProfile(home);
    first.takeProfile(home);
    const alias = join(folder, 'alias');
    symlinkSync(home, alias);
    expect(() => locks().takeProfile(alias)).toThrow(ERROR_SENTENCES[ErrorCode.ProfileLocked]);
    first.release();
    locks().takeProfile(alias);
  });

  it('[HST-6] one credential is served by one bridge, though the profiles differ', () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    const first = locks();
    first.takeProfile(home);
    first.takeCredential(ORIGIN, KEY);
    const second = locks();
    second.takeProfile(other);
    expect(() => second.takeCredential(ORIGIN, KEY)).toThrow(ERROR_SENTENCES[ErrorCode.CredentialLocked]);
    second.takeCredential('https://other.example.com', KEY);
    first.release();
    second.takeCredential(ORIGIN, KEY);
  });

  it('[HST-6] the profile comes first, and one holder serves one profile', () => {
    const one = locks();
    expect(() => one.takeCredential(ORIGIN, KEY)).toThrow('profile lock comes first');
    one.takeProfile(home);
    expect(() => one.takeProfile(folder)).toThrow(ERROR_SENTENCES[ErrorCode.ProfileLocked]);
  });

  it('[HST-6] a changed origin moves the credential lock; a refused change keeps the former one', () => {
    const one = locks();
    one.takeProfile(home);
    one.takeCredential(ORIGIN, KEY);
    const other = locks();
    other.takeProfile(folder);
    other.takeCredential('https://other.example.com', KEY);
    expect(() => one.takeCredential('https://other.example.com', KEY)).toThrow(
      ERROR_SENTENCES[ErrorCode.CredentialLocked],
    );
    expect(() => other.takeCredential(ORIGIN, KEY)).toThrow(ERROR_SENTENCES[ErrorCode.CredentialLocked]);
    one.takeCredential('https://third.example.com', KEY);
    other.takeCredential(ORIGIN, KEY);
  });

  it('[SEC-2] no file name tells the key or the path', () => {
    const one = locks();
    one.takeProfile(home);
    one.takeCredential(ORIGIN, KEY);
    const names = readdirSync(join(folder, 'locks'));
    expect(names).toHaveLength(2);
    for (const name of names) expect(name).toMatch(/^(profile|credential)-[0-9a-f]{32}\.lock$/);
  });
});

describe('[D-8] identities of the official locks', () => {
  const fileOf = (scope: string, identity: string | null): string =>
    `${scope}-${createHash('sha256').update(String(identity)).digest('hex').slice(0, 16)}.lock`;

  it('[D-8] are those of the published vectors', () => {
    const identities = officialLockIdentities('/srv/hermes', ORIGIN, KEY);
    expect(identities).toEqual({
      profile: 'hermes-home:d3b966c44e25c6504f88617acd631c17a6e9c49597dc0742143f071b2a3ef26a',
      credential: `${ORIGIN}|credential:6a6d79d1f3dcf4153436bb19879892fc291f7fc106eafd73f57281943cf0b72c`,
    });
    expect(fileOf('borgee-profile', identities.profile)).toBe('borgee-profile-a099130311646a84.lock');
    expect(fileOf('borgee', identities.credential)).toBe('borgee-70abc77c78925490.lock');
  });

  it('[D-8] name no credential while origin or key is unknown', () => {
    expect(officialLockIdentities('/srv/hermes', null, KEY).credential).toBeNull();
    expect(officialLockIdentities('/srv/hermes', ORIGIN, null).credential).toBeNull();
  });
});
