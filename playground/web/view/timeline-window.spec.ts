// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { type ChatMessage } from '../api/wire.js';
import {
  around,
  boundsOf,
  downwards,
  LATEST,
  MAX_ROWS,
  OPENING_ROWS,
  settled,
  STEP_ROWS,
  type TimelineWindow,
  trimmed,
  upwards,
} from './timeline-window.js';

const messages = (count: number, from = 0): ChatMessage[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(from + index) }) as ChatMessage);

describe('[PLY-1] the drawn part of a timeline', () => {
  it('opens at the end', () => {
    expect(boundsOf(messages(500), LATEST)).toEqual([500 - OPENING_ROWS, 500]);
    expect(boundsOf(messages(3), LATEST)).toEqual([0, 3]);
    expect(boundsOf([], LATEST)).toEqual([0, 0]);
  });

  it('stays where it is when messages come behind and before it', () => {
    const window = around(messages(500, 1_000), 100);
    const [start, end] = boundsOf(messages(500, 1_000), window);
    expect(boundsOf(messages(700, 800), window)).toEqual([start + 200, end + 200]);
    expect(boundsOf(messages(900, 1_000), window)).toEqual([start, end]);
  });

  it('at the newest message it grows with what comes, until it is cut back', () => {
    const window = settled(messages(100), LATEST);
    expect(boundsOf(messages(150), window)).toEqual([100 - OPENING_ROWS, 150]);
    expect(trimmed(messages(150), window)).toBe(window);
    expect(boundsOf(messages(400), trimmed(messages(400), window))).toEqual([400 - OPENING_ROWS, 400]);
  });

  it('goes back to the newest messages when its ends are gone', () => {
    expect(boundsOf(messages(300, 5_000), around(messages(300), 10))).toEqual([300 - OPENING_ROWS, 300]);
  });

  it('has a message in its middle', () => {
    expect(boundsOf(messages(500), around(messages(500), 250))).toEqual([
      250 - OPENING_ROWS / 2,
      250 + OPENING_ROWS / 2,
    ]);
    expect(boundsOf(messages(500), around(messages(500), 3))).toEqual([0, OPENING_ROWS]);
  });

  it('steps up and down, overlaps with what was drawn, and is never larger than its bound', () => {
    const steps = fc.array(fc.constantFrom(upwards, downwards), { maxLength: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), steps, (count, moves) => {
        const all = messages(count);
        let window: TimelineWindow = settled(all, LATEST);
        for (const move of moves) {
          const [start, end] = boundsOf(all, window);
          window = move(all, window);
          const [nextStart, nextEnd] = boundsOf(all, window);
          expect(nextEnd - nextStart).toBeLessThanOrEqual(MAX_ROWS);
          expect(nextStart).toBe(
            move === upwards ? Math.max(0, start - STEP_ROWS) : Math.max(start, nextEnd - MAX_ROWS),
          );
          expect(nextStart).toBeLessThan(end);
          expect(nextEnd).toBeGreaterThan(start);
        }
      }),
    );
  });
});
