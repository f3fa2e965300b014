// SPDX-License-Identifier: Apache-2.0
import { EventEmitter } from 'node:events';
import type { ErrorCode } from './errors.js';

/**
 * The catalogue of what Angelia reports about itself: a name, what it means, its measures. Ids and numbers only, never content.
 * Log, metrics, tests and benchmarks listen; nothing of the product depends on a listener.
 */
export interface TelemetryEvents {
  /** A receipt was committed (INB-1). `duplicate`: it had been there before. */
  'receipt.committed': { ingestSeq: number; messageId: string; lane: string; duplicate: boolean; terminal: boolean };
  /** A claim was committed; the turn will be handed to Hermes (INB-2). */
  'receipt.claimed': { ingestSeq: number; messageId: string; lane: string; claim: string };
  /** `started` was committed: from now on the model may have been asked. */
  'receipt.started': { ingestSeq: number; messageId: string; claim: string };
  /** The receipt went back to pending because nothing can have run. */
  'receipt.released': { ingestSeq: number; lane: string; claim: string; reason: string };
  /** The terminal commit. */
  'receipt.terminal': {
    ingestSeq: number;
    messageId: string;
    lane: string;
    claim: string;
    state: 'completed' | 'failed';
    outcome: string;
  };
  /** A receipt was quarantined: its lane waits for the operator (INB-6). */
  'receipt.quarantined': { ingestSeq: number; lane: string; outcome: string };
  /** The operator decided about a quarantined receipt (INB-5). `reset`: the Hermes session of its lane is reset already. */
  'receipt.remediated': {
    ingestSeq: number;
    lane: string;
    action: 'discard' | 'requeue';
    reset: boolean;
  };
  /** A reset that was due has been done: the decision acts now. */
  'session.reset': { ingestSeq: number; lane: string; existed: boolean };
  /** The operator paused or resumed intake, dispatch or one lane (OPS-5). */
  'pause.changed': { what: 'intake' | 'dispatch' | 'lane'; lane: string | null; on: boolean };
  /** Messages that waited through an outage wait for the operator (OPS-5). */
  'lanes.held': { lanes: number; throughSeq: number };
  /** A pass of retention ended (INB-14). */
  'retention.passed': { bodies: number; rows: number; keys: number; steps: number };
  /** What the model requests of one turn used, for each model. */
  'turn.usage': {
    ingestSeq: number;
    lane: string;
    provider: string;
    model: string;
    input: number;
    output: number;
    cacheRead: number;
    cacheWrite: number;
    requests: number;
  };
  /** An outbox row is written to the chat server now. */
  'outbox.writing': { outboxId: number };
  /** An outbox row reached a state. */
  'outbox.settled': { outboxId: number; state: 'confirmed' | 'uncertain' | 'refused'; code: ErrorCode | null };
  /** The connection to the chat server changed. `code`: close or HTTP status, if one. */
  'gateway.state': {
    state: string;
    reason: ErrorCode | null;
    code: number | null;
    attempt: number;
    /** Name of the system's error behind an unreachable server (`ECONNREFUSED`, `CERT_HAS_EXPIRED`). */
    system?: string;
  };
  /** One frame was set aside. `field`: the name of the field that was wrong, never its value. */
  'gateway.frame_rejected': { type: string; field: string; bytes: number };
  /** The shim attached or went away. */
  'link.attached': { instance: string; hermesVersion: string; admissions: number };
  'link.detached': { instance: string; reason: string };
  /** An attach was refused. */
  'link.refused': { code: ErrorCode; key: string | null };
  /** Hermes produced something that no turn of ours asked for; the shim held it back. */
  'link.dropped': { what: string; claim: string | null };
  /** The reasons of health changed. `reasons`: their names, joined with commas. */
  'health.changed': { status: 'ok' | 'degraded' | 'red'; reasons: string };
  /** Something unexpected: logged, counted, visible in health. */
  'error.unexpected': { where: string; code: ErrorCode; ids: Readonly<Record<string, string | number>> };
}

export type TelemetryName = keyof TelemetryEvents;

/** One event of the catalogue. */
export type TelemetryListener<N extends TelemetryName> = (event: TelemetryEvents[N]) => void;

/** The bus of the catalogue; listeners run synchronously, in order, and a failing one never reaches the emitter. */
export class Telemetry {
  private readonly emitter = new EventEmitter();

  constructor() {
    this.emitter.setMaxListeners(0);
  }

  /** Reports one event. */
  emit<N extends TelemetryName>(name: N, event: TelemetryEvents[N]): void {
    for (const listener of this.emitter.listeners(name)) {
      try {
        (listener as TelemetryListener<N>)(event);
      } catch {
        this.failedListeners += 1;
      }
    }
  }

  /** Listener calls that threw; health shows them. */
  failedListeners = 0;

  /** Listens. @returns a function that ends it */
  on<N extends TelemetryName>(name: N, listener: TelemetryListener<N>): () => void {
    this.emitter.on(name, listener);
    return () => this.emitter.off(name, listener);
  }

  /** Waits for the next event that matches; the tests' signal instead of a sleep. */
  next<N extends TelemetryName>(
    name: N,
    matches: (event: TelemetryEvents[N]) => boolean = () => true,
  ): Promise<TelemetryEvents[N]> {
    return new Promise((resolve) => {
      const off = this.on(name, (event) => {
        if (!matches(event)) return;
        off();
        resolve(event);
      });
    });
  }
}
