// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { processesOn } from '../../playground/stack/leftovers.js';
import { hermesUnderTest } from './hermes.js';

/** How a run of `bin/up` ended. */
export interface UpEnd {
  readonly code: number | null;
  readonly stdout: readonly string[];
  readonly stderr: string;
}

/** `bin/up` behind its set-up, as a process with a temporary folder of its own. */
export class UpProcess {
  /** Its temporary folder: empty again after it. */
  readonly temporary = mkdtempSync(join(tmpdir(), 'angelia-up-test-'));
  private readonly child: ChildProcess;
  private readonly lines: string[] = [];
  private stderr = '';
  private watchers: (() => void)[] = [];
  private readonly closed: Promise<unknown>;

  /**
   * @param args of the command; the Hermes under test is added
   * @param env variables for it beside the usual ones
   */
  constructor(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.child = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        'dist/playground/stack/up.js',
        '--hermes',
        hermesUnderTest().version,
        ...args,
      ],
      {
        env: { PATH: '/usr/bin:/bin', HOME: this.temporary, TMPDIR: this.temporary, LANG: 'C.UTF-8', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const output = createInterface({ input: this.child.stdout! });
    output.on('line', (line) => {
      this.lines.push(line);
      this.wake();
    });
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.closed = Promise.all([once(this.child, 'close'), once(output, 'close')]).then(() => this.wake());
  }

  /** Waits for a line on standard output. @throws Error when the command ends before */
  async line(matches: (line: string) => boolean): Promise<string> {
    for (;;) {
      const found = this.lines.find(matches);
      if (found !== undefined) return found;
      if (this.child.exitCode !== null) throw new Error(`bin/up ended: ${this.lines.join('\n')}\n${this.stderr}`);
      await new Promise<void>((resolve) => this.watchers.push(resolve));
    }
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Waits for its end. */
  async end(): Promise<UpEnd> {
    await this.closed;
    return { code: this.child.exitCode, stdout: this.lines, stderr: this.stderr };
  }

  /** What it left behind: files in its temporary folder and processes that live there. */
  leftovers(): readonly string[] {
    return [...readdirSync(this.temporary), ...processesOn(this.temporary).map(({ command }) => command)];
  }

  /** Ends it in any case and removes its folder. */
  async remove(): Promise<void> {
    this.signal('SIGKILL');
    await this.closed;
    rmSync(this.temporary, { recursive: true, force: true });
  }

  private wake(): void {
    for (const watcher of this.watchers.splice(0)) watcher();
  }
}
