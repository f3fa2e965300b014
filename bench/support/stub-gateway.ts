// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import type { SutOptions } from './options.js';

const REPOSITORY = resolve(import.meta.dirname, '../../..');

/** The Python process that holds the real shim with a stub message handler (bench/stub_gateway.py). */
export class StubGateway {
  private readonly ended: Promise<unknown>;

  private constructor(
    private readonly child: ChildProcess,
    readonly pid: number,
  ) {
    this.ended = once(child, 'exit');
  }

  /** Rejects when the process ends before it was asked to. */
  get failed(): Promise<never> {
    return this.ended.then(() => {
      throw new Error('the stub gateway ended; its standard error stands in the log of the run');
    });
  }

  /** @param hermesHome profile whose link file it reads */
  static start(options: SutOptions, hermesHome: string): StubGateway {
    const venv = process.env['PEER_VENV'];
    if (venv === undefined) throw new Error('PEER_VENV is not set: run through bench/peer/e2e_bench.py');
    const child = spawn(
      join(venv, 'bin', 'python'),
      [
        join(REPOSITORY, 'bench', 'stub_gateway.py'),
        ...['--shim', join(REPOSITORY, 'shim', 'angelia')],
        ...['--base-url', `http://127.0.0.1:${String(options.port)}`],
        ...['--report-port', String(options.reportPort)],
        ...['--dispatches', String(options.dispatches)],
        ...['--answer', options.answer],
        ...['--handler-ms', String(options.handlerMs)],
      ],
      { stdio: ['pipe', 'ignore', 'inherit'], env: { ...process.env, HERMES_HOME: hermesHome } },
    );
    if (child.pid === undefined) throw new Error('the stub gateway could not be started');
    return new StubGateway(child, child.pid);
  }

  /** Ends the process: it flushes its report lines first. Idempotent. */
  async stop(): Promise<void> {
    this.child.stdin?.end();
    await this.ended;
  }
}
