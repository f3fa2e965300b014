// SPDX-License-Identifier: Apache-2.0
import { jest } from '@jest/globals';
import { ExchangeRules } from './exchange-rules.js';

describe('[BPP-1] response-pairs', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('takes a response within its time and refuses a later one', () => {
    const rules = new ExchangeRules(new Map());
    rules.requested('r1');
    rules.requested('r2');
    jest.advanceTimersByTime(8_000);
    expect(rules.response({ type: 'response', id: 'r1', data: null })).toBeNull();
    jest.advanceTimersByTime(1_500);
    expect(rules.response({ type: 'response', id: 'r2', data: null })).toMatchObject({ check: 'response-pairs' });
  });
});
