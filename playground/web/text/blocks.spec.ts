// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { type Block, excerpt, parseBlocks } from './blocks.js';

/** Kinds and texts of blocks, which is all that most cases are about. */
function shape(blocks: readonly Block[]): unknown[] {
  return blocks.map((block) => {
    if (block.kind === 'code') return [block.kind, block.language, block.text];
    if (block.kind === 'list')
      return [block.kind, block.ordered, ...block.items.map(({ depth, number }) => [depth, number])];
    if (block.kind === 'rule') return [block.kind];
    return [block.kind, block.spans.map((span) => ('text' in span ? span.text : span.kind)).join('')];
  });
}

describe('[PLY-1] blocks of a message', () => {
  it.each<[string, unknown[]]>([
    [
      'one\ntwo\n\nthree',
      [
        ['paragraph', 'one\ntwo'],
        ['paragraph', 'three'],
      ],
    ],
    [
      '# Title\ntext',
      [
        ['heading', 'Title'],
        ['paragraph', 'text'],
      ],
    ],
    ['#no-title', [['paragraph', '#no-title']]],
    [
      '> a\n> b\nc',
      [
        ['quote', 'a\nb'],
        ['paragraph', 'c'],
      ],
    ],
    ['a\n---\nb', [['paragraph', 'a'], ['rule'], ['paragraph', 'b']]],
    ['- a\n  - b\n- c', [['list', false, [0, null], [1, null], [0, null]]]],
    ['3. a\n4. b\n   - c', [['list', true, [0, 3], [0, 4], [1, null]]]],
    [
      '```ts\na\n\nb\n```\nc',
      [
        ['code', 'ts', 'a\n\nb'],
        ['paragraph', 'c'],
      ],
    ],
    ['```\nstill open', [['code', '', 'still open']]],
    ['````\n```\n````', [['code', '', '```']]],
    ['~~~py\nx\n~~~', [['code', 'py', 'x']]],
    ['a\r\nb\rc', [['paragraph', 'a\nb\nc']]],
    ['', []],
    ['\n \n', []],
  ])('%j', (body, blocks) => {
    expect(shape(parseBlocks(body))).toEqual(blocks);
  });

  it('an entry goes on in the indented line below it', () => {
    expect(parseBlocks('- a\n  b')).toEqual([
      { kind: 'list', ordered: false, items: [{ depth: 0, number: null, spans: [{ kind: 'text', text: 'a\nb' }] }] },
    ]);
  });

  it('a streamed answer only grows: blocks that a blank line has ended stay as they are', () => {
    const body = 'Intro\n\n1. a\n2. b\n\n```js\nlet x;\n```\n\nEnd of **it**.';
    const whole = parseBlocks(body);
    for (let length = 1; length <= body.length; length += 1) {
      const ended = parseBlocks(body.slice(0, length).split(/\n\n(?!.*\n\n)/su)[0] ?? '');
      const complete = body.slice(0, length).includes('\n\n') ? ended : [];
      expect(whole.slice(0, complete.length)).toEqual(complete);
      expect(parseBlocks(body.slice(0, length)).slice(0, complete.length)).toEqual(complete);
    }
  });

  it('takes any text', () => {
    const line = fc.string({
      unit: fc.constantFrom('`', '~', '#', '>', '-', '1', '.', ' ', '\t', 'x', '*'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n', '\r'), (lines, end) => {
        const letters = (text: string): number => text.replaceAll(/[^x]/gu, '').length;
        const blocks = parseBlocks(lines.join(end));
        const kept = letters(JSON.stringify(blocks, (key, value: unknown) => (key === 'kind' ? undefined : value)));
        const infoStrings = lines.filter((each) => /^\s{0,3}(?:`{3,}|~{3,})/u.test(each)).map(letters);
        expect(kept + infoStrings.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(
          letters(lines.join('')),
        );
      }),
    );
  });
});

describe('[PLY-1] the excerpt of a message', () => {
  it.each([
    ['Hello **there**', 40, 'Hello there'],
    ['a\n\n- b\n- c', 40, 'a b c'],
    ['```js\nlet x;\n```', 40, 'let x;'],
    ['one two three', 8, 'one two…'],
    ['', 10, ''],
  ])('%j', (body, length, line) => {
    expect(excerpt(body, length)).toBe(line);
  });
});
