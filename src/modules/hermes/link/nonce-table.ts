// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../../../common/clock.js';
import { newNonce } from '../../../common/ids.js';

interface Issued {
  readonly shimNonce: string;
  readonly expires: number;
}

/** The bridge's nonces that wait for their attach: each serves once, lives shortly, and there are only so many. */
export class NonceTable {
  private readonly issued = new Map<string, Issued>();

  /**
   * @param ttlMs life of a nonce
   * @param capacity most nonces that wait; the oldest gives way, so that calls that never attach cannot keep others out
   */
  constructor(
    private readonly clock: Clock,
    private readonly ttlMs: number,
    private readonly capacity: number,
  ) {}

  /** @returns a new nonce for an attach that answers this challenge */
  issue(shimNonce: string): string {
    const nonce = newNonce();
    this.issued.set(nonce, { shimNonce, expires: this.clock.monotonic() + this.ttlMs });
    while (this.issued.size > this.capacity) {
      const [oldest] = this.issued.keys();
      if (oldest !== undefined) this.issued.delete(oldest);
    }
    return nonce;
  }

  /** Uses a nonce up. @returns the shim's nonce of its challenge; null when it is unknown, used or too old */
  take(nonce: string): string | null {
    const found = this.issued.get(nonce);
    this.issued.delete(nonce);
    return found !== undefined && this.clock.monotonic() < found.expires ? found.shimNonce : null;
  }
}
