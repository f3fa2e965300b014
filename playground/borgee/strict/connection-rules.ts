// SPDX-License-Identifier: Apache-2.0
import type { ClientFrame } from '../../../src/modules/gateway/borgee/wire/index.js';
import { type Violation, violation } from './checks.js';
import { ExchangeRules, type SentUpdates } from './exchange-rules.js';
import { type HeartbeatBounds, HeartbeatRule } from './heartbeat-rule.js';
import { TaskBook } from './task-book.js';

/** What the checks remember over all connections of a playground. */
export class StrictMemory {
  readonly nonces = new Set<string>();
  readonly tasks = new TaskBook();
  readonly configUpdates: SentUpdates = new Map();
}

/** The checks that look at the course of one connection; `frame-rules.ts` looks at one frame by itself. */
export class ConnectionRules {
  readonly heartbeat: HeartbeatRule;
  readonly exchange: ExchangeRules;
  private connected = false;
  private identityKnown = false;
  private identityAsked = 0;

  /** @param onViolation called for what shows without a frame: a missing heartbeat */
  constructor(
    private readonly agentId: string,
    private readonly memory: StrictMemory,
    bounds: HeartbeatBounds,
    onViolation: (broken: Violation) => void,
  ) {
    this.heartbeat = new HeartbeatRule(bounds, onViolation);
    this.exchange = new ExchangeRules(memory.configUpdates);
  }

  /** Checks the place of a frame in the course of the connection; tasks are checked where they are taken. */
  check(frame: ClientFrame): Violation | null {
    return this.checkOrder(frame) ?? this.checkAgent(frame) ?? this.checkExchange(frame);
  }

  /** The result of a `get_me` has gone out: the client knows who it is. */
  identityTold(): void {
    this.identityAsked -= 1;
    this.identityKnown = true;
    if (this.identityAsked === 0) this.heartbeat.expect();
  }

  private checkOrder(frame: ClientFrame): Violation | null {
    if (frame.type !== 'connect') return this.connected ? null : violation('connect-first', frame.type);
    if (this.connected) return violation('connect-once', 'second connect');
    this.connected = true;
    this.heartbeat.expect();
    return null;
  }

  private checkAgent(frame: ClientFrame): Violation | null {
    if (!('agent_id' in frame) || frame.type === 'agent_config_ack') return null;
    if (frame.agent_id === this.agentId) return null;
    const mayBeUnknown = frame.type === 'semantic_action' && (frame.action === 'get_me' || !this.identityKnown);
    return frame.agent_id === '' && mayBeUnknown ? null : violation('agent-id', frame.type);
  }

  private checkExchange(frame: ClientFrame): Violation | null {
    switch (frame.type) {
      case 'semantic_action':
        return this.checkAction(frame.nonce, frame.action);
      case 'heartbeat':
        return this.heartbeat.beat();
      case 'pong':
        return this.exchange.pong();
      case 'response':
        return this.exchange.response(frame);
      case 'agent_config_ack':
        return this.exchange.configAck(frame);
      case 'connect':
      case 'task_started':
      case 'task_finished':
      case 'typing':
        return null;
    }
  }

  private checkAction(nonce: string, action: string): Violation | null {
    if (this.memory.nonces.has(nonce)) return violation('nonce-unique', `nonce of ${action} was used before`);
    this.memory.nonces.add(nonce);
    if (action === 'get_me') {
      this.identityAsked += 1;
      // Without the answer the client is not online, so it owes no heartbeat (bpp 1.4).
      if (!this.identityKnown) this.heartbeat.withhold();
    }
    return null;
  }
}
