// SPDX-License-Identifier: Apache-2.0
import { ManualClock } from '../../test/support/manual-clock.js';
import { SystemClock } from './clock.js';

describe('Clock', () => {
  it('sleeps until its time', async () => {
    const clock = new ManualClock();
    const slept = clock.sleep(100);
    clock.advance(100);
    await slept;
    expect(clock.pending).toBe(0);
  });

  it('ends a sleep with its signal, before and during it, and leaves no timer', async () => {
    const clock = new ManualClock();
    const stop = new AbortController();
    const slept = clock.sleep(100, stop.signal);
    stop.abort();
    await slept;
    await clock.sleep(100, stop.signal);
    expect(clock.pending).toBe(0);
  });

  it('tells the time of the machine and runs and cancels callbacks', async () => {
    const clock = new SystemClock();
    const before = clock.monotonic();
    const cancelled = clock.schedule(0, () => {
      throw new Error('was cancelled');
    });
    cancelled.cancel();
    await clock.sleep(1);
    expect(clock.monotonic()).toBeGreaterThan(before);
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
  });
});
