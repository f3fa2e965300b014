// SPDX-License-Identifier: Apache-2.0
import { jest } from '@jest/globals';
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { Test, type TestingModule } from '@nestjs/testing';
import { Telemetry, type TelemetryEvents } from '../../../common/telemetry.js';
import { HEALTH_WATCH_INTERVAL_MS, HealthWatch } from './health-watch.js';
import { HealthService, type HealthState } from './health.service.js';

describe('[QLT-5] HealthWatch', () => {
  let module: TestingModule;
  let report: HealthState;
  let changes: TelemetryEvents['health.changed'][];

  beforeEach(async () => {
    jest.useFakeTimers();
    report = { status: 'ok', reasons: [] };
    changes = [];
    const telemetry = new Telemetry();
    telemetry.on('health.changed', (change) => changes.push(change));
    module = await Test.createTestingModule({
      imports: [ScheduleModule.forRoot()],
      providers: [
        HealthWatch,
        { provide: HealthService, useValue: { snapshot: () => Promise.resolve(report) } },
        { provide: Telemetry, useValue: telemetry },
      ],
    }).compile();
    await module.init();
  });

  afterEach(async () => {
    await module.close();
    jest.useRealTimers();
  });

  const red: HealthState = {
    status: 'red',
    reasons: [{ name: 'hermes_detached', severity: 'red', code: null, sentence: '', details: {} }],
  };

  it('says each change once', async () => {
    await jest.advanceTimersByTimeAsync(HEALTH_WATCH_INTERVAL_MS);
    report = red;
    await jest.advanceTimersByTimeAsync(2 * HEALTH_WATCH_INTERVAL_MS);
    report = { status: 'ok', reasons: [] };
    await jest.advanceTimersByTimeAsync(HEALTH_WATCH_INTERVAL_MS);
    expect(changes).toEqual([
      { status: 'red', reasons: 'hermes_detached' },
      { status: 'ok', reasons: '' },
    ]);
  });

  it('can be cancelled, and ends with the application', async () => {
    const registry = module.get(SchedulerRegistry);
    expect(registry.getIntervals()).toEqual(['health-watch']);
    registry.deleteInterval('health-watch');
    report = red;
    await jest.advanceTimersByTimeAsync(HEALTH_WATCH_INTERVAL_MS);
    expect(changes).toEqual([]);
    await module.close();
    expect(jest.getTimerCount()).toBe(0);
  });
});
