// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { longestDelay, reconnectDelay } from './backoff.js';
import { DEFAULT_CLIENT_OPTIONS } from './client-options.js';

const delay = (attempt: number, random: number): number =>
  reconnectDelay(attempt, () => random, DEFAULT_CLIENT_OPTIONS);

describe('[BPP-9] backoff (bpp 1.9, vectors in 10)', () => {
  it.each([
    [1, 250, 500],
    [2, 500, 1_000],
    [4, 2_000, 4_000],
    [7, 15_000, 30_000],
    [8, 15_000, 30_000],
    [1_025, 15_000, 30_000],
    [Number.MAX_SAFE_INTEGER, 15_000, 30_000],
  ])('attempt %d waits %d to %d ms', (attempt, least, most) => {
    expect(delay(attempt, 0)).toBe(least);
    expect(delay(attempt, 1)).toBe(most);
  });

  it('never waits outside the bounds, whatever the attempt', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -5, max: 10_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, random) => {
          const ms = delay(attempt, random);
          return ms >= 250 && ms <= 30_000;
        },
      ),
    );
  });

  it('has one longest wait', () => {
    expect(longestDelay(() => 0, DEFAULT_CLIENT_OPTIONS)).toBe(15_000);
    expect(longestDelay(() => 1, DEFAULT_CLIENT_OPTIONS)).toBe(30_000);
  });
});
