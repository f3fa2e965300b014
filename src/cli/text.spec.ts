// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { duration, facts, quoted, table, visible } from './text.js';

describe('what commands print', () => {
  it('lays out a table without blanks at the end of a line', () => {
    expect(
      table(
        ['SEQ', 'STATE'],
        [
          [1, 'pending'],
          [1042, null],
        ],
      ),
    ).toBe('SEQ   STATE\n1     pending\n1042  -\n');
  });

  it('lays out facts', () => {
    expect(
      facts([
        ['a', 1],
        ['long', null],
      ]),
    ).toBe('a     1\nlong  -\n');
  });

  it.each([
    [0, '0 s'],
    [59.9, '59 s'],
    [60, '1 min'],
    [3_661, '1 h 1 min'],
    [90_000, '1 d 1 h'],
    [86_401, '1 d'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });

  it('[SEC-1] spells out what would move a cursor, change colours or turn the writing around', () => {
    expect(visible('a\u001b[31mb\r\n\u202ec\u0007')).toBe('a\\u{1b}[31mb\\u{d}\\u{a}\\u{202e}c\\u{7}');
    expect(visible('Grüße, 世界 👋')).toBe('Grüße, 世界 👋');
    expect(quoted('one\n\ttwo\u001b')).toBe('  one\n      two\\u{1b}\n');
  });

  it('[SEC-1] lets nothing through that a terminal acts on', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});
