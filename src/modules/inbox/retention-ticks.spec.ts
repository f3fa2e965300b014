// SPDX-License-Identifier: Apache-2.0
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { Test } from '@nestjs/testing';
import { RetentionTicks } from './retention-ticks.js';
import { Retention } from './retention.js';

describe('[INB-14] [U-2] the schedule of retention', () => {
  it('lets retention look at the clock while the application runs, and leaves no timer', async () => {
    let ticks = 0;
    const retention = {
      tick: () => {
        ticks += 1;
        return Promise.resolve();
      },
    };
    const module = await Test.createTestingModule({
      imports: [ScheduleModule.forRoot()],
      providers: [RetentionTicks, { provide: Retention, useValue: retention }],
    }).compile();
    await module.init();
    const registry = module.get(SchedulerRegistry);
    expect(registry.getIntervals()).toEqual(['retention']);
    await module.get(RetentionTicks).tick();
    expect(ticks).toBe(1);
    await module.close();
    expect(registry.getIntervals()).toEqual([]);
  });
});
