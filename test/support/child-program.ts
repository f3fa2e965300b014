// SPDX-License-Identifier: Apache-2.0
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A process that a test drives by lines: what it says on stdout, what it is told on stdin. */
export class ChildProgram {
  /** Every line that it said. */
  readonly lines: string[] = [];
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting = new Set<() => void>();
  /** Resolves when it has ended and everything that it said has arrived. */
  readonly ended: Promise<void>;
  private stderr = '';

  /** @param command program and arguments */
  constructor(...command: readonly string[]) {
    const [program = '', ...args] = command;
    this.child = spawn(program, args, { stdio: 'pipe' });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    const lines = createInterface({ input: this.child.stdout });
    lines.on('line', (line) => {
      this.lines.push(line);
      this.wake();
    });
    this.ended = Promise.all([once(this.child, 'exit'), once(lines, 'close')]).then(() => this.wake());
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the process could not be started');
    return this.child.pid;
  }

  /** Null while it runs, and after its end by a signal. */
  get exitCode(): number | null {
    return this.child.exitCode;
  }

  /** Waits for a line. @returns it. @throws Error when the process ends without it */
  async line(matches: (line: string) => boolean): Promise<string> {
    for (;;) {
      const found = this.lines.find(matches);
      if (found !== undefined) return found;
      if (this.child.exitCode !== null || this.child.signalCode !== null) throw new Error(`it ended: ${this.stderr}`);
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  /** Waits until it has said that many lines. */
  async said(count: number): Promise<void> {
    await this.line(() => this.lines.length >= count);
  }

  /** Tells it one line. */
  tell(line: string): void {
    this.child.stdin.write(`${line}\n`);
  }

  /** Kills it as a power cut of the process would, and waits until everything it said has arrived. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private wake(): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
