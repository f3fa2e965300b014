// SPDX-License-Identifier: Apache-2.0
import { ManualClock } from '../../../../test/support/manual-clock.js';
import { NonceTable } from './nonce-table.js';

describe('[HST-10] nonces of the bridge', () => {
  const clock = new ManualClock();
  const table = new NonceTable(clock, 10_000, 3);

  it('[HST-10] are 64 hex characters, each another', () => {
    const first = table.issue('a');
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(table.issue('a')).not.toBe(first);
  });

  it('[HST-10] serve once', () => {
    const nonce = table.issue('a');
    expect(table.take(nonce)).toBe('a');
    expect(table.take(nonce)).toBeNull();
    expect(table.take('0'.repeat(64))).toBeNull();
  });

  it('[HST-10] live until their time is over', () => {
    const young = table.issue('young');
    clock.advance(9_999);
    const younger = table.issue('younger');
    expect(table.take(young)).toBe('young');
    clock.advance(10_000);
    expect(table.take(younger)).toBeNull();
  });

  it('[HST-10] are bounded: the oldest gives way', () => {
    const nonces = ['a', 'b', 'c', 'd'].map((shim) => table.issue(shim));
    expect(nonces.map((nonce) => table.take(nonce))).toEqual([null, 'b', 'c', 'd']);
  });
});
