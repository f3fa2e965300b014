// SPDX-License-Identifier: Apache-2.0
import {
  createWriteStream,
  existsSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  type WriteStream,
} from 'node:fs';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Stamp } from './entries.js';

export interface RecorderOptions {
  /** File that takes the lines, mode 0600; lines are added to an existing one. Without it the record is in memory only. */
  readonly file?: string;
  /** How many of the newest entries stay in memory; default: all. */
  readonly keep?: number;
}

/** An entry with its stamp. */
export type Recorded<E> = E & Stamp;

interface Waiter<E> {
  readonly match: (entry: Recorded<E>) => boolean;
  readonly resolve: (entry: Recorded<E>) => void;
}

/**
 * The record of what happened at a server of the playground: JSON lines for the auditor, entries in memory for tests that wait.
 * Message texts stand in it on purpose (it is evidence of a test); keys never do.
 */
export class Recorder<E extends { readonly kind: string }> {
  private readonly kept: Recorded<E>[] = [];
  private readonly waiters = new Set<Waiter<E>>();
  private readonly listeners = new Set<(entry: Recorded<E>) => void>();
  private readonly keep: number;
  private readonly stream: WriteStream | undefined;
  private failure: unknown;
  private lines: string[] = [];
  private count = 0;

  /** @throws the system's error when the file cannot be opened */
  constructor(options: RecorderOptions = {}) {
    this.keep = options.keep ?? Infinity;
    if (options.file === undefined) return;
    mkdirSync(dirname(options.file), { recursive: true, mode: 0o700 });
    const fd = openSync(options.file, 'a', 0o600);
    if (fstatSync(fd).isFile()) {
      fchmodSync(fd, 0o600);
      cutTornLine(options.file);
    }
    this.stream = createWriteStream(options.file, { fd });
    this.stream.on('error', (error) => (this.failure ??= error));
  }

  /** What is in memory, oldest first. */
  get entries(): readonly Recorded<E>[] {
    return this.kept;
  }

  /**
   * Adds an entry, stamped with now.
   * @param first called with the stamped entry before anyone else learns of it
   */
  append<T extends E>(entry: T, first?: (recorded: Recorded<T>) => void): Recorded<T> {
    const stamp: Stamp = { n: ++this.count, at: Date.now(), mono_ns: process.hrtime.bigint().toString() };
    const recorded: Recorded<T> = { ...stamp, ...entry };
    first?.(recorded);
    this.kept.push(recorded);
    if (this.kept.length > this.keep * 2) this.kept.splice(0, this.kept.length - this.keep);
    this.writeLater(recorded);
    for (const listener of this.listeners) listener(recorded);
    for (const waiter of [...this.waiters]) if (waiter.match(recorded)) waiter.resolve(recorded);
    return recorded;
  }

  /**
   * Waits for an entry; one that is in memory already counts.
   * @param match tells the entry
   * @param timeoutMs milliseconds after which the wait fails
   * @param label what is waited for, for the error
   * @throws Error when the time is over
   */
  waitFor<T extends Recorded<E>>(
    match: ((entry: Recorded<E>) => entry is T) | ((entry: Recorded<E>) => boolean),
    timeoutMs = 10_000,
    label = 'an entry of the record',
  ): Promise<T> {
    const known = this.kept.find((entry): entry is T => match(entry));
    if (known !== undefined) return Promise.resolve(known);
    return new Promise<T>((resolve, reject) => {
      const waiter: Waiter<E> = {
        match,
        resolve: (entry) => {
          clearTimeout(timer);
          this.waiters.delete(waiter);
          resolve(entry as T);
        },
      };
      const timer = setTimeout(() => {
        this.waiters.delete(waiter);
        reject(new Error(`Waited ${timeoutMs} ms in vain for ${label}.`));
      }, timeoutMs);
      this.waiters.add(waiter);
    });
  }

  /** Calls a listener with each new entry. @returns a function that ends it */
  onEntry(listener: (entry: Recorded<E>) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Resolves when everything recorded so far was handed to the system. @throws the error of a failed write */
  async flush(): Promise<void> {
    this.writeNow();
    const stream = this.stream;
    if (stream !== undefined && !stream.closed) await new Promise<void>((resolve) => stream.write('', () => resolve()));
    this.throwFailure();
  }

  /** Writes what is left and closes the file. Idempotent. @throws the error of a failed write */
  async close(): Promise<void> {
    this.writeNow();
    if (this.stream !== undefined && !this.stream.closed) {
      this.stream.end();
      await finished(this.stream).catch((error: unknown) => (this.failure ??= error));
    }
    this.throwFailure();
  }

  /** Lines of one turn of the event loop go out in one write. */
  private writeLater(entry: Recorded<E>): void {
    if (this.stream === undefined) return;
    if (this.lines.length === 0) setImmediate(() => this.writeNow());
    this.lines.push(JSON.stringify(entry));
  }

  private writeNow(): void {
    if (this.stream === undefined || this.lines.length === 0) return;
    const lines = this.lines;
    this.lines = [];
    if (!this.stream.writableEnded) this.stream.write(`${lines.join('\n')}\n`);
  }

  private throwFailure(): void {
    if (this.failure !== undefined) throw new Error('The record could not be written.', { cause: this.failure });
  }
}

/** A process that was killed may have left half a line; it is cut off, so that every line is whole. */
function cutTornLine(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return;
  const bytes = readFileSync(file);
  const whole = bytes.lastIndexOf('\n') + 1;
  if (whole < bytes.length) truncateSync(file, whole);
}

/** The entries of a file that a recorder wrote; none when it is missing. */
export function readEntries<E>(file: string): readonly Recorded<E>[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Recorded<E>);
}
