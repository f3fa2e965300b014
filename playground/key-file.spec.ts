// SPDX-License-Identifier: Apache-2.0
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyFromFile } from './key-file.js';

describe('[SEC-2] the key file of the playground', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'angelia-key-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is made with mode 0600 and used again', () => {
    const file = join(folder, 'deep', 'key');
    const key = keyFromFile(file);
    expect(key).toMatch(/^bgr_[0-9a-f]{48}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(keyFromFile(file)).toBe(key);
  });

  it('gets its mode back and a key when it is empty', () => {
    const file = join(folder, 'key');
    writeFileSync(file, '\n');
    chmodSync(file, 0o644);
    const key = keyFromFile(file);
    expect(readFileSync(file, 'utf8')).toBe(`${key}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
