// SPDX-License-Identifier: Apache-2.0
import { isUtf8 } from 'node:buffer';
import type { Clock } from '../../../common/clock.js';
import type { Telemetry } from '../../../common/telemetry.js';
import type { ClientOptions } from './client-options.js';
import type { ConfigAcks } from './config-acks.js';
import type { Connection } from './connection.js';
import type { Counters } from './counters.js';
import { encodeFrame } from './encode.js';
import { decodeDamaged, decodeInbound, type DecodedInbound } from './inbound-decoder.js';
import type { Intake } from './intake.js';
import type { RemoteControl } from './remote-control.js';
import { RequestDesk } from './request-desk.js';
import {
  type AgentToggleFrame,
  checkServerFields,
  type FrameProblem,
  readServerFrame,
  type ServerFrame,
  type TypedServerFrame,
} from './wire/index.js';

/** The parts that frames go to. */
export interface FrameTargets {
  readonly intake: Intake;
  readonly acks: ConfigAcks;
  readonly remoteControl: RemoteControl;
  /** The server disables this agent. */
  disabled(connection: Connection): void;
  /** What waits for the identity has grown over the intake's bound. */
  overflow(connection: Connection): void;
  /** Bytes that may wait for the identity. */
  maxHeldBytes(): number;
}

/** A frame that has to wait until the client knows who it is. */
interface Held {
  readonly frame: TypedServerFrame;
  readonly data: Buffer;
  readonly damaged: boolean;
}

/**
 * Reads every message of the server and hands it to the part that it is for. A message that cannot be used is set aside, counted and named by its
 * type and field; the socket stays (bpp 2.1, rule 5). Events wait until the identity of the connection is confirmed: only then it is known
 * which are the agent's own, and that they belong to this ledger.
 */
export class FrameRouter {
  private held: Held[] = [];
  private heldBytes = 0;
  private agentId: string | null = null;
  private readonly desks = new WeakMap<Connection, RequestDesk>();

  constructor(
    private readonly targets: FrameTargets,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
    private readonly counters: Counters,
    private readonly options: ClientOptions,
  ) {}

  /** The identity is confirmed: what waited is handed on, in its order. */
  identified(connection: Connection, agentId: string): void {
    this.agentId = agentId;
    const { held } = this;
    this.held = [];
    this.heldBytes = 0;
    for (const { frame, data, damaged } of held) {
      if (connection.refusesEvents) this.counters.add('frames_discarded');
      else this.take(connection, agentId, frame, data, damaged);
    }
  }

  /** A new connection begins: its identity is not confirmed yet. What the last one left waiting waits on. */
  unidentified(): void {
    this.agentId = null;
  }

  /** What waits belongs to somebody else. */
  discardHeld(): void {
    this.counters.add('frames_discarded', this.held.length);
    this.held = [];
    this.heldBytes = 0;
  }

  /** Takes one message of the server. */
  message(connection: Connection, data: Buffer): void {
    this.counters.add('frames_read');
    this.counters.add('bytes_read', data.length);
    const damaged = !isUtf8(data);
    const read = readServerFrame(data.toString('utf8'));
    if (!read.ok) return this.reject(read.problem, data.length);
    const frame = read.value;
    if (frame.type !== 'inbound_message' && frame.type !== 'agent_toggle') {
      if (damaged) return this.reject({ type: frame.type, field: '', rule: 'encoding' }, data.length);
      return this.answer(connection, frame, data.length);
    }
    if (this.agentId === null) this.hold(connection, { frame, data, damaged });
    else this.take(connection, this.agentId, frame, data, damaged);
  }

  private hold(connection: Connection, held: Held): void {
    if (this.heldBytes + held.data.length > this.targets.maxHeldBytes()) {
      this.counters.add('frames_discarded');
      return this.targets.overflow(connection);
    }
    this.held.push(held);
    this.heldBytes += held.data.length;
  }

  /** Events and what else depends on the own id. */
  private take(connection: Connection, agentId: string, frame: TypedServerFrame, data: Buffer, damaged: boolean): void {
    if (frame.type === 'inbound_message') {
      const decoded = damaged
        ? decodeDamaged(frame, data, this.options)
        : decodeInbound(frame, data, agentId, this.options);
      return this.admit(decoded, data.length);
    }
    const checked = checkServerFields(frame);
    if (!checked.ok) return this.reject(checked.problem, data.length);
    const toggle = checked.value as AgentToggleFrame;
    if (toggle.agent_id === agentId && toggle.action === 'disable') this.targets.disabled(connection);
  }

  private admit(decoded: DecodedInbound, bytes: number): void {
    const { event, wantsRefusal, wrongField } = decoded;
    if (wrongField !== null) {
      this.counters.add('events_undecodable');
      this.telemetry.emit('gateway.frame_rejected', { type: 'inbound_message', field: wrongField, bytes });
    }
    const refuse = (): void => void this.targets.remoteControl.refuse(event);
    this.targets.intake.offer(event, bytes, wantsRefusal ? refuse : undefined);
  }

  private answer(connection: Connection, typed: TypedServerFrame, bytes: number): void {
    const checked = checkServerFields(typed);
    if (!checked.ok) return this.reject(checked.problem, bytes);
    const problem = this.dispatch(connection, checked.value, bytes);
    if (problem !== null) this.reject(problem, bytes);
  }

  /** @returns what was wrong with the frame after all */
  private dispatch(connection: Connection, frame: ServerFrame, bytes: number): FrameProblem | null {
    switch (frame.type) {
      case 'semantic_action_result':
        return connection.actions.settle(frame);
      case 'permission_denied':
        connection.actions.deny(frame);
        return null;
      case 'agent_config_update':
        this.reply(connection, this.targets.acks.answer(frame), 'config_acks');
        return null;
      case 'request':
        this.deskOf(connection).take(frame, bytes);
        return null;
      case 'ping':
        this.reply(connection, encodeFrame({ type: 'pong' }), null);
        return null;
      case 'pong':
      case 'execution_telemetry_ack':
      case 'agent_toggle':
      case 'inbound_message':
        return null;
    }
  }

  private reply(connection: Connection, text: string, counter: 'config_acks' | null): void {
    if (connection.offer('reserved', text) === null) this.counters.add('replies_dropped');
    else if (counter !== null) this.counters.add(counter);
  }

  private deskOf(connection: Connection): RequestDesk {
    const known = this.desks.get(connection);
    if (known !== undefined) return known;
    const desk = new RequestDesk(connection, this.clock, this.counters, this.options);
    this.desks.set(connection, desk);
    return desk;
  }

  private reject(problem: FrameProblem, bytes: number): void {
    this.counters.add('frames_rejected');
    this.telemetry.emit('gateway.frame_rejected', { type: problem.type, field: problem.field, bytes });
  }
}
