// SPDX-License-Identifier: Apache-2.0
import { sameDay, Times, untilMidnight } from './times.js';

const at = (...parts: [number, number, number, number?, number?]): number => new Date(...parts).getTime();

describe('[PLY-1] days and times of messages', () => {
  const times = new Times('en-GB');
  const now = at(2026, 2, 30, 0, 30);

  it.each([
    [at(2026, 2, 30, 0, 1), 'Today'],
    [at(2026, 2, 29, 23, 59), 'Yesterday'],
    [at(2026, 2, 28, 23, 59), 'Saturday 28 March'],
    [at(2025, 11, 31, 12), '31 December 2025'],
  ])('the day of %d', (time, day) => {
    expect(times.day(time, now)).toBe(day);
  });

  it('hour and minute, and the whole', () => {
    expect(times.clock(at(2026, 0, 2, 9, 5))).toBe('09:05');
    expect(times.full(at(2026, 0, 2, 9, 5))).toBe('Friday, 2 January 2026 at 09:05:00');
  });

  it('one day is one day, however long it is', () => {
    expect(sameDay(at(2026, 2, 29, 0, 0), at(2026, 2, 29, 23, 59))).toBe(true);
    expect(sameDay(at(2026, 2, 29, 23, 59), at(2026, 2, 30, 0, 0))).toBe(false);
  });

  it('midnight is as far as it is', () => {
    expect(untilMidnight(at(2026, 0, 2, 23, 59))).toBe(60_000);
    expect(untilMidnight(at(2026, 0, 2))).toBe(86_400_000);
  });
});
