// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import type { DispatchClass } from './dispatch-class.js';
import { Lane, type WorkKind } from './lane.js';

/** A lane with these receipts, numbered from 1. */
function laneOf(...classes: DispatchClass[]): Lane {
  const lane = new Lane('l');
  classes.forEach((dispatchClass, index) => lane.push(index + 1, dispatchClass));
  return lane;
}

/** Takes the head and lets Hermes have it. */
function activate(lane: Lane): number {
  const { ingestSeq } = lane.take('ordinary');
  lane.setActive(true);
  return ingestSeq;
}

describe('[SCH-1] Lane', () => {
  it('gives its receipts in the order in which they came', () => {
    const lane = laneOf(...Array.from({ length: 5000 }, () => 'ordinary' as const));
    const taken: number[] = [];
    while (lane.ready('ordinary')) {
      taken.push(lane.take('ordinary').ingestSeq);
      lane.vacate('ordinary');
    }
    expect(taken).toEqual(Array.from({ length: 5000 }, (_, index) => index + 1));
    expect(lane.idle).toBe(true);
  });

  it('has nothing to take while a turn runs', () => {
    const lane = laneOf('ordinary', 'ordinary');
    lane.take('ordinary');
    expect(lane.ready('ordinary')).toBe(false);
    expect(() => lane.take('ordinary')).toThrow('nothing to take');
    lane.vacate('ordinary');
    expect(lane.take('ordinary').ingestSeq).toBe(2);
  });

  it('puts a released receipt in front again', () => {
    const lane = laneOf('ordinary', 'ordinary');
    const head = lane.take('ordinary');
    lane.vacate('ordinary');
    lane.giveBack('ordinary', head);
    expect(lane.take('ordinary').ingestSeq).toBe(1);
  });

  it('puts receipts that come back into the order of their numbers', () => {
    const lane = laneOf('ordinary', 'ordinary', 'ordinary');
    const taken = [1, 2].map(() => {
      const receipt = lane.take('ordinary');
      lane.vacate('ordinary');
      return receipt;
    });
    for (const receipt of taken) lane.requeue(receipt);
    expect([lane.take('ordinary').ingestSeq, lane.head]).toEqual([1, 2]);
  });

  it('[OPS-5] holds what is old until the operator lets it go, and then for good', () => {
    const lane = laneOf('ordinary', 'ordinary', 'ordinary');
    lane.hold(2);
    expect([lane.ready('ordinary'), lane.held, lane.head]).toEqual([false, true, 1]);
    lane.letGo();
    lane.hold(2);
    expect([lane.ready('ordinary'), lane.held]).toEqual([true, false]);
    lane.hold(3);
    expect(lane.held).toBe(true);
  });

  it('[OPS-5] holds nothing new, and nothing that the operator requeued', () => {
    const lane = laneOf('ordinary', 'ordinary');
    lane.take('ordinary');
    lane.vacate('ordinary');
    lane.hold(1);
    expect(lane.held).toBe(false);
    lane.requeue({ ingestSeq: 1, dispatchClass: 'ordinary' });
    expect([lane.held, lane.take('ordinary').ingestSeq]).toEqual([false, 1]);
  });

  it('names everything that blocks it, the oldest first', () => {
    const lane = laneOf('ordinary');
    lane.setBlock(7, 'quarantined');
    lane.setBlock(8, 'in_doubt');
    lane.setBlock(7, 'reset_due');
    expect(lane.blockers).toEqual([
      { ingestSeq: 7, block: 'reset_due' },
      { ingestSeq: 8, block: 'in_doubt' },
    ]);
    expect(lane.block).toBe('reset_due');
  });

  it('takes nothing while it is blocked, rests or is paused', () => {
    const lane = laneOf('ordinary');
    lane.setBlock(9, 'quarantined');
    expect([lane.ready('ordinary'), lane.block]).toEqual([false, 'quarantined']);
    lane.clearBlock(9);
    lane.setResting(true);
    expect(lane.ready('ordinary')).toBe(false);
    lane.setResting(false);
    lane.setPaused(true);
    expect([lane.ready('ordinary'), lane.paused]).toEqual([false, true]);
    lane.setPaused(false);
    expect(lane.ready('ordinary')).toBe(true);
  });

  it('[D-12] never gives out an unclassified head, until it has its class', () => {
    const lane = laneOf('unclassified', 'ordinary');
    expect(lane.ready('ordinary')).toBe(false);
    lane.reclassify(1, 'control');
    expect(lane.take('ordinary')).toEqual({ ingestSeq: 1, dispatchClass: 'control' });
  });
});

