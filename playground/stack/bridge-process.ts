// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitForSign } from './growing-file.js';
import type { HermesHome } from './hermes-home.js';
import { ManagedProcess, type ProcessExit } from './managed-process.js';
import type { ProcessRecord } from './process-record.js';
import { repository } from './repository.js';

/** Node, the application and the ledger's checks on a busy machine, milliseconds. */
const READY_TIMEOUT_MS = 60_000;

/** The drain of the profile's platform block (default 30 s) and some air, milliseconds. */
const STOP_TIMEOUT_MS = 45_000;

/** How the bridge is started beside its profile. */
export interface BridgeOptions {
  readonly logLevel?: string;
  /** Further variables of the documented configuration. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The real bridge process on a profile; may be started again after its end. */
export class BridgeProcess {
  private process: ManagedProcess | null = null;

  /**
   * @param home the profile that it serves; its key comes out of the profile's `.env`
   * @param record notes each process
   */
  constructor(
    readonly home: HermesHome,
    private readonly record: ProcessRecord,
    private readonly options: BridgeOptions = {},
  ) {}

  /** Its log, JSON lines, over all its starts. */
  get logFile(): string {
    return join(this.home.options.root, 'bridge.log');
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
    if (this.running) throw new Error('The bridge runs already.');
    this.process = await ManagedProcess.start(
      {
        role: 'bridge',
        command: process.execPath,
        args: [repository.bridgeEntry],
        env: {
          PATH: '/usr/bin:/bin',
          HOME: this.home.home,
          LANG: 'C.UTF-8',
          TMPDIR: this.home.temporary,
          ANGELIA_HERMES_HOME: this.home.hermesHome,
          ANGELIA_LOG_LEVEL: this.options.logLevel ?? 'info',
          ...this.options.env,
        },
        cwd: this.home.options.root,
        outputFile: this.logFile,
      },
      this.record,
    );
  }

  /** Waits until the newest start listens for the shim: the link file is its own. @throws ProcessEnded when it ends before */
  async ready(): Promise<void> {
    const { pid } = this.current;
    await this.current.until((signal) =>
      waitForSign(() => (this.linkOwner() === pid ? true : null), {
        timeoutMs: READY_TIMEOUT_MS,
        what: 'The readiness of the bridge',
        signal,
      }),
    );
  }

  /** Ends it politely (it drains first). Does nothing when it does not run. */
  async stop(signal: 'SIGINT' | 'SIGTERM' = 'SIGTERM'): Promise<ProcessExit | null> {
    return this.process === null ? null : this.process.stop(signal, STOP_TIMEOUT_MS);
  }

  /** Kills it and waits for its end. */
  async kill(): Promise<void> {
    this.current.signal('SIGKILL');
    await this.current.exited;
  }

  /** Sends a signal to the newest start. */
  signal(name: NodeJS.Signals): void {
    this.current.signal(name);
  }

  /** Process id in the link file; null while there is none. */
  private linkOwner(): number | null {
    let text: string;
    try {
      text = readFileSync(this.home.linkFile, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
    const link = JSON.parse(text) as { readonly pid?: unknown };
    return typeof link.pid === 'number' ? link.pid : null;
  }

  private get current(): ManagedProcess {
    if (this.process === null) throw new Error('The bridge was never started.');
    return this.process;
  }
}
