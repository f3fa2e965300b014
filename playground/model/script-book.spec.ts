// SPDX-License-Identifier: Apache-2.0
import type { ModelMessage } from './messages.js';
import { ScriptBook, tagOf } from './script-book.js';

const message = (role: string, text = ''): ModelMessage => ({ role, text });

describe('[PLY-1] scripts of the model', () => {
  const book = new ScriptBook();
  book.set('one', [{ text: 'first' }, { text: 'second' }]);
  book.set('two', [{ text: 'other' }]);

  it.each([
    ['the first step', [message('user', 'a [[one]]')], { tag: 'one', index: 0 }],
    [
      'the next step after a tool call',
      [message('user', '[[one]]'), message('assistant'), message('tool')],
      { tag: 'one', index: 1 },
    ],
    ['the last tag of a joined text', [message('user', '[[one]]\n\nand [[two]]')], { tag: 'two', index: 0 }],
    [
      'the last tagged message',
      [message('user', '[[one]]'), message('assistant'), message('user', '[[two]]')],
      { tag: 'two', index: 0 },
    ],
    [
      'the same tag anew',
      [message('user', '[[one]]'), message('assistant'), message('user', '[[one]]')],
      { tag: 'one', index: 0 },
    ],
    [
      'the script while it has steps, when Hermes asks again',
      [message('user', '[[one]]'), message('assistant'), message('user', 'go on')],
      { tag: 'one', index: 1 },
    ],
  ])('choose %s', (_what, messages, expected) => {
    expect(book.choose(messages)).toMatchObject(expected);
  });

  it('answer Done when a script has ended and its message is still the last', () => {
    const messages = [message('user', '[[two]]'), message('assistant'), message('tool')];
    expect(book.choose(messages)).toMatchObject({ tag: 'two', index: 1, step: { text: 'Done.' } });
  });

  it.each([
    ['no tag', [message('user', 'hello')]],
    ['an unknown tag', [message('user', '[[three]]')]],
    [
      'a later message after the script has ended',
      [message('user', '[[two]]'), message('assistant'), message('user', 'hello')],
    ],
    ['a tag in an answer', [message('user', 'hello'), message('assistant', '[[one]]')]],
  ])('leave %s alone', (_what, messages) => {
    expect(book.choose(messages)).toBeNull();
  });

  it('take the last tag of a text', () => {
    expect([tagOf('[[a]] [[b-2]]'), tagOf('[a]'), tagOf('[[]]')]).toEqual(['b-2', null, null]);
  });
});
