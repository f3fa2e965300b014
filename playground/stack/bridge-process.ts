// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sizeOf, waitForLine, waitForSign } from './growing-file.js';
import type { HermesHome } from './hermes-home.js';
import { logLine } from './log-line.js';
import { ManagedProcess, type ProcessExit } from './managed-process.js';
import type { ProcessRecord } from './process-record.js';
import { repository } from './repository.js';

/** Node, the application and the ledger's checks on a busy machine, milliseconds. */
const READY_TIMEOUT_MS = 60_000;

/** The drain of the profile's platform block (default 30 s) and some air, milliseconds. */
const STOP_TIMEOUT_MS = 45_000;

/** How often a bridge is asked for its health while it is waited for, milliseconds. */
const HEALTH_EVERY_MS = 50;

/** What the bridge says about itself (`/health/ready`). */
export interface Health {
  readonly status: 'ok' | 'degraded' | 'red';
  readonly reasons: readonly {
    readonly name: string;
    readonly code: string | null;
    readonly details: Readonly<Record<string, unknown>>;
  }[];
}

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

  /**
   * Waits until the newest start listens for the shim and for the operator.
   * @returns the address of its admin interface
   * @throws ProcessEnded when it ends before
   */
  async ready(): Promise<string> {
    const { pid } = this.current;
    return this.current.until((signal) =>
      waitForSign(() => this.adminOf(pid), {
        timeoutMs: READY_TIMEOUT_MS,
        what: 'The readiness of the bridge',
        signal,
      }),
    );
  }

  /**
   * Waits until messages are answered: Hermes is attached and the chat server connected. What health says of the past, such as writes
   * whose outcome a kill has left open, does not count.
   * @throws ProcessEnded when it ends before
   */
  async connected(timeoutMs = READY_TIMEOUT_MS): Promise<void> {
    const url = await this.ready();
    await this.current.until(async (signal) => {
      const end = performance.now() + timeoutMs;
      for (let reasons = missing(await readHealth(url, signal)); reasons.length > 0;) {
        if (performance.now() > end) {
          throw new Error(`The bridge is not connected after ${timeoutMs / 1000} s: ${reasons.join(', ')}.`);
        }
        await sleep(HEALTH_EVERY_MS, undefined, { signal });
        reasons = missing(await readHealth(url, signal));
      }
    });
  }

  /** What the newest start says about itself. */
  async health(): Promise<Health> {
    return readHealth(await this.ready());
  }

  /** Lines of the log so far, decoded; lines that are no JSON are left out. */
  logLines(): readonly Readonly<Record<string, unknown>>[] {
    return readFileSync(this.logFile, 'utf8')
      .split('\n')
      .map(logLine)
      .filter((line) => line !== null);
  }

  /**
   * Waits for a line of the log.
   * @param matches decides about a decoded line
   * @param what named in the error
   * @param options `from`: offset in bytes where to begin, default the beginning; `timeoutMs`: gives up after
   * @returns the decoded line
   * @throws Error when the time is over
   */
  async logged(
    matches: (line: Readonly<Record<string, unknown>>) => boolean,
    what: string,
    options: { readonly from?: number; readonly timeoutMs?: number } = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const { from = 0, timeoutMs = READY_TIMEOUT_MS } = options;
    const decoded = (text: string): boolean => {
      const line = logLine(text);
      return line !== null && matches(line);
    };
    return logLine(await waitForLine(this.logFile, decoded, from, { timeoutMs, what })) ?? {};
  }

  /** Size of the log so far, bytes; where a later wait may begin. */
  get logSize(): number {
    return sizeOf(this.logFile);
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

  /** Address in `admin.json` when it was written by this process; null while it was not. */
  private adminOf(pid: number): string | null {
    let text: string;
    try {
      text = readFileSync(join(this.home.stateDir, 'admin.json'), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
    const admin = JSON.parse(text) as { readonly pid: number; readonly url: string };
    return admin.pid === pid ? admin.url : null;
  }

  private get current(): ManagedProcess {
    if (this.process === null) throw new Error('The bridge was never started.');
    return this.process;
  }
}

/** Names of the reasons for which no message can be answered now. */
function missing({ reasons }: Health): string[] {
  return reasons.map((reason) => reason.name).filter((name) => /^(chat_server|hermes|ledger|settings)/.test(name));
}

async function readHealth(url: string, signal?: AbortSignal): Promise<Health> {
  const response = await fetch(new URL('health/ready', url), signal === undefined ? {} : { signal });
  return (await response.json()) as Health;
}
