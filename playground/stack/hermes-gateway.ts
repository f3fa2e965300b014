// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { sizeOf, waitForLine } from './growing-file.js';
import type { HermesHome } from './hermes-home.js';
import { ManagedProcess, type ProcessExit } from './managed-process.js';
import type { ProcessRecord } from './process-record.js';

/** Hermes says this in its own log once it takes turns; there is no hook for it. */
const READY_LINE = 'Press Ctrl+C to stop';

/** A start without compiled bytecode on a busy machine, milliseconds. */
const READY_TIMEOUT_MS = 60_000;

/** Hermes ends idle within half a second, with an open question within about eleven; milliseconds. */
const STOP_TIMEOUT_MS = 20_000;

/** A Hermes installation: a Python virtual environment with the pinned package. */
export interface HermesInstallation {
  readonly venv: string;
  readonly version: string;
}

/** The environment of everything that runs Hermes's code: complete, built from nothing. */
export function hermesEnvironment(installation: HermesInstallation, home: HermesHome): Record<string, string> {
  return {
    PATH: `${join(installation.venv, 'bin')}:/usr/bin:/bin`,
    HOME: home.home,
    HERMES_HOME: home.hermesHome,
    TMPDIR: home.temporary,
    LANG: 'C.UTF-8',
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONUNBUFFERED: '1',
    HERMES_DISABLE_LAZY_INSTALLS: '1',
  };
}

/** The real Hermes gateway on a throwaway profile; may be started again after its end. */
export class HermesGateway {
  private process: ManagedProcess | null = null;
  private logBegin = 0;

  /**
   * @param installation which Hermes
   * @param home its profile
   * @param record notes each process
   * @param extraEnv further variables, for canaries of tests
   */
  constructor(
    readonly installation: HermesInstallation,
    readonly home: HermesHome,
    private readonly record: ProcessRecord,
    private readonly extraEnv: Readonly<Record<string, string>> = {},
  ) {}

  /** What the process wrote to stdout and stderr, over all its starts. */
  get outputFile(): string {
    return join(this.home.options.root, 'gateway.out');
  }

  /** Process id of the newest start. @throws Error before the first start */
  get pid(): number {
    return this.current.pid;
  }

  /** Resolves when the newest start has ended. */
  get exited(): Promise<ProcessExit> {
    return this.current.exited;
  }

  get running(): boolean {
    return this.process !== null && this.process.exit === null;
  }

  /** Starts the process; does not wait for readiness. */
  async start(): Promise<void> {
    if (this.running) throw new Error('The gateway runs already.');
    this.logBegin = sizeOf(this.home.agentLog);
    this.process = await ManagedProcess.start(
      {
        role: 'hermes',
        command: join(this.installation.venv, 'bin', 'hermes'),
        args: ['gateway', 'run'],
        env: { ...hermesEnvironment(this.installation, this.home), ...this.extraEnv },
        cwd: this.home.options.root,
        outputFile: this.outputFile,
      },
      this.record,
    );
  }

  /** Waits until the newest start takes turns. @throws ProcessEnded when it ends before */
  async ready(): Promise<void> {
    await this.current.until((signal) =>
      waitForLine(this.home.agentLog, (line) => line.includes(READY_LINE), this.logBegin, {
        timeoutMs: READY_TIMEOUT_MS,
        what: 'The readiness of Hermes',
        signal,
      }),
    );
  }

  /** Ends it politely; SIGINT gives exit code 0, SIGTERM 1. Does nothing when it does not run. */
  async stop(signal: 'SIGINT' | 'SIGTERM' = 'SIGINT'): Promise<ProcessExit | null> {
    return this.process === null ? null : this.process.stop(signal, STOP_TIMEOUT_MS);
  }

  /** Kills it and waits for its end. */
  async kill(): Promise<void> {
    this.current.signal('SIGKILL');
    await this.current.exited;
  }

  private get current(): ManagedProcess {
    if (this.process === null) throw new Error('The gateway was never started.');
    return this.process;
  }
}
