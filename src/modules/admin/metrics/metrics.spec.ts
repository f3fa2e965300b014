// SPDX-License-Identifier: Apache-2.0
import { AdminBench } from '../../../../test/support/admin-bench.js';
import { ErrorCode } from '../../../common/errors.js';
import { Metrics } from './metrics.js';

const LANE = 'agent:main:borgee:channel:ch_1';

describe('[OPS-2] metrics', () => {
  let admin: AdminBench;

  beforeEach(async () => (admin = await AdminBench.open()));
  afterEach(() => admin.close());

  /** Samples of the page by name and labels. */
  async function samples(): Promise<ReadonlyMap<string, number>> {
    const { text } = await admin.ask('/metrics', { token: 'metrics.token' });
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
    );
  }

  it('come in the text format of Prometheus', async () => {
    const { status, headers, text } = await admin.ask('/metrics', { token: 'metrics.token' });
    expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)]);
    expect(text).toContain('# TYPE angelia_receipts gauge');
  });

  it('show ages and counts per state and class, lanes, pauses and the ledger', async () => {
    await admin.bench.admit('old');
    admin.bench.clock.advance(120_000);
    await admin.bench.quarantined('stuck', LANE);
    await admin.bench.pauses.set('dispatch', true, 'admin');
    const page = await samples();
    const shown = {
      'angelia_receipts{state="pending"}': 1,
      'angelia_receipts{state="quarantined"}': 1,
      'angelia_receipts{state="completed"}': 0,
      'angelia_receipts_open{class="ordinary"}': 2,
      'angelia_receipt_oldest_seconds{state="pending"}': 120,
      'angelia_lanes{condition="blocked"}': 1,
      'angelia_lanes{condition="waiting"}': 1,
      'angelia_turns_running{kind="ordinary"}': 0,
      angelia_dispatch_capacity: 4,
      'angelia_paused{what="dispatch"}': 1,
      'angelia_paused{what="intake"}': 0,
      angelia_resets_due: 0,
      'angelia_outbox{state="queued"}': 0,
      angelia_ledger_readable: 1,
      angelia_gateway_online: 1,
      angelia_hermes_attached: 1,
      angelia_retention_behind: 0,
    };
    for (const [name, value] of Object.entries(shown)) expect([name, page.get(name)]).toEqual([name, value]);
    expect(page.get('angelia_process_resident_bytes')).toBeGreaterThan(0);
    expect(page.get('angelia_disk_free_bytes')).toBeGreaterThan(0);
  });

  it('count what the catalogue of events tells', async () => {
    const { telemetry, clock } = admin.bench;
    const receipt = { ingestSeq: 1, messageId: 'm1', lane: LANE };
    const claim = 'c'.repeat(32);
    telemetry.emit('receipt.committed', { ...receipt, duplicate: false, terminal: false });
    telemetry.emit('receipt.committed', { ...receipt, duplicate: true, terminal: false });
    telemetry.emit('receipt.claimed', { ...receipt, claim });
    telemetry.emit('receipt.started', { ...receipt, claim });
    clock.advance(3_000);
    telemetry.emit('receipt.terminal', { ...receipt, claim, state: 'completed', outcome: 'hermes_completed' });
    telemetry.emit('receipt.terminal', { ...receipt, claim: 'unknown', state: 'failed', outcome: 'hermes_failed' });
    telemetry.emit('receipt.claimed', { ...receipt, claim });
    telemetry.emit('receipt.released', { ...receipt, claim, reason: 'never_started' });
    telemetry.emit('receipt.quarantined', { ingestSeq: 1, lane: LANE, outcome: 'x' });
    telemetry.emit('receipt.remediated', { ingestSeq: 1, lane: LANE, action: 'requeue', reset: true });
    telemetry.emit('outbox.settled', { outboxId: 1, state: 'uncertain', code: ErrorCode.ConnectionLost });
    telemetry.emit('retention.passed', { bodies: 2, rows: 1, keys: 0, steps: 1 });
    telemetry.emit('gateway.state', { state: 'online', reason: null, code: null, attempt: 0 });
    telemetry.emit('gateway.frame_rejected', { type: 'x', field: 'y', bytes: 1 });
    telemetry.emit('link.attached', { instance: 'i', hermesVersion: '0.19.0', admissions: 0 });
    telemetry.emit('link.detached', { instance: 'i', reason: 'gone' });
    telemetry.emit('link.refused', { code: ErrorCode.HermesSettingWrong, key: 'k' });
    telemetry.emit('link.dropped', { what: 'late_output', claim: null });
    telemetry.emit('error.unexpected', { where: 'outbox', code: ErrorCode.Internal, ids: {} });
    const tokens = { input: 10, output: 5, cacheRead: 3, cacheWrite: 1, requests: 2 };
    telemetry.emit('turn.usage', { ingestSeq: 1, lane: LANE, provider: 'p', model: 'm', ...tokens });
    const page = await samples();
    const shown = {
      'angelia_receipts_committed_total{result="new"}': 1,
      'angelia_receipts_committed_total{result="duplicate"}': 1,
      angelia_turns_claimed_total: 2,
      angelia_turns_started_total: 1,
      angelia_turns_released_total: 1,
      'angelia_turns_ended_total{state="completed",outcome="hermes_completed"}': 1,
      'angelia_turns_ended_total{state="failed",outcome="hermes_failed"}': 1,
      'angelia_turn_seconds_count{state="completed"}': 1,
      'angelia_turn_seconds_sum{state="completed"}': 3,
      'angelia_turn_seconds_count{state="failed"}': undefined,
      angelia_receipts_quarantined_total: 1,
      'angelia_receipts_remediated_total{action="requeue"}': 1,
      'angelia_outbox_settled_total{state="uncertain"}': 1,
      'angelia_retention_removed_total{what="bodies"}': 2,
      'angelia_gateway_state_changes_total{state="online"}': 1,
      angelia_frames_rejected_total: 1,
      angelia_hermes_attaches_total: 1,
      angelia_hermes_detaches_total: 1,
      'angelia_hermes_refusals_total{code="hermes_setting_wrong"}': 1,
      'angelia_hermes_dropped_total{what="late_output"}': 1,
      'angelia_errors_unexpected_total{where="outbox",code="internal"}': 1,
      [`angelia_tokens_total{lane="${LANE}",model="m",kind="input"}`]: 10,
      [`angelia_tokens_total{lane="${LANE}",model="m",kind="cache_write"}`]: 1,
      [`angelia_model_requests_total{lane="${LANE}",model="m"}`]: 2,
    };
    for (const [name, value] of Object.entries(shown)) expect([name, page.get(name)]).toEqual([name, value]);
  });

  it('say that the ledger cannot be read, and keep the rest', async () => {
    await admin.bench.store.close();
    const page = await samples();
    expect([page.get('angelia_ledger_readable'), page.get('angelia_gateway_online')]).toEqual([0, 1]);
  });

  it('show the counters of the connection as they are, however often they are asked for', async () => {
    const status = admin.bench.chat.status.bind(admin.bench.chat);
    admin.bench.chat.status = () => ({ ...status(), queuedBytes: 7, counters: { drops: 3 } });
    await samples();
    const page = await samples();
    expect([page.get('angelia_gateway_events_total{event="drops"}'), page.get('angelia_gateway_queued_bytes')]).toEqual(
      [3, 7],
    );
  });

  it('are declared once each, with help and labels that are explained', () => {
    const declared = new Metrics().describe();
    expect(new Set(declared.map(({ name }) => name)).size).toBe(declared.length);
    for (const { name, type, help, labels } of declared) {
      expect(name).toMatch(type === 'counter' ? /^angelia_[a-z_]+_total$/ : /^angelia_[a-z_]+(?<!_total)$/);
      expect(help).toMatch(/^[A-Z0-9].*\.$/);
      expect(Object.values(labels).every((text) => text !== '')).toBe(true);
    }
  });
});
