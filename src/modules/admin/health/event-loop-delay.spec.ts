// SPDX-License-Identifier: Apache-2.0
import { SystemClock } from '../../../common/clock.js';
import { EventLoopDelay } from './event-loop-delay.js';
import { freeBytesOf } from './disk.js';

/** Longer than the loop's delay is looked at, ms. */
const BLOCKED_MS = 400;

describe('[OPS-2] what health asks of the machine', () => {
  const clock = new SystemClock();
  let loop: EventLoopDelay;

  beforeEach(() => (loop = new EventLoopDelay()));
  afterEach(() => loop.onModuleDestroy());

  function block(): void {
    const until = clock.monotonic() + BLOCKED_MS;
    while (clock.monotonic() < until);
  }

  it('how late the loop was, also in the window before', async () => {
    // The monitor needs a first look before it can miss one.
    while (loop.recent.p50 === 0 && loop.recent.max === 0) await new Promise((resolve) => setImmediate(resolve));
    block();
    while (loop.recent.max < BLOCKED_MS / 2) await new Promise((resolve) => setImmediate(resolve));
    const { max } = loop.recent;
    loop.nextWindow();
    expect(loop.recent.max).toBeGreaterThanOrEqual(max);
    loop.nextWindow();
    expect(loop.recent.max).toBeLessThan(BLOCKED_MS / 2);
  });

  it('how much of a disk is free, and nothing about a folder that is not there', async () => {
    expect(await freeBytesOf(process.cwd())()).toBeGreaterThan(0);
    expect(await freeBytesOf('/nowhere/at/all')()).toBeNull();
  });
});
