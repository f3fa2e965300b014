// SPDX-License-Identifier: Apache-2.0
import type { Counter, Gauge } from 'prom-client';
import type { LedgerStatistics, LaneView } from '../../inbox/index.js';
import { countLanes } from '../health/health-view.js';
import type { HealthService, HealthSnapshot } from '../health/health.service.js';
import type { Metrics } from './metrics.js';

const MICROSECONDS = 1_000_000;

/** Brings the gauges up to date and writes the page for Prometheus (OPS-2). */
export class MetricsService {
  constructor(
    private readonly metrics: Metrics,
    private readonly health: HealthService,
  ) {}

  /** Content type of the page. */
  get contentType(): string {
    return this.metrics.registry.contentType;
  }

  /** @returns the page. Never rejects because of the ledger: `angelia_ledger_readable` is 0 then */
  async page(): Promise<string> {
    const snapshot = await this.health.snapshot();
    this.ledger(snapshot.ledger);
    this.work(snapshot.lanes);
    this.connections();
    this.machine(snapshot);
    return this.metrics.registry.metrics();
  }

  private ledger(ledger: LedgerStatistics | null): void {
    const { metrics } = this;
    metrics.ledgerReadable.set(ledger === null ? 0 : 1);
    if (ledger === null) return;
    setAll(metrics.receipts, 'state', ledger.receipts);
    setAll(metrics.openReceipts, 'class', ledger.openByClass);
    metrics.oldest.reset();
    for (const [state, ms] of Object.entries(ledger.oldestOpen)) metrics.oldest.set({ state }, ms / 1000);
    setAll(metrics.outbox, 'state', ledger.outbox);
    metrics.walBytes.set(ledger.walBytes);
  }

  private work(lanes: readonly LaneView[]): void {
    const { metrics } = this;
    const { pauses, remediation, attachment, retention } = this.health.parts;
    setAll(metrics.lanes, 'condition', countLanes(lanes));
    const running = { ordinary: 0, control: 0, urgent: 0 };
    for (const { kind } of lanes.flatMap((lane) => lane.running)) running[kind] += 1;
    setAll(metrics.running, 'kind', running);
    metrics.capacity.set(attachment.effectiveDispatches);
    for (const what of ['intake', 'dispatch'] as const)
      metrics.paused.set({ what }, pauses.active.includes(what) ? 1 : 0);
    metrics.resetsDue.set(remediation.dueResets.length);
    metrics.retentionBehind.set(retention.status.behind ? 1 : 0);
  }

  private connections(): void {
    const { metrics } = this;
    const { chat, host } = this.health.parts;
    const { queuedBytes, counters } = chat.status();
    metrics.online.set(chat.online ? 1 : 0);
    metrics.queuedBytes.set(queuedBytes);
    metrics.gatewayEvents.reset();
    for (const [event, count] of Object.entries(counters)) metrics.gatewayEvents.inc({ event }, count);
    metrics.attached.set(host.status().attached === null ? 0 : 1);
  }

  private machine({ loop, freeBytes }: HealthSnapshot): void {
    const { metrics } = this;
    setAll(metrics.loopDelay, 'quantile', { '0.5': loop.p50 / 1000, '0.99': loop.p99 / 1000, '1': loop.max / 1000 });
    if (freeBytes !== null) metrics.freeBytes.set(freeBytes);
    metrics.residentBytes.set(process.memoryUsage.rss());
    const { user, system } = process.cpuUsage();
    setCounter(metrics.cpuSeconds, (user + system) / MICROSECONDS);
  }
}

function setAll<L extends string>(gauge: Gauge<L>, label: L, values: Readonly<Record<string, number>>): void {
  for (const [value, count] of Object.entries(values)) gauge.set({ [label]: value } as Record<L, string>, count);
}

/** A counter that is kept elsewhere. */
function setCounter(counter: Counter, value: number): void {
  counter.reset();
  counter.inc(value);
}
