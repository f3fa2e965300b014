// SPDX-License-Identifier: Apache-2.0

/** Steps that wait until a test releases them. */
export class Holds {
  private readonly waiting = new Map<string, Set<() => void>>();

  /** Waits for `release(tag)` or until the signal aborts. */
  wait(tag: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiters = this.waiting.get(tag) ?? new Set();
      const done = (): void => {
        waiters.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      if (signal.aborted) {
        resolve();
        return;
      }
      signal.addEventListener('abort', done);
      this.waiting.set(tag, waiters.add(done));
    });
  }

  /** Lets every step of a tag go on. @returns how many waited */
  release(tag: string): number {
    const waiters = [...(this.waiting.get(tag) ?? [])];
    for (const done of waiters) done();
    return waiters.length;
  }

  releaseAll(): void {
    for (const tag of this.waiting.keys()) this.release(tag);
  }
}
