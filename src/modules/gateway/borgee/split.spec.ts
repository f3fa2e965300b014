// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { actionFrame, encodeFrame } from './encode.js';
import { messageBudget, splitText, textCost } from './split.js';

const ID = '0f3c1c1e-7d0b-4a5b-9a55-1f0c6f7a2b11';
const sizeOf = (content: string): number =>
  Buffer.byteLength(encodeFrame(actionFrame(ID, 'send_message', { channel_id: ID, content, reply_to_id: ID })));
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(
      fc.constantFrom('a', '"', '\\', '\n', '\0', '\u007f', 'é', '字', '🙂', '👩‍👩‍👧‍👦', '🇩🇪', 'e\u0301', '\ud83d', '\udc00'),
    )
    .map((parts) => parts.join('')),
);

describe('[BPP-4] size of a text inside its frame (bpp 4.4)', () => {
  it('is what the real frame grows by, for any text', () => {
    const empty = sizeOf('');
    fc.assert(fc.property(anyText, (text) => sizeOf(text.toWellFormed()) === empty + textCost(text.toWellFormed())));
  });

  it.each([
    ['letters', 'a', 32_470],
    ['two-byte letters', 'é', 16_238],
    ['quotes', '"', 8_119],
    ['emoji', '🙂', 8_119],
    ['control characters', '\u0001', 4_639],
  ])('agrees with the measured largest content of %s', (_name, character, most) => {
    const budget = messageBudget(ID, ID, ID);
    const fitting = Math.floor(budget / textCost(character));
    expect(sizeOf(character.repeat(fitting))).toBeLessThanOrEqual(32_768);
    expect(sizeOf(character.repeat(fitting + 1))).toBeGreaterThan(32_768);
    expect(Math.abs(fitting - most)).toBeLessThanOrEqual(60);
  });
});

describe('[BPP-4] [F-19] cutting of long texts', () => {
  it('keeps every piece within the budget, progresses, and loses nothing', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: -1, max: 60 }), (text, budget) => {
        const pieces = splitText(text, budget);
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces) {
          const single = Array.from(piece).length <= 1;
          expect(single || textCost(piece) <= budget).toBe(true);
          expect(piece !== '' || text === '').toBe(true);
        }
      }),
    );
  });

  it('cuts at grapheme edges whenever a grapheme fits', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '👩‍👩‍👧‍👦', '🇩🇪', 'e\u0301', '\r\n'), { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        const edges = new Set([...segmenter.segment(text)].map(({ index }) => index));
        let at = 0;
        for (const piece of splitText(text, 40)) {
          expect(at === 0 || edges.has(at)).toBe(true);
          at += piece.length;
        }
      }),
    );
  });

  it('never cuts a pair of surrogates: one letter and 4096 emoji', () => {
    const pieces = splitText(`a${'🙂'.repeat(4096)}`, 4096);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
    expect(pieces).toHaveLength(5);
  });

  it('cuts a grapheme that is larger than a piece at code points', () => {
    const zalgo = `e${'\u0301'.repeat(100)}`;
    const pieces = splitText(zalgo, 21);
    expect(pieces.join('')).toBe(zalgo);
    expect(pieces.length).toBeGreaterThan(5);
  });

  it('keeps a text that fits in one piece, and an empty one too', () => {
    expect(splitText('hello', 5)).toEqual(['hello']);
    expect(splitText('', 5)).toEqual(['']);
  });

  it('leaves room for the frame of an edit, and something even beside absurd ids', () => {
    expect(messageBudget(ID, 'c', null)).toBeLessThan(32_768 - sizeOf('') + 2 * ID.length + 40);
    expect(messageBudget(ID, 'c'.repeat(40_000), null)).toBe(1_024);
  });

  it('cuts a megabyte in no time worth mentioning', () => {
    const text = 'word '.repeat(200_000);
    expect(splitText(text, 32_000).join('')).toBe(text);
  });
});
