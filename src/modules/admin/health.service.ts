// SPDX-License-Identifier: Apache-2.0
import { ERROR_SENTENCES, ErrorCode, type ErrorDetails } from '../../common/errors.js';
import type { Telemetry } from '../../common/telemetry.js';
import type { ChatServer, ChatServerStatus } from '../gateway/index.js';
import type { HermesHost, HermesHostStatus } from '../hermes/index.js';
import type { LedgerStatistics, LedgerStore, Scheduler } from '../inbox/index.js';
import type { EffectiveSettings, HermesAttachment } from '../runs/index.js';

/** One thing that an operator should know. Red: messages wait or get lost sight of. Yellow: worth a look. */
export interface HealthReason {
  /** Stable name, for alerts. */
  readonly name: string;
  readonly severity: 'red' | 'yellow';
  readonly code: ErrorCode | null;
  readonly sentence: string;
  readonly details: ErrorDetails;
}

/** Readiness with its reasons. */
export interface HealthReport {
  readonly status: 'ok' | 'degraded' | 'red';
  readonly reasons: readonly HealthReason[];
}

/** Everything that health knows, for the authenticated page. */
export interface HealthFigures extends HealthReport {
  readonly gateway: ChatServerStatus;
  readonly hermes: {
    readonly attached: HermesHostStatus['attached'];
    readonly stopping: boolean;
    readonly dispatches: number;
  };
  readonly ledger: LedgerStatistics;
  readonly blockedLanes: readonly { lane: string; block: string; waiting: number }[];
  readonly unexpectedErrors: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

/** Puts together what the parts say about themselves (BPP-9, INB-13, HST-7). */
export class HealthService {
  private readonly unexpected = new Map<string, number>();

  constructor(
    private readonly store: LedgerStore,
    private readonly scheduler: Scheduler,
    private readonly chat: ChatServer,
    private readonly host: HermesHost,
    private readonly settings: EffectiveSettings,
    private readonly attachment: HermesAttachment,
    telemetry: Telemetry,
  ) {
    telemetry.on('error.unexpected', ({ where, code }) => {
      const key = `${where}:${code}`;
      this.unexpected.set(key, (this.unexpected.get(key) ?? 0) + 1);
    });
  }

  /** @returns the named reasons; `ok` only when there is none */
  async report(): Promise<HealthReport> {
    const ledger = await this.statistics();
    return reportOf(this.reasons(ledger));
  }

  /** @returns the reasons with all figures. @throws AngeliaError when the ledger cannot be read */
  async figures(): Promise<HealthFigures> {
    const ledger = await this.store.statistics();
    const { attached, stopping } = this.host.status();
    return {
      ...reportOf(this.reasons(ledger)),
      gateway: this.chat.status(),
      hermes: { attached, stopping, dispatches: this.attachment.effectiveDispatches },
      ledger,
      blockedLanes: this.scheduler.blockedLanes(),
      unexpectedErrors: Object.fromEntries(this.unexpected),
      warnings: this.settings.warnings,
    };
  }

  private async statistics(): Promise<LedgerStatistics | null> {
    try {
      return await this.store.statistics();
    } catch {
      return null;
    }
  }

  private reasons(ledger: LedgerStatistics | null): HealthReason[] {
    return [
      ...(ledger === null ? [red('ledger_unreadable', ErrorCode.LedgerWriteFailed)] : this.ledgerReasons(ledger)),
      ...this.gatewayReasons(),
      ...this.hermesReasons(),
      ...this.errorReasons(),
    ];
  }

  private ledgerReasons(ledger: LedgerStatistics): HealthReason[] {
    const reasons: HealthReason[] = [];
    const blocked = this.scheduler.blockedLanes();
    if (blocked.length > 0) {
      const waiting = blocked.reduce((sum, lane) => sum + lane.waiting, 0);
      const sentence = 'Lanes wait for the operator: a turn of theirs may have run only in part.';
      reasons.push({
        name: 'lanes_blocked',
        severity: 'red',
        code: null,
        sentence,
        details: { lanes: blocked.length, waiting },
      });
    }
    if (ledger.outbox.uncertain > 0) {
      const sentence = 'Writes whose result was lost: they may or may not have reached the chat server.';
      reasons.push({
        name: 'sends_uncertain',
        severity: 'red',
        code: null,
        sentence,
        details: { rows: ledger.outbox.uncertain },
      });
    }
    return reasons;
  }

  private gatewayReasons(): HealthReason[] {
    const { problem } = this.settings;
    if (problem !== null) return [red('settings', problem.code, problem.details)];
    const { state, reason, attempt, queuedBytes } = this.chat.status();
    if (state === 'online') return [];
    return [red(`chat_server_${state}`, reason ?? ErrorCode.NotOnline, { attempt, queued_bytes: queuedBytes })];
  }

  private hermesReasons(): HealthReason[] {
    const { attached, refused, stopping } = this.host.status();
    if (refused !== null) return [red('hermes_refused', refused.code, refused.details)];
    if (attached === null || stopping) return [red('hermes_detached', ErrorCode.LinkDetached)];
    const wanted = this.settings.current?.max_concurrent_dispatches ?? 0;
    const effective = this.attachment.effectiveDispatches;
    if (effective === 0 || effective >= wanted) return [];
    const sentence = 'Hermes has fewer worker threads than max_concurrent_dispatches asks for.';
    return [{ name: 'dispatches_cut', severity: 'yellow', code: null, sentence, details: { wanted, effective } }];
  }

  private errorReasons(): HealthReason[] {
    if (this.unexpected.size === 0) return [];
    const sentence = 'Unexpected errors since the start of the process; the log has their ids.';
    return [
      {
        name: 'unexpected_errors',
        severity: 'yellow',
        code: null,
        sentence,
        details: Object.fromEntries(this.unexpected),
      },
    ];
  }
}

function red(name: string, code: ErrorCode, details: ErrorDetails = {}): HealthReason {
  return { name, severity: 'red', code, sentence: ERROR_SENTENCES[code], details };
}

function reportOf(reasons: readonly HealthReason[]): HealthReport {
  if (reasons.length === 0) return { status: 'ok', reasons };
  return { status: reasons.some((reason) => reason.severity === 'red') ? 'red' : 'degraded', reasons };
}
