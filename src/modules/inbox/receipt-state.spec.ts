// SPDX-License-Identifier: Apache-2.0
import { mayRelease, nextState, RECEIPT_MOVES, type ReceiptMove } from './receipt-state.js';
import { OPEN_STATES, type ReceiptState } from './store/index.js';

const STATES: readonly ReceiptState[] = ['pending', 'processing', 'in_doubt', 'quarantined', 'completed', 'failed'];

/** Written by hand from the drawing: for each state the moves that leave it, and where they lead. */
const LEGAL: Readonly<Record<ReceiptState, Partial<Record<ReceiptMove, ReceiptState>>>> = {
  pending: { claim: 'processing' },
  processing: { complete: 'completed', fail: 'failed', release: 'pending', doubt: 'in_doubt' },
  in_doubt: { quarantine: 'quarantined' },
  quarantined: { discard: 'failed', requeue: 'pending' },
  completed: {},
  failed: {},
};

const MOVES = Object.keys(RECEIPT_MOVES) as ReceiptMove[];
const pairs = STATES.flatMap((state) => MOVES.map((move) => [state, move, LEGAL[state][move] ?? null] as const));

describe('[INB-2] the moves of a receipt', () => {
  it.each(pairs.filter(([, , to]) => to !== null))('[INB-2] %s, %s: leads to %s', (state, move, to) => {
    expect(nextState(state, move)).toBe(to);
  });

  it.each(pairs.filter(([, , to]) => to === null))('[INB-2] %s, %s: is refused', (state, move) => {
    expect(nextState(state, move)).toBeNull();
  });

  it('[INB-2] cover every pair of a state and a move', () => {
    expect(pairs).toHaveLength(48);
    expect(MOVES.sort()).toEqual(['claim', 'complete', 'discard', 'doubt', 'fail', 'quarantine', 'release', 'requeue']);
  });

  it('[INB-4] [INB-5] never lead back to pending but by a release or by the operator', () => {
    const back = MOVES.filter((move) => STATES.some((state) => nextState(state, move) === 'pending'));
    expect(back.sort()).toEqual(['release', 'requeue']);
  });

  it('[INB-2] leave exactly the open states', () => {
    const left = STATES.filter((state) => MOVES.some((move) => nextState(state, move) !== null));
    expect(left).toEqual([...OPEN_STATES]);
  });
});

describe('[INB-12] a release', () => {
  it.each([
    [null, false, true],
    [1_000, false, false],
    [0, false, false],
    [1_000, true, true],
    [null, true, true],
  ])('[INB-12] with a start at %s, disproved %s: allowed %s', (startedAt, disproved, allowed) => {
    expect(mayRelease(startedAt, disproved)).toBe(allowed);
  });
});
