// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../../../common/clock.js';
import type { Telemetry } from '../../../common/telemetry.js';
import type { Metrics } from './metrics.js';

/** Counts what the catalogue of events tells. */
export function feedFromTelemetry(metrics: Metrics, telemetry: Telemetry, clock: Clock): void {
  countTurns(metrics, telemetry, clock);
  telemetry.on('receipt.committed', ({ duplicate, terminal }) => {
    metrics.committed.inc({ result: duplicate ? 'duplicate' : terminal ? 'ended' : 'new' });
  });
  telemetry.on('receipt.remediated', ({ action }) => metrics.remediated.inc({ action }));
  telemetry.on('turn.usage', ({ lane, model, input, output, cacheRead, cacheWrite, requests }) => {
    metrics.tokens.inc({ lane, model, kind: 'input' }, input);
    metrics.tokens.inc({ lane, model, kind: 'output' }, output);
    metrics.tokens.inc({ lane, model, kind: 'cache_read' }, cacheRead);
    metrics.tokens.inc({ lane, model, kind: 'cache_write' }, cacheWrite);
    metrics.modelRequests.inc({ lane, model }, requests);
  });
  telemetry.on('outbox.settled', ({ state }) => metrics.outboxSettled.inc({ state }));
  telemetry.on('retention.passed', ({ bodies, rows, keys }) => {
    metrics.retained.inc({ what: 'bodies' }, bodies);
    metrics.retained.inc({ what: 'rows' }, rows);
    metrics.retained.inc({ what: 'keys' }, keys);
  });
  telemetry.on('gateway.state', ({ state }) => metrics.gatewayStates.inc({ state }));
  telemetry.on('gateway.frame_rejected', () => metrics.framesRejected.inc());
  telemetry.on('link.attached', () => metrics.attaches.inc());
  telemetry.on('link.detached', () => metrics.detaches.inc());
  telemetry.on('link.refused', ({ code }) => metrics.refusals.inc({ code }));
  telemetry.on('link.dropped', ({ what }) => metrics.dropped.inc({ what }));
  telemetry.on('error.unexpected', ({ where, code }) => metrics.unexpected.inc({ where, code }));
}

/** Counts turns and measures them from their claim to their end. */
function countTurns(metrics: Metrics, telemetry: Telemetry, clock: Clock): void {
  /** Time of each claim that is not ended, by its token. */
  const begun = new Map<string, number>();
  telemetry.on('receipt.claimed', ({ claim }) => {
    metrics.claimed.inc();
    begun.set(claim, clock.monotonic());
  });
  telemetry.on('receipt.started', () => metrics.started.inc());
  telemetry.on('receipt.released', ({ claim }) => {
    metrics.released.inc();
    begun.delete(claim);
  });
  telemetry.on('receipt.terminal', ({ claim, state, outcome }) => {
    metrics.ended.inc({ state, outcome });
    const at = begun.get(claim);
    // A turn that an earlier process began has no known beginning.
    if (at !== undefined) metrics.turnSeconds.observe({ state }, (clock.monotonic() - at) / 1000);
    begun.delete(claim);
  });
  telemetry.on('receipt.quarantined', () => metrics.quarantined.inc());
}
