// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from 'node:child_process';

/** A command and the world it runs in. */
export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Milliseconds after which it is ended. */
  readonly timeoutMs: number;
  /** Shows what it prints while it runs. */
  readonly live: boolean;
  /** Asked every half second: true when the work is done and only the end of the process is missing. */
  readonly isDone?: () => boolean;
  /** Milliseconds that it may take to end after its work is done. */
  readonly exitGraceMs?: number;
}

/** How a command ended. */
export interface CommandEnd {
  /** Exit code; null when it was ended by a signal. */
  readonly code: number | null;
  readonly output: string;
  readonly ms: number;
  /** Why it had to be ended, else null. */
  readonly ended: 'timeout' | 'did_not_exit' | null;
}

const POLL_MS = 500;
const DEFAULT_EXIT_GRACE_MS = 15_000;

const running = new Set<ChildProcess>();

/** Ends everything that still runs; for the runner's own end. */
export function endAll(): void {
  for (const child of running) endGroup(child);
}

/** Ends a process and its children: each command has a process group of its own. */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

/** Runs a command to its end. Never rejects: a command that cannot start ends with code 127. */
export function runProcess(command: Command): Promise<CommandEnd> {
  const startedAt = performance.now();
  const [file, ...args] = command.argv;
  const child = spawn(file, args, {
    cwd: command.cwd,
    env: command.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      chunks.push(text);
      if (command.live) process.stderr.write(text);
    });
  }
  let ended: CommandEnd['ended'] = null;
  const end = (why: NonNullable<CommandEnd['ended']>): void => {
    ended ??= why;
    endGroup(child);
  };
  const timeout = setTimeout(() => end('timeout'), command.timeoutMs);
  let grace: NodeJS.Timeout | undefined;
  const poll = setInterval(() => {
    if (command.isDone?.())
      grace ??= setTimeout(() => end('did_not_exit'), command.exitGraceMs ?? DEFAULT_EXIT_GRACE_MS);
  }, POLL_MS);
  return new Promise((resolve) => {
    const settle = (code: number | null): void => {
      clearTimeout(timeout);
      clearTimeout(grace);
      clearInterval(poll);
      running.delete(child);
      resolve({ code, output: chunks.join(''), ms: Math.round(performance.now() - startedAt), ended });
    };
    child.once('error', (error) => {
      chunks.push(`${file} cannot be started: ${error.message}\n`);
      settle(127);
    });
    child.once('close', settle);
  });
}
