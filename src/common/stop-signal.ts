// SPDX-License-Identifier: Apache-2.0

/** Aborts when the process begins to stop; background waits end with it. */
export class StopSignal {
  private readonly aborter = new AbortController();

  get signal(): AbortSignal {
    return this.aborter.signal;
  }

  /** Begins the stop. Idempotent. */
  abort(): void {
    this.aborter.abort();
  }
}
