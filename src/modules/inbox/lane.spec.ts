// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { Lane } from './lane.js';

describe('[SCH-1] Lane', () => {
  it('gives its receipts in the order in which they came', () => {
    const lane = new Lane('l');
    for (let seq = 1; seq <= 5000; seq += 1) lane.push(seq);
    const taken: number[] = [];
    while (lane.ready) {
      taken.push(lane.take());
      lane.vacate();
    }
    expect(taken).toEqual(Array.from({ length: 5000 }, (_, index) => index + 1));
    expect(lane.idle).toBe(true);
  });

  it('has nothing to take while a claim runs', () => {
    const lane = new Lane('l');
    lane.push(1);
    lane.push(2);
    lane.take();
    expect(lane.ready).toBe(false);
    expect(() => lane.take()).toThrow('nothing to take');
    lane.vacate();
    expect(lane.take()).toBe(2);
  });

  it('puts a released receipt in front again', () => {
    const lane = new Lane('l');
    lane.push(1);
    lane.push(2);
    const head = lane.take();
    lane.vacate();
    lane.pushFront(head);
    expect(lane.take()).toBe(1);
  });

  it('takes nothing while it is blocked or rests', () => {
    const lane = new Lane('l');
    lane.push(2);
    lane.setBlock(1, 'quarantined');
    expect([lane.ready, lane.block]).toEqual([false, 'quarantined']);
    lane.clearBlock(1);
    lane.setResting(true);
    expect([lane.ready, lane.block]).toEqual([false, null]);
    lane.setResting(false);
    expect(lane.ready).toBe(true);
  });

  it('keeps the order whatever is pushed, taken and released', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('push', 'run', 'release')), (steps) => {
        const lane = new Lane('l');
        const model: number[] = [];
        let next = 1;
        for (const step of steps) {
          if (step === 'push') {
            lane.push(next);
            model.push(next);
            next += 1;
          } else if (lane.ready) {
            const head = lane.take();
            expect(head).toBe(model[0]);
            lane.vacate();
            if (step === 'release') lane.pushFront(head);
            else model.shift();
          }
          expect(lane.depth).toBe(model.length);
        }
      }),
    );
  });
});
