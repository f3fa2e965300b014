// SPDX-License-Identifier: Apache-2.0
import { codeOf, ErrorCode } from '../../../common/errors.js';
import type { Telemetry } from '../../../common/telemetry.js';
import type { HealthLimits } from '../../../config/index.js';
import type { ChatServer } from '../../gateway/index.js';
import type { HermesHost } from '../../hermes/index.js';
import type {
  LaneView,
  LedgerStatistics,
  LedgerStore,
  Pauses,
  Remediation,
  Retention,
  Scheduler,
} from '../../inbox/index.js';
import type { EffectiveSettings, HermesAttachment } from '../../runs/index.js';
import type { FreeBytes } from './disk.js';
import type { EventLoopDelay, LoopDelay } from './event-loop-delay.js';
import { reason, redOf, type HealthReason } from './health-reason.js';
import { operatorReasons } from './operator-reasons.js';

/** Everything that is asked about itself. */
export interface HealthParts {
  readonly store: LedgerStore;
  readonly scheduler: Scheduler;
  readonly pauses: Pauses;
  readonly remediation: Remediation;
  readonly retention: Retention;
  readonly chat: ChatServer;
  readonly host: HermesHost;
  readonly settings: EffectiveSettings;
  readonly attachment: HermesAttachment;
  readonly loop: Pick<EventLoopDelay, 'recent'>;
  readonly freeBytes: FreeBytes;
  readonly limits: HealthLimits;
  readonly telemetry: Telemetry;
}

/** Readiness with its reasons. */
export interface HealthState {
  readonly status: 'ok' | 'degraded' | 'red';
  readonly reasons: readonly HealthReason[];
}

/** What was found out for one answer. */
export interface HealthSnapshot extends HealthState {
  /** Null when the ledger cannot be read. */
  readonly ledger: LedgerStatistics | null;
  readonly lanes: readonly LaneView[];
  readonly loop: LoopDelay;
  /** Null when the system does not say. */
  readonly freeBytes: number | null;
  readonly unexpected: Readonly<Record<string, number>>;
}

/** Puts together what the parts say about themselves (BPP-9, INB-13, HST-7, OPS-2). */
export class HealthService {
  private readonly unexpected = new Map<string, number>();

  constructor(readonly parts: HealthParts) {
    parts.telemetry.on('error.unexpected', ({ where, code }) => {
      const key = `${where}:${code}`;
      this.unexpected.set(key, (this.unexpected.get(key) ?? 0) + 1);
    });
  }

  /** @returns the named reasons with the figures behind them; `ok` only when there is no reason. Never rejects */
  async snapshot(): Promise<HealthSnapshot> {
    const { scheduler, loop, freeBytes } = this.parts;
    const [ledger, free] = await Promise.all([this.statistics(), freeBytes()]);
    const known = {
      ledger: typeof ledger === 'string' ? null : ledger,
      lanes: scheduler.view(),
      loop: loop.recent,
      freeBytes: free,
      unexpected: Object.fromEntries(this.unexpected),
    };
    const unreadable = typeof ledger === 'string' ? [redOf('ledger_unreadable', ledger)] : [];
    const reasons = [...unreadable, ...this.reasons(known)];
    return { ...stateOf(reasons), ...known };
  }

  /** @returns the figures, or the code of the error that keeps them away */
  private async statistics(): Promise<LedgerStatistics | ErrorCode> {
    try {
      return await this.parts.store.statistics();
    } catch (error) {
      return codeOf(error);
    }
  }

  private reasons(known: Omit<HealthSnapshot, keyof HealthState>): HealthReason[] {
    const { pauses, remediation } = this.parts;
    const { lanes } = known;
    return [
      ...operatorReasons({ lanes, pauses: pauses.active, dueResets: remediation.dueResets.length }),
      ...ledgerReasons(known.ledger),
      ...this.gatewayReasons(),
      ...this.hermesReasons(),
      ...this.machineReasons(known),
      ...errorReasons(known.unexpected),
    ];
  }

  private gatewayReasons(): HealthReason[] {
    const { problem } = this.parts.settings;
    if (problem !== null) return [redOf('settings', problem.code, problem.details)];
    const { state, reason: why, attempt, queuedBytes } = this.parts.chat.status();
    // A pause of the operator has a reason of its own.
    if (state === 'online' || state === 'paused' || this.parts.pauses.active.includes('intake')) return [];
    return [redOf(`chat_server_${state}`, why ?? ErrorCode.NotOnline, { attempt, queued_bytes: queuedBytes })];
  }

  private hermesReasons(): HealthReason[] {
    const { host, settings, attachment } = this.parts;
    const { attached, refused, stopping } = host.status();
    if (refused !== null) return [redOf('hermes_refused', refused.code, refused.details)];
    if (attached === null || stopping) return [redOf('hermes_detached', ErrorCode.LinkDetached)];
    const wanted = settings.current?.max_concurrent_dispatches ?? 0;
    const effective = attachment.effectiveDispatches;
    if (effective === 0 || effective >= wanted) return [];
    const sentence = 'Hermes has fewer worker threads than max_concurrent_dispatches asks for.';
    return [reason('dispatches_cut', 'yellow', sentence, { wanted, effective })];
  }

  private machineReasons({ loop, freeBytes }: Pick<HealthSnapshot, 'loop' | 'freeBytes'>): HealthReason[] {
    const { limits, retention } = this.parts;
    const reasons: HealthReason[] = [];
    if (loop.max > limits.eventLoopDelayMs) {
      const sentence =
        'The process was late within the last minutes: the machine is overloaded, or something held it up.';
      reasons.push(reason('event_loop_delay', 'yellow', sentence, { max_ms: Math.round(loop.max) }));
    }
    if (freeBytes !== null && freeBytes < limits.diskLowBytes) {
      const sentence = 'The disk of the state folder is nearly full; when the ledger cannot be written, intake stops.';
      reasons.push(reason('disk_low', 'yellow', sentence, { free_bytes: freeBytes }));
    }
    if (retention.status.behind) {
      reasons.push(reason('retention_behind', 'yellow', 'Retention failed or is too slow; the ledger may grow.'));
    }
    return reasons;
  }
}

function ledgerReasons(ledger: LedgerStatistics | null): HealthReason[] {
  if (ledger === null || ledger.outbox.uncertain === 0) return [];
  const sentence = 'Writes whose result was lost: they may or may not have reached the chat server.';
  return [reason('sends_uncertain', 'red', sentence, { rows: ledger.outbox.uncertain })];
}

function errorReasons(unexpected: Readonly<Record<string, number>>): HealthReason[] {
  if (Object.keys(unexpected).length === 0) return [];
  const sentence = 'Unexpected errors since the start of the process; the log has their ids.';
  return [reason('unexpected_errors', 'yellow', sentence, unexpected)];
}

function stateOf(reasons: readonly HealthReason[]): HealthState {
  if (reasons.length === 0) return { status: 'ok', reasons };
  return { status: reasons.some(({ severity }) => severity === 'red') ? 'red' : 'degraded', reasons };
}
