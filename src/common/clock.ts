// SPDX-License-Identifier: Apache-2.0

/** Handle of a waiting callback. */
export interface ClockTimer {
  /** Stops the callback; does nothing when it already ran. */
  cancel(): void;
}

/** Time as Angelia sees it; tests replace it by one that they move by hand. */
export abstract class Clock {
  /** @returns Unix time in milliseconds */
  abstract now(): number;

  /** @returns milliseconds of a clock that never goes back */
  abstract monotonic(): number;

  /**
   * Runs a callback once.
   * @param delayMs milliseconds from now
   */
  abstract schedule(delayMs: number, callback: () => void): ClockTimer;

  /**
   * Waits.
   * @param delayMs milliseconds
   * @param signal ends the wait early; the promise then resolves all the same
   */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) {
        resolve();
        return;
      }
      const done = (): void => {
        timer.cancel();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = this.schedule(delayMs, done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }
}

/** The machine's clock. */
export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }

  override monotonic(): number {
    return performance.now();
  }

  override schedule(delayMs: number, callback: () => void): ClockTimer {
    const timer = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(timer) };
  }
}
