// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { parseInline, plainText, type Span } from './inline.js';

/** All links of spans, at any depth. */
function linksOf(spans: readonly Span[]): Extract<Span, { kind: 'link' }>[] {
  return spans.flatMap((span) => (span.kind === 'link' ? [span] : 'spans' in span ? linksOf(span.spans) : []));
}

const text = (value: string): Span => ({ kind: 'text', text: value });

describe('[PLY-1] light Markdown inside a line', () => {
  it.each<[string, Span[]]>([
    ['plain', [text('plain')]],
    ['', []],
    ['a **b** c', [text('a '), { kind: 'strong', spans: [text('b')] }, text(' c')]],
    [
      '*a* and _b_',
      [{ kind: 'emphasis', spans: [text('a')] }, text(' and '), { kind: 'emphasis', spans: [text('b')] }],
    ],
    ['~~gone~~', [{ kind: 'struck', spans: [text('gone')] }]],
    ['**a *b***', [{ kind: 'strong', spans: [text('a '), { kind: 'emphasis', spans: [text('b')] }] }]],
    ['`a **b**`', [{ kind: 'code', text: 'a **b**' }]],
    ['``a `b` c``', [{ kind: 'code', text: 'a `b` c' }]],
  ])('%j', (line, spans) => {
    expect(parseInline(line)).toEqual(spans);
  });

  it.each(['2 * 3 * 4', 'snake_case_name', '** a **', 'a*b*c', '`', '**open', '[x](ftp://example.com)', '[a] (b)'])(
    '%j stays as it is typed',
    (line) => {
      expect(parseInline(line)).toEqual([text(line)]);
    },
  );

  it.each([
    ['https://example.com', 'https://example.com/', ''],
    ['https://example.com/a.', 'https://example.com/a', '.'],
    ['https://example.com/a_(b)', 'https://example.com/a_(b)', ''],
    ['(https://example.com/a)', 'https://example.com/a', ')'],
    ['https://example.com/a?b=c&d=e#f!', 'https://example.com/a?b=c&d=e#f', '!'],
  ])('finds the address in %j', (line, href, rest) => {
    const spans = parseInline(line);
    expect(linksOf(spans).map((link) => link.href)).toEqual([href]);
    expect(spans.at(-1)).toEqual(rest === '' ? expect.objectContaining({ kind: 'link' }) : text(rest));
  });

  it('an address of another kind never becomes a link', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'javascript:',
        'data:text/html,',
        'vbscript:',
        'https://',
        'http://',
        '[x](',
        ')',
        '`',
        '**',
        '\n',
      ),
    );
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 12 }), (pieces) => {
        for (const { href } of linksOf(parseInline(pieces.join('')))) expect(href).toMatch(/^https?:\/\//u);
      }),
    );
  });

  it('loses nothing but marks', () => {
    const marks = /[*_~`[\]()]/gu;
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '*', '_', '~', '`', '\n', 'é', '🎏') }), (line) => {
        expect(plainText(parseInline(line)).replaceAll(marks, '')).toBe(line.replaceAll(marks, ''));
      }),
    );
  });

  it.each(['*', '**a ', '_a', '`a', '[', '[a](', 'https://a', '~~'])(
    'many %j do not take the time of their square',
    (piece) => {
      const line = piece.repeat(100_000 / piece.length);
      const start = performance.now();
      parseInline(line);
      expect(performance.now() - start).toBeLessThan(5_000);
    },
  );
});
