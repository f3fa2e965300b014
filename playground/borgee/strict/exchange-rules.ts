// SPDX-License-Identifier: Apache-2.0
import type { AgentConfigAckFrame, ResponseFrame } from '../../../src/modules/gateway/borgee/wire/index.js';
import { type Violation, violation } from './checks.js';

/** Time in which a request must be answered, ms (bpp 1.12), with room for a busy machine. */
const RESPONSE_MS = 8_000 + 1_000;

/** Config updates by idempotency key, as they were sent. */
export type SentUpdates = Map<string, Readonly<Record<string, unknown>>[]>;

/** What the server asked on one connection and what may come back: pongs, responses and config acks. */
export class ExchangeRules {
  private pings = 0;
  private readonly requests = new Map<string, number>();
  private readonly answered = new Set<string>();
  /** Acks that are due on this connection, by idempotency key. */
  private readonly acksDue = new Map<string, number>();

  /** @param updates every update of the playground by idempotency key, over all connections */
  constructor(private readonly updates: SentUpdates) {}

  /** The server has sent a ping. */
  pinged(): void {
    this.pings += 1;
  }

  /** The server has sent a request. */
  requested(id: string): void {
    this.requests.set(id, performance.now());
    this.answered.delete(id);
  }

  /** The server has sent a config update. */
  updated(frame: Readonly<Record<string, unknown>>): void {
    const key = String(frame['idempotency_key']);
    this.updates.set(key, [...(this.updates.get(key) ?? []), frame]);
    this.acksDue.set(key, (this.acksDue.get(key) ?? 0) + 1);
  }

  pong(): Violation | null {
    if (this.pings === 0) return violation('pong-answers-ping', 'pong without a ping');
    this.pings -= 1;
    return null;
  }

  response(frame: ResponseFrame): Violation | null {
    const asked = this.requests.get(frame.id);
    if (asked === undefined) {
      return violation('response-pairs', this.answered.has(frame.id) ? 'answered twice' : 'no such request here');
    }
    this.requests.delete(frame.id);
    this.answered.add(frame.id);
    const took = performance.now() - asked;
    return took > RESPONSE_MS ? violation('response-pairs', `after ${Math.round(took)} ms`) : null;
  }

  configAck(frame: AgentConfigAckFrame): Violation | null {
    const due = this.acksDue.get(frame.idempotency_key) ?? 0;
    if (due === 0) return violation('config-ack', 'no update of this key waits here');
    this.acksDue.set(frame.idempotency_key, due - 1);
    const echoes = (update: Readonly<Record<string, unknown>>): boolean =>
      update['cursor'] === frame.cursor &&
      update['agent_id'] === frame.agent_id &&
      update['schema_version'] === frame.schema_version;
    const known = this.updates.get(frame.idempotency_key) ?? [];
    return known.some(echoes) ? null : violation('config-ack', 'echoes no update of its key');
  }
}
