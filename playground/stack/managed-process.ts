// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { ProcessRecord } from './process-record.js';

/** What to start. The environment is complete: nothing is inherited. */
export interface ProcessSpec {
  readonly role: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Takes stdout and stderr, appended; the file stands on disk even when the process is killed. */
  readonly outputFile: string;
}

/** How a process ended. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The process did not end in time and was killed. */
  readonly forced: boolean;
}

/** Something that has begun and may end before it was expected to. */
export class ProcessEnded extends Error {
  /**
   * @param role which process
   * @param exit how it ended
   * @param outputFile where its last words stand
   */
  constructor(
    readonly role: string,
    readonly exit: ProcessExit,
    readonly outputFile: string,
  ) {
    super(`The ${role} ended (${exit.signal ?? `exit code ${String(exit.code)}`}).`);
    this.name = 'ProcessEnded';
  }
}

/** One child process of the stack, in its own session (a Ctrl-C at the terminal does not reach it), ended by its pid only. */
export class ManagedProcess {
  /** Resolves at the end of the process; never rejects. */
  readonly exited: Promise<ProcessExit>;
  private ended: ProcessExit | null = null;
  private wasForced = false;

  private constructor(
    readonly spec: ProcessSpec,
    readonly pid: number,
    private readonly child: ChildProcess,
    noteEnd: (code: number | null, signal: string | null) => void,
  ) {
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.ended = { code, signal, forced: this.wasForced };
        noteEnd(code, signal);
        resolve(this.ended);
      });
    });
  }

  /**
   * Starts a process.
   * @param spec what to run
   * @param record notes its start and end
   * @throws Error when the command cannot be started
   */
  static async start(spec: ProcessSpec, record: ProcessRecord): Promise<ManagedProcess> {
    const output = openSync(spec.outputFile, 'a', 0o600);
    try {
      const child = spawn(spec.command, [...spec.args], {
        cwd: spec.cwd,
        env: { ...spec.env },
        stdio: ['ignore', output, output],
        detached: true,
      });
      await once(child, 'spawn');
      if (child.pid === undefined) throw new Error(`The ${spec.role} has no process id.`);
      return new ManagedProcess(spec, child.pid, child, record.started(child.pid, spec.role));
    } finally {
      closeSync(output);
    }
  }

  /** How it ended; null while it runs. */
  get exit(): ProcessExit | null {
    return this.ended;
  }

  /** Sends a signal; does nothing after the end. */
  signal(name: NodeJS.Signals): void {
    if (this.ended === null) this.child.kill(name);
  }

  /**
   * Ends the process.
   * @param name the polite signal
   * @param timeoutMs after which it is killed
   */
  async stop(name: NodeJS.Signals, timeoutMs: number): Promise<ProcessExit> {
    this.signal(name);
    const timer = setTimeout(() => {
      this.wasForced = this.ended === null;
      this.signal('SIGKILL');
    }, timeoutMs);
    try {
      return await this.exited;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Waits for a sign of readiness.
   * @param ready begins the wait; its signal aborts when the process ends
   * @throws ProcessEnded when the process ends first, else what `ready` throws
   */
  async until<T>(ready: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const aborter = new AbortController();
    void this.exited.then((exit) => aborter.abort(new ProcessEnded(this.spec.role, exit, this.spec.outputFile)));
    return ready(aborter.signal);
  }
}

/** @returns the last lines of a text file; empty when there is none */
export function lastLines(file: string, count: number): string[] {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count);
  } catch {
    return [];
  }
}
