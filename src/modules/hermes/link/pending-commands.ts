// SPDX-License-Identifier: Apache-2.0
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import type { ResultEvent } from './protocol.js';

interface Pending {
  readonly promise: Promise<ResultEvent>;
  readonly resolve: (result: ResultEvent) => void;
  readonly reject: (error: AngeliaError) => void;
}

/** Commands of one command stream that wait for their results, by their stable ids. */
export class PendingCommands {
  private readonly waiting = new Map<string, Pending>();

  /**
   * Waits for the result of a command.
   * @returns its promise, and whether the command is new: the same id asked for twice is one command
   */
  add(id: string): { readonly isNew: boolean; readonly result: Promise<ResultEvent> } {
    const known = this.waiting.get(id);
    if (known !== undefined) return { isNew: false, result: known.promise };
    const { promise, resolve, reject } = Promise.withResolvers<ResultEvent>();
    this.waiting.set(id, { promise, resolve, reject });
    return { isNew: true, result: promise };
  }

  /** Settles the command of a result; results of commands that nobody waits for any more are repeats and do nothing. */
  settle(result: ResultEvent): void {
    const pending = this.waiting.get(result.command);
    if (pending === undefined) return;
    this.waiting.delete(result.command);
    pending.resolve(result);
  }

  /** Ends all of them: the stream has ended, what became of them is told by the next attach. */
  rejectAll(reason: string): void {
    for (const pending of this.waiting.values()) pending.reject(new AngeliaError(ErrorCode.LinkDetached, { reason }));
    this.waiting.clear();
  }
}
