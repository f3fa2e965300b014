// SPDX-License-Identifier: Apache-2.0
import { logLine } from './log-line.js';
import { tone, type Terminal, type Tone } from './terminal.js';

/** Levels of the bridge's log by number, with how they are shown. */
const LEVELS: readonly { readonly from: number; readonly name: string; readonly tone: Tone }[] = [
  { from: 50, name: 'error', tone: 'bad' },
  { from: 40, name: 'warn', tone: 'warning' },
  { from: 30, name: 'info', tone: 'good' },
  { from: 0, name: 'debug', tone: 'quiet' },
];

/** Fields that every line has or that the text already says. */
const HIDDEN = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'event', 'context', 'v']);

/**
 * One line of the bridge's log for people.
 * @param text as the bridge wrote it, JSON or not
 */
export function prettyLine(text: string, terminal: Terminal): string {
  const line = logLine(text);
  if (line === null) return text;
  const level = LEVELS.find(({ from }) => Number(line['level']) >= from);
  const fields = Object.entries(line).filter(([name, value]) => !HIDDEN.has(name) && value !== null);
  const facts = fields.map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const parts = [
    tone(terminal, 'quiet', timeOf(line['time'])),
    tone(terminal, level?.tone ?? 'quiet', (level?.name ?? '').padEnd(5)),
    typeof line['msg'] === 'string' ? line['msg'] : '',
    tone(terminal, 'quiet', facts.join(' ')),
  ];
  return parts
    .filter((part) => part !== '')
    .join(' ')
    .trimEnd();
}

/** Time of day, to the millisecond. */
function timeOf(time: unknown): string {
  return typeof time === 'number' ? new Date(time).toISOString().slice(11, 23) : '';
}
