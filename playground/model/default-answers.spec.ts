// SPDX-License-Identifier: Apache-2.0
import { DEMO_WORDS, defaultAnswer, readPerson } from './default-answers.js';
import type { CompletionRequest } from './messages.js';
import { piecesOf } from './steps.js';

const request = (text: string, more: Partial<CompletionRequest> = {}): CompletionRequest => ({
  messages: [{ role: 'user', text }],
  tools: ['terminal'],
  stream: true,
  ...more,
});

const textOf = (step: ReturnType<typeof defaultAnswer>): string => piecesOf(step).join('');

describe('[PLY-1] answers without a script', () => {
  it('greet the author and repeat what was said, word by word within two seconds', () => {
    const step = defaultAnswer(request('[Mira] Is the ferry late?'), 35);
    expect(textOf(step)).toMatch(/^Hello Mira! You said: “Is the ferry late\?”\./);
    expect(piecesOf(step).length * step.delayMs!).toBeGreaterThan(1_000);
    expect(piecesOf(step).length * step.delayMs!).toBeLessThan(2_000);
  });

  it('repeat at most 80 characters and cut none in two', () => {
    const family = '👨‍👩‍👧‍👦';
    const text = textOf(defaultAnswer(request(family.repeat(100)), 0));
    expect(text).toContain(`“${family.repeat(80)}…”`);
  });

  it('greet without a name in a direct message, and without words when there are none', () => {
    expect(textOf(defaultAnswer(request('hi'), 0))).toMatch(/^Hello! You said: “hi”/);
    expect(textOf(defaultAnswer(request(''), 0))).toMatch(/^Hello! I am only a scripted model/);
  });

  it('run the terminal for the word tool, then show its output', () => {
    expect(defaultAnswer(request('[Mira] Tool!'), 0)).toMatchObject({
      tool: 'terminal',
      args: { command: expect.stringContaining('echo') },
    });
    const messages = [
      { role: 'user', text: 'tool' },
      { role: 'assistant', text: '' },
      { role: 'tool', text: 'Ahoy' },
    ];
    expect(textOf(defaultAnswer(request('', { messages }), 0))).toContain('Ahoy');
    expect(textOf(defaultAnswer(request('tool', { tools: ['clarify'] }), 0))).toContain('no terminal');
  });

  it('are long, slow or fail for those words, and only when they stand alone', () => {
    expect(textOf(defaultAnswer(request('long'), 40)).length).toBeGreaterThan(1_000);
    expect(defaultAnswer(request('SLOW.'), 40)).toMatchObject({ firstDelayMs: 4_000, delayMs: 240 });
    expect(defaultAnswer(request('error'), 40)).toMatchObject({ status: 500 });
    expect(textOf(defaultAnswer(request('how long is an error?'), 40))).toContain('You said');
  });

  it('name every word that shows something', () => {
    const text = textOf(defaultAnswer(request('hi'), 0));
    expect(Object.keys(DEMO_WORDS).filter((word) => !text.includes(word))).toEqual([]);
  });

  it('read the last message of a joined text', () => {
    expect(readPerson('[Mira] first\n\n[Jonas] second\nline')).toEqual({ name: 'Jonas', text: 'second\nline' });
    expect(readPerson('no prefix')).toEqual({ name: null, text: 'no prefix' });
  });

  it('leave out what Hermes adds for the model', () => {
    const note = '[System note: This is the very first message. Introduce yourself.]';
    expect(readPerson(`[Mira] tool\n\n${note}`)).toEqual({ name: 'Mira', text: 'tool' });
    expect(readPerson(`${note}\n\n[Mira] tool`)).toEqual({ name: 'Mira', text: 'tool' });
    expect(readPerson(`tool\n\n${note}`)).toEqual({ name: null, text: 'tool' });
  });
});
