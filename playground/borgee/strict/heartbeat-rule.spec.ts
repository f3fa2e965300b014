// SPDX-License-Identifier: Apache-2.0
import { jest } from '@jest/globals';
import type { Violation } from './checks.js';
import { HeartbeatRule } from './heartbeat-rule.js';

describe('[BPP-1] heartbeat-interval', () => {
  let missing: Violation[];
  let rule: HeartbeatRule;
  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
    jest.advanceTimersByTime(1);
    missing = [];
    rule = new HeartbeatRule({ minMs: 15_000, maxMs: 40_000 }, (broken) => missing.push(broken));
  });
  afterEach(() => jest.useRealTimers());

  it('takes a beat every 30 s and misses the one that does not come', () => {
    rule.expect();
    for (let beat = 0; beat < 3; beat += 1) {
      jest.advanceTimersByTime(30_000);
      expect(rule.beat()).toBeNull();
    }
    jest.advanceTimersByTime(39_999);
    expect(missing).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(missing).toEqual([{ check: 'heartbeat-interval', detail: 'none for 40000 ms' }]);
  });

  it('refuses a beat that comes too early', () => {
    rule.expect();
    jest.advanceTimersByTime(14_999);
    expect(rule.beat()).toMatchObject({ check: 'heartbeat-interval' });
  });

  it('begins once: a later sign of being online does not move the pause', () => {
    rule.expect();
    jest.advanceTimersByTime(20_000);
    rule.expect();
    jest.advanceTimersByTime(10_000);
    expect(rule.beat()).toBeNull();
  });

  it('asks for nothing while the identity is unknown', () => {
    rule.expect();
    rule.withhold();
    jest.advanceTimersByTime(100_000);
    expect(missing).toEqual([]);
    rule.expect();
    jest.advanceTimersByTime(40_000);
    expect(missing).toHaveLength(1);
  });

  it('asks for nothing while nothing is read, and takes what piled up', () => {
    rule.expect();
    rule.suspend();
    jest.advanceTimersByTime(100_000);
    expect(missing).toEqual([]);
    rule.resume();
    expect([rule.beat(), rule.beat()]).toEqual([null, null]);
    jest.advanceTimersByTime(30_000);
    expect(rule.beat()).toBeNull();
    jest.advanceTimersByTime(1_000);
    expect(rule.beat()).not.toBeNull();
  });

  it('stays silent when it is resumed before it began', () => {
    rule.suspend();
    rule.resume();
    jest.advanceTimersByTime(100_000);
    expect(missing).toEqual([]);
  });
});
