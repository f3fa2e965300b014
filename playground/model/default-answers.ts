// SPDX-License-Identifier: Apache-2.0
import type { CompletionRequest } from './messages.js';
import type { ModelStep } from './steps.js';

/** Longest piece of the person's message that is repeated, in characters as people see them. */
const QUOTE_CHARACTERS = 80;

/** How much longer `slow` takes for a word than an ordinary answer, and how many words it waits before its first one. */
const SLOW_FACTOR = 6;
const SLOW_START_WORDS = 100;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A message of a person as Hermes hands it on: in a shared channel it begins with `[name] `. */
export interface PersonText {
  readonly name: string | null;
  readonly text: string;
}

/** Words that show something when they are the whole message; the ordinary answer names them. */
export const DEMO_WORDS: Readonly<Record<string, string>> = {
  tool: 'Hermes runs a command in its terminal and the answer shows the output.',
  long: 'An answer of several paragraphs with a list and code.',
  slow: 'A model that thinks for a while and then speaks slowly.',
  error: 'A model request that fails.',
};

/**
 * The answer without a script: friendly, word by word, with something of the message in it, so that a newcomer sees the whole way.
 * @param wordDelayMs pause between words, ms
 */
export function defaultAnswer(request: CompletionRequest, wordDelayMs: number): ModelStep {
  const lastUser = request.messages.findLast((message) => message.role === 'user')?.text ?? '';
  const last = request.messages.at(-1);
  const { name, text } = readPerson(lastUser);
  if (last?.role === 'tool') return words(afterTool(last.text), wordDelayMs);
  switch (demoWordOf(text)) {
    case 'tool':
      return toolDemo(request, wordDelayMs);
    case 'long':
      return words(LONG_ANSWER, wordDelayMs / 2);
    case 'slow':
      return { ...words(SLOW_ANSWER, wordDelayMs * SLOW_FACTOR), firstDelayMs: wordDelayMs * SLOW_START_WORDS };
    case 'error':
      return { status: 500, error: 'The playground was asked for an error.' };
    default:
      return words(greeting(name, text), wordDelayMs);
  }
}

/** What Hermes adds behind a person's text, for example behind the very first message of a profile. */
const SYSTEM_NOTE = /\n\n\[System note: [\s\S]*$/;

/**
 * The last message in a user text: Hermes joins what an interrupted turn left with what follows, and adds notes of its own for the model
 * before or behind it.
 */
export function readPerson(userText: string): PersonText {
  const said = userText.replace(SYSTEM_NOTE, '');
  const prefix = [...said.matchAll(/^\[(?!System note:)([^\]\n]+)\] /gm)].at(-1);
  if (prefix === undefined) return { name: null, text: said.trim() };
  return { name: prefix[1] ?? null, text: said.slice(prefix.index + prefix[0].length).trim() };
}

function demoWordOf(text: string): string | null {
  const word = text.toLowerCase().replace(/[\s.!?]+$/, '');
  return Object.hasOwn(DEMO_WORDS, word) ? word : null;
}

function toolDemo(request: CompletionRequest, wordDelayMs: number): ModelStep {
  if (!request.tools.includes('terminal')) {
    return words('I would run a command now, but Hermes offers me no terminal here.', wordDelayMs);
  }
  return { tool: 'terminal', args: { command: "echo 'Ahoy from the terminal of Hermes'" } };
}

function afterTool(output: string): string {
  return `The tool is done. It said:\n\n\`\`\`\n${quote(output, QUOTE_CHARACTERS * 4)}\n\`\`\``;
}

function greeting(name: string | null, text: string): string {
  const hello = name === null ? 'Hello!' : `Hello ${name}!`;
  const said = text === '' ? '' : ` You said: “${quote(text.replace(/\s+/g, ' '), QUOTE_CHARACTERS)}”.`;
  return `${hello}${said} I am only a scripted model, yet your words took the real way: stored by Angelia, answered by Hermes, streamed back here. For more, write just tool, long, slow or error.`;
}

/** At most so many characters as people see them. */
function quote(text: string, most: number): string {
  const characters = [...graphemes.segment(text)].map(({ segment }) => segment);
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}…`;
}

/** A text that comes word by word; the spaces stay where they are. */
function words(text: string, delayMs: number): ModelStep {
  return { pieces: text.match(/\S+\s*/g) ?? [], delayMs };
}

const SLOW_ANSWER =
  'Good answers take their time. Meanwhile this channel shows the agent at work, and the others go on.';

const LONG_ANSWER = `Here is a longer answer, so that you can watch one message grow.

**What happens to a message**

1. The chat server hands it to Angelia over one WebSocket.
2. Angelia stores a receipt on disk before anything else may happen to it.
3. When its lane is free, the receipt is claimed and handed to Hermes, at most once.
4. Hermes asks the model, which in this playground is a script that knows a handful of sentences.
5. The words come back one by one; each is shown by an edit of the same message.
6. When the turn is over the receipt is closed, and the next message of this channel may begin.

**What happens when something breaks**

If the bridge is killed in the middle of this sentence, Hermes carries on, and the bridge finds the turn again when it is back. If Hermes is killed instead, nothing is repeated behind your back: what had begun is set aside for a person to decide.

\`\`\`text
you -> chat server -> Angelia -> Hermes -> model
you <- chat server <- Angelia <- Hermes <- model
\`\`\`

Other channels did not wait for this answer. Try it: ask here for another long one, and talk in a second channel meanwhile.`;
