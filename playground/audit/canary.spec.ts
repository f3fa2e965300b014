// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesBelow, noCanaryIn } from './canary.js';

const canary = { name: 'the key', text: 'bgr_canary "öl" 0123456789' };

describe('[SEC-1] noCanaryIn', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'canary-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['as it is', canary.text],
    ['in JSON', JSON.stringify({ key: canary.text })],
    ['in base64', Buffer.from(canary.text).toString('base64')],
    ['in hexadecimal', Buffer.from(canary.text).toString('hex')],
  ])('catches it %s without showing it', (_form, content) => {
    const file = join(folder, 'bridge.log');
    writeFileSync(file, `before ${content} after`);
    const violations = noCanaryIn([file], [canary]);
    expect(violations).toEqual([{ invariant: 'noCanaryIn', what: `${file} holds the key` }]);
    expect(JSON.stringify(violations)).not.toContain('0123456789');
  });

  it('finds nothing in clean files', () => {
    const file = join(folder, 'clean');
    writeFileSync(file, 'nothing here');
    expect(noCanaryIn([file], [canary])).toEqual([]);
  });

  it('searches a folder with everything below it, but for what is left out', () => {
    mkdirSync(join(folder, 'a', 'b'), { recursive: true });
    for (const name of ['one', 'a/two', 'a/b/three']) writeFileSync(join(folder, name), '');
    expect(filesBelow(folder).sort()).toEqual(['a/b/three', 'a/two', 'one'].map((name) => join(folder, name)));
    expect(filesBelow(folder, (path) => path.endsWith('/b')).sort()).toEqual(
      ['a/two', 'one'].map((name) => join(folder, name)),
    );
  });
});