describe('[SCH-2] [SCH-3] control work of a lane', () => {
  it('takes a command for an idle session for an ordinary head', () => {
    const lane = laneOf('control', 'urgent_stop');
    expect([lane.ready('control'), lane.ready('urgent')]).toEqual([false, false]);
    expect(activate(lane)).toBe(1);
    expect(lane.ready('control')).toBe(false);
    expect(lane.take('urgent')).toEqual({ ingestSeq: 2, dispatchClass: 'urgent_stop' });
  });

  it('bypasses an active turn, any backlog and any block, one of its kind at a time', () => {
    const lane = laneOf(
      ...Array.from({ length: 1000 }, () => 'ordinary' as const),
      'control',
      'control',
      'urgent_stop',
    );
    expect(lane.ready('control')).toBe(false);
    activate(lane);
    lane.setBlock(0, 'quarantined');
    expect(lane.take('control').ingestSeq).toBe(1001);
    expect(lane.ready('control')).toBe(false);
    expect(lane.take('urgent').ingestSeq).toBe(1003);
    lane.vacate('control');
    expect(lane.ready('control')).toBe(false);
    lane.vacate('urgent');
    expect(lane.take('control').ingestSeq).toBe(1002);
    expect(lane.depth).toBe(999);
  });

  it('waits for its place in the line when the session went idle meanwhile', () => {
    const lane = laneOf('ordinary', 'ordinary', 'control');
    activate(lane);
    const control = lane.take('control');
    lane.giveBack('control', control);
    lane.vacate('control');
    lane.vacate('ordinary');
    expect(lane.ready('control')).toBe(false);
    expect([lane.take('ordinary').ingestSeq, lane.depth]).toEqual([2, 1]);
    lane.vacate('ordinary');
    expect(lane.take('ordinary')).toEqual({ ingestSeq: 3, dispatchClass: 'control' });
  });

  it('lets no ordinary turn begin while a control of its lane still runs', () => {
    const lane = laneOf('ordinary', 'control', 'ordinary');
    activate(lane);
    lane.take('control');
    lane.vacate('ordinary');
    expect(lane.ready('ordinary')).toBe(false);
    lane.vacate('control');
    expect(lane.take('ordinary').ingestSeq).toBe(3);
  });

  it('runs every receipt once and ordinary ones in order, whatever happens', () => {
    const classes = fc.constantFrom<DispatchClass>('ordinary', 'control', 'urgent_stop');
    const step = fc.oneof(
      classes.map((dispatchClass) => ({ push: dispatchClass })),
      fc.constantFrom<{ run: WorkKind; release: boolean }>(
        ...(['ordinary', 'control', 'urgent'] as const).flatMap((run) => [
          { run, release: false },
          { run, release: true },
        ]),
      ),
      fc.constant({ activate: true }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const lane = new Lane('l');
        const done: number[] = [];
        const ordinary: number[] = [];
        let pushed = 0;
        for (const next of steps) {
          if ('push' in next) lane.push((pushed += 1), next.push);
          else if ('run' in next) {
            if (!lane.ready(next.run)) continue;
            const taken = lane.take(next.run);
            lane.vacate(next.run);
            if (next.release) lane.giveBack(next.run, taken);
            else {
              done.push(taken.ingestSeq);
              if (taken.dispatchClass === 'ordinary') ordinary.push(taken.ingestSeq);
            }
          } else lane.setActive(true);
          expect(lane.depth).toBe(pushed - done.length);
        }
        expect(new Set(done).size).toBe(done.length);
        expect(ordinary).toEqual([...ordinary].sort((a, b) => a - b));
      }),
    );
  });
});
