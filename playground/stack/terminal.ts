// SPDX-License-Identifier: Apache-2.0
import type { WriteStream } from 'node:tty';

/** Where text goes; colours only where a person looks. */
export interface Terminal {
  readonly colours: boolean;
  line(text: string): void;
}

/** Names of what can be coloured. */
export type Tone = 'good' | 'bad' | 'warning' | 'quiet' | 'strong';

const CODES: Readonly<Record<Tone, string>> = { good: '32', bad: '31', warning: '33', quiet: '2', strong: '1' };

/** @returns the text in a colour when the terminal shows colours */
export function tone(terminal: Terminal, name: Tone, text: string): string {
  return terminal.colours ? `\u001b[${CODES[name]}m${text}\u001b[0m` : text;
}

/**
 * A terminal over an output of the process.
 * @param noColor switches colours off
 */
export function terminalOf(stream: WriteStream, noColor: boolean): Terminal {
  return { colours: stream.isTTY && !noColor, line: (text) => void stream.write(`${text}\n`) };
}
