// SPDX-License-Identifier: Apache-2.0
import { TurnBench } from '../../../test/support/turn-bench.js';
import type { TelemetryEvents } from '../../common/telemetry.js';

describe('[OPS-9] tokens of a turn', () => {
  it('are told once for each model, however often the end is reported', async () => {
    const bench = await TurnBench.open();
    const told: TelemetryEvents['turn.usage'][] = [];
    bench.telemetry.on('turn.usage', (event) => told.push(event));
    const claim = await bench.handOver('m1');
    const tokens = { input: 10, output: 5, cache_read: 3, cache_write: 1, requests: 2 };
    const usage = [
      { provider: 'p', model: 'one', ...tokens },
      { provider: 'p', model: 'two', ...tokens, requests: 1 },
    ];
    await bench.shim({ type: 'started', admission: claim });
    await bench.shim({ ...bench.ended(claim, 'completed'), usage } as Parameters<TurnBench['shim']>[0]);
    await bench.shim({ ...bench.ended(claim, 'completed'), usage } as Parameters<TurnBench['shim']>[0]);
    const turn = { ingestSeq: 1, lane: 'lane-1', provider: 'p', input: 10, output: 5, cacheRead: 3, cacheWrite: 1 };
    expect(told).toEqual([
      { ...turn, model: 'one', requests: 2 },
      { ...turn, model: 'two', requests: 1 },
    ]);
    await bench.close();
  });
});
