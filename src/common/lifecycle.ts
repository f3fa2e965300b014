// SPDX-License-Identifier: Apache-2.0

/**
 * Start and stop of a part that runs in the background, with promises that callers may lean on:
 * `start()` runs the start-up once, later calls wait for the same one; `stop()` may be called any number of times, before,
 * during and after the start, and always resolves after everything has ended; a part that was stopped does not start again.
 */
export abstract class Lifecycle {
  private readonly aborter = new AbortController();
  private starting: Promise<void> | undefined;
  private stopping: Promise<void> | undefined;

  /** Aborts when the stop begins. */
  protected get stopSignal(): AbortSignal {
    return this.aborter.signal;
  }

  /** True from the first `stop()` on. */
  protected get isStopping(): boolean {
    return this.aborter.signal.aborted;
  }

  /** Starts the part; does nothing after `stop()`. @throws what `onStart` throws */
  start(): Promise<void> {
    if (this.isStopping) return Promise.resolve();
    this.starting ??= this.onStart();
    return this.starting;
  }

  /** Stops the part and waits for its end. */
  stop(): Promise<void> {
    this.aborter.abort();
    this.stopping ??= this.settleThenStop();
    return this.stopping;
  }

  private async settleThenStop(): Promise<void> {
    if (this.starting === undefined) return;
    await this.starting.catch(() => undefined);
    await this.onStop();
  }

  /** The start-up; called at most once. */
  protected abstract onStart(): Promise<void>;

  /** The end; called at most once, after `onStart` has settled, failed or not. */
  protected abstract onStop(): Promise<void>;
}
