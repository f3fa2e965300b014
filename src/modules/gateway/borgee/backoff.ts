// SPDX-License-Identifier: Apache-2.0
import type { ClientOptions } from './client-options.js';

/** A source of randomness: a number from 0 to below 1. */
export type Random = () => number;

type Bounds = Pick<ClientOptions, 'backoffFirstMs' | 'backoffMaxMs'>;

/**
 * Wait before the next dial (bpp 1.9): doubles with each attempt up to the longest, the lower half is certain, the upper half random.
 * @param attempt failed attempts so far, from 1; any number, the exponent is bounded
 * @returns ms
 */
export function reconnectDelay(attempt: number, random: Random, bounds: Bounds): number {
  const exponent = Math.min(Math.max(attempt, 1) - 1, 30);
  return spread(Math.min(bounds.backoffMaxMs, bounds.backoffFirstMs * 2 ** exponent), random);
}

/** The longest wait, for ends that speak of a protocol error. @returns ms */
export function longestDelay(random: Random, bounds: Bounds): number {
  return spread(bounds.backoffMaxMs, random);
}

function spread(cap: number, random: Random): number {
  return cap * (0.5 + 0.5 * random());
}
