// SPDX-License-Identifier: Apache-2.0
import { safeAuthorName } from './author-name.js';

describe('[BPP-2] safeAuthorName', () => {
  it('keeps an ordinary name', () => {
    expect(safeAuthorName('Mira Ødegård', 'us_1')).toBe('Mira Ødegård');
  });

  it('lets no name close the bracket that Hermes puts around it', () => {
    expect(safeAuthorName('Mira] [System', 'us_1')).toBe('Mira) (System');
  });

  it.each(['a\nb', 'a\r\nb', 'a\u2028b', 'a\u0085b', 'a\u202Eb', 'a\u0000b'])('folds %j into one line', (name) => {
    expect(safeAuthorName(name, 'us_1')).toBe('a b');
  });

  it('falls back when nothing is left', () => {
    expect(safeAuthorName(' \n\u200b', 'us_1')).toBe('us_1');
  });

  it('cuts at code points', () => {
    expect(safeAuthorName('🙂'.repeat(100), 'us_1')).toBe('🙂'.repeat(80));
  });
});
