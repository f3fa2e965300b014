// SPDX-License-Identifier: Apache-2.0
import { pino } from 'pino';
import { ErrorCode } from './common/errors.js';
import { Telemetry } from './common/telemetry.js';
import { logTelemetry } from './telemetry-log.js';

describe('[SEC-1] logTelemetry', () => {
  it('writes events with their ids at the level of what happened', () => {
    const lines: { level: number; event: string; state?: string }[] = [];
    const logger = pino(
      { level: 'trace' },
      { write: (line) => lines.push(JSON.parse(line) as (typeof lines)[number]) },
    );
    const telemetry = new Telemetry();
    logTelemetry(telemetry, logger);
    telemetry.emit('outbox.settled', { outboxId: 1, state: 'confirmed', code: null });
    telemetry.emit('outbox.settled', { outboxId: 2, state: 'uncertain', code: ErrorCode.ConnectionLost });
    telemetry.emit('gateway.state', { state: 'online', reason: null, code: null, attempt: 0 });
    telemetry.emit('gateway.state', {
      state: 'reconnecting',
      reason: ErrorCode.ConnectionLost,
      code: 1006,
      attempt: 1,
    });
    expect(lines).toMatchObject([
      { level: 20, event: 'outbox.settled', outboxId: 1, state: 'confirmed' },
      { level: 40, event: 'outbox.settled', outboxId: 2, code: 'connection_lost' },
      { level: 30, event: 'gateway.state', state: 'online' },
      { level: 40, event: 'gateway.state', state: 'reconnecting', code: 1006 },
    ]);
  });
});
