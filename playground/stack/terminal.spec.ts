// SPDX-License-Identifier: Apache-2.0
import type { WriteStream } from 'node:tty';
import { prettyLine } from './pretty-log.js';
import { StepFailed, Steps } from './steps.js';
import { terminalOf, tone, type Terminal } from './terminal.js';

interface Shown extends Terminal {
  readonly lines: string[];
}

function shown(colours = false): Shown {
  const lines: string[] = [];
  return { colours, lines, line: (text) => void lines.push(text) };
}

describe('[PLY-1] colours', () => {
  const stream = (isTTY: boolean): WriteStream => ({ isTTY, write: () => true }) as unknown as WriteStream;

  it('appear on a terminal only, and not against the wish of its owner', () => {
    expect(tone(terminalOf(stream(true), false), 'good', 'yes')).toBe('\u001b[32myes\u001b[0m');
    expect(tone(terminalOf(stream(false), false), 'good', 'yes')).toBe('yes');
    expect(tone(terminalOf(stream(true), true), 'good', 'yes')).toBe('yes');
  });
});

describe('[PLY-1] steps', () => {
  it('show each step with its time and its detail', async () => {
    const terminal = shown();
    await new Steps(terminal).run('Playground', () => Promise.resolve('http://127.0.0.1:1'));
    await new Steps(terminal).run('Model', () => Promise.resolve(undefined));
    expect(terminal.lines[0]).toMatch(/^ {2}✓ Playground +0\.0 s {2}http:\/\/127\.0\.0\.1:1$/);
    expect(terminal.lines[1]).toMatch(/^ {2}✓ Model +0\.0 s$/);
  });

  it('name the step that failed', async () => {
    const terminal = shown();
    const run = new Steps(terminal).run('Bridge', () => Promise.reject(new Error('no port')));
    await expect(run).rejects.toThrow(new StepFailed('Bridge', new Error('no port')));
    expect(terminal.lines[0]).toContain('✗ Bridge');
  });
});

describe('[PLY-1] the log of the bridge for people', () => {
  const line = {
    level: 40,
    time: 1_700_000_000_123,
    pid: 7,
    hostname: 'h',
    event: 'x',
    msg: 'chat server',
    state: 'up',
    code: null,
  };

  it('shows time, level, sentence and facts', () => {
    expect(prettyLine(JSON.stringify(line), shown())).toBe('22:13:20.123 warn  chat server state=up');
  });

  it('leaves what is no JSON as it is', () => {
    expect(prettyLine('angelia: stopped', shown())).toBe('angelia: stopped');
    expect(prettyLine('{broken', shown())).toBe('{broken');
  });
});
