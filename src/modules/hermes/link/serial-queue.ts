// SPDX-License-Identifier: Apache-2.0

/** Runs tasks one after another, in the order of their arrival; a failing one does not stop the next. */
export class SerialQueue {
  private tail: Promise<unknown> = Promise.resolve();

  /** @returns the outcome of the task */
  run<T>(task: () => Promise<T>): Promise<T> {
    const outcome = this.tail.then(task);
    this.tail = outcome.catch(() => undefined);
    return outcome;
  }

  /** Resolves when everything that has arrived so far has ended. */
  async idle(): Promise<void> {
    await this.tail;
  }
}
