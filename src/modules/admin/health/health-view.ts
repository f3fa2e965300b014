// SPDX-License-Identifier: Apache-2.0
import type { LaneView, LedgerStatistics, Retention } from '../../inbox/index.js';
import { isoTime } from '../api/fields.js';
import type { GatewayAnswer, HealthAnswer, HermesAnswer, LedgerAnswer } from './health.dto.js';
import type { HealthParts, HealthSnapshot } from './health.service.js';

/** Lanes by what they are at; one lane may count more than once. */
export type LaneCounts = Readonly<Record<'busy' | 'blocked' | 'paused' | 'held' | 'waiting', number>>;

/** @returns how many lanes are at what */
export function countLanes(lanes: readonly LaneView[]): LaneCounts {
  const count = (matches: (lane: LaneView) => boolean): number => lanes.filter(matches).length;
  return {
    busy: count(({ running }) => running.length > 0),
    blocked: count(({ block }) => block !== null),
    paused: count(({ paused }) => paused),
    held: count(({ held }) => held),
    waiting: count(({ waiting }) => waiting > 0),
  };
}

/** @returns readiness with all figures */
export function healthAnswer(snapshot: HealthSnapshot, parts: HealthParts): HealthAnswer {
  const { status, reasons, ledger, lanes, loop } = snapshot;
  return {
    status,
    reasons,
    gateway: gatewayAnswer(parts),
    hermes: hermesAnswer(parts),
    ledger: ledger === null ? null : ledgerAnswer(ledger, parts.retention),
    lanes: countLanes(lanes),
    pauses: parts.pauses.active,
    resets_due: parts.remediation.dueResets.length,
    event_loop: { p50_ms: loop.p50, p99_ms: loop.p99, max_ms: loop.max },
    disk_free_bytes: snapshot.freeBytes,
    unexpected_errors: snapshot.unexpected,
    warnings: parts.settings.warnings,
  };
}

function gatewayAnswer({ chat }: HealthParts): GatewayAnswer {
  const { state, reason, since, attempt, queuedBytes, counters } = chat.status();
  return { state, reason, since: isoTime(since), attempt, queued_bytes: queuedBytes, counters };
}

function hermesAnswer({ host, attachment }: HealthParts): HermesAnswer {
  const { attached, stopping } = host.status();
  return {
    attached: attached !== null,
    version: attached?.versions.hermes ?? null,
    pid: attached?.pid ?? null,
    since: attached === null ? null : isoTime(attached.since),
    stopping,
    dispatches: attachment.effectiveDispatches,
  };
}

function ledgerAnswer(ledger: LedgerStatistics, retention: Retention): LedgerAnswer {
  const { passedAt } = retention.status;
  const seconds = Object.entries(ledger.oldestOpen).map(([state, ms]) => [state, Math.floor(ms / 1000)] as const);
  return {
    receipts: ledger.receipts,
    oldest_open_seconds: Object.fromEntries(seconds),
    open_by_class: ledger.openByClass,
    outbox: ledger.outbox,
    wal_bytes: ledger.walBytes,
    retention_passed_at: passedAt === null ? null : isoTime(passedAt),
  };
}
