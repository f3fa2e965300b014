// SPDX-License-Identifier: Apache-2.0
import { configAckFrame, encodeFrame } from './encode.js';
import type { AgentConfigUpdateFrame } from './wire/index.js';

/** Remembers what was answered to each config update: a repeat gets the same frame, old cursor included (bpp 3.7). */
export class ConfigAcks {
  private readonly remembered = new Map<string, string>();

  /** @param capacity acks that are kept; the least recently used one leaves first */
  constructor(private readonly capacity: number) {}

  /** @returns the frame that answers this update */
  answer(update: AgentConfigUpdateFrame): string {
    const key = update.idempotency_key;
    const ack = this.remembered.get(key) ?? encodeFrame(configAckFrame(update));
    this.remembered.delete(key);
    this.remembered.set(key, ack);
    if (this.remembered.size > this.capacity) {
      const [oldest] = this.remembered.keys();
      if (oldest !== undefined) this.remembered.delete(oldest);
    }
    return ack;
  }
}
