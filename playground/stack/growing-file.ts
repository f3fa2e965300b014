// SPDX-License-Identifier: Apache-2.0
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

/** How often a growing file is looked at, milliseconds. */
const LOOK_EVERY_MS = 40;

/** Size of a file now. @returns bytes; 0 when it does not exist */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Follows a file that another process writes, line by line; the file may not exist yet. */
export class GrowingFile {
  private offset: number;
  private rest = '';
  private readonly decoder = new StringDecoder('utf8');
  private readonly timer: NodeJS.Timeout;

  /**
   * @param file what to follow
   * @param onLine called for each complete line, without its end
   * @param from offset in bytes where to begin
   */
  constructor(
    private readonly file: string,
    private readonly onLine: (line: string) => void,
    from = 0,
  ) {
    this.offset = from;
    this.timer = setInterval(() => this.read(), LOOK_EVERY_MS);
  }

  /** Reads what is there and ends. */
  close(): void {
    clearInterval(this.timer);
    this.read();
  }

  /** Reads what is there now. */
  read(): void {
    const size = sizeOf(this.file);
    if (size < this.offset) this.offset = 0;
    if (size === this.offset) return;
    const handle = openSync(this.file, 'r');
    try {
      const buffer = Buffer.alloc(fstatSync(handle).size - this.offset);
      const count = readSync(handle, buffer, 0, buffer.length, this.offset);
      this.offset += count;
      this.take(this.decoder.write(buffer.subarray(0, count)));
    } finally {
      closeSync(handle);
    }
  }

  private take(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.onLine(line);
  }
}

/** Bounds of a wait. */
export interface WaitOptions {
  /** Gives up after, milliseconds. */
  readonly timeoutMs: number;
  /** Named in the error. */
  readonly what: string;
  /** Ends the wait early; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Waits until a look succeeds; for signs that another process leaves on disk.
 * @param look returns null as long as the sign is not there
 * @throws Error when the time is over, the signal aborts or the look throws
 */
export function waitForSign<T>(look: () => T | null, options: WaitOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = performance.now() + options.timeoutMs;
    const attempt = (): void => {
      try {
        options.signal?.throwIfAborted();
        const sign = look();
        if (sign !== null) {
          done(() => resolve(sign));
          return;
        }
        if (performance.now() >= end)
          throw new Error(`${options.what} did not come within ${options.timeoutMs / 1000} s.`);
      } catch (error) {
        done(() => reject(error instanceof Error ? error : new Error(String(error))));
      }
    };
    const timer = setInterval(attempt, LOOK_EVERY_MS);
    const done = (settle: () => void): void => {
      clearInterval(timer);
      settle();
    };
    attempt();
  });
}

/**
 * Waits until a file holds a line that matches.
 * @param file may not exist yet
 * @param matches decides about a line
 * @param from offset in bytes where to begin
 * @throws Error as `waitForSign`
 */
export async function waitForLine(
  file: string,
  matches: (line: string) => boolean,
  from: number,
  options: WaitOptions,
): Promise<string> {
  let found: string | null = null;
  const follower = new GrowingFile(file, (line) => (found ??= matches(line) ? line : null), from);
  try {
    return await waitForSign(() => found, options);
  } finally {
    follower.close();
  }
}
