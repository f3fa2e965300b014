// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { newReceipt } from '../../support/store.js';
import { type MakeStore, StoreWorld } from './store-world.js';

/** A receipt as plain memory has it. */
interface ModelReceipt {
  state: 'pending' | 'processing' | 'in_doubt' | 'quarantined' | 'completed' | 'failed';
  claim: string | null;
  attempt: number;
  released: boolean;
  started: boolean;
  withdrawn: boolean;
}

interface Model {
  readonly receipts: ModelReceipt[];
  epoch: number;
}

type Command = fc.AsyncCommand<Model, StoreWorld>;

const LANES = 3;

/** ms; every restart of the model starts a thread, and the machine may be busy. */
const TIMEOUT = 60_000;
const laneOf = (index: number): string => `lane-${index % LANES}`;
const CLASSES = ['ordinary', 'control', 'urgent_stop'] as const;
const classOf = (index: number): (typeof CLASSES)[number] => CLASSES[index % CLASSES.length] ?? 'ordinary';

/** What any receipt may meet in any state: tells what the store has to answer and changes the model. */
type Step = (receipt: ModelReceipt, world: StoreWorld, index: number) => Promise<void>;

/** A command that runs steps on one receipt. */
function onReceipt(name: string, ...steps: readonly Step[]): fc.Arbitrary<Command> {
  return fc.nat({ max: 7 }).map((pick) => ({
    check: (model) => model.receipts.length > 0,
    run: async (model, world) => {
      const index = pick % model.receipts.length;
      const receipt = model.receipts[index];
      if (receipt === undefined) return;
      for (const step of steps) await step(receipt, world, index);
    },
    toString: () => `${name}(${pick})`,
  }));
}

const claimOf = (receipt: ModelReceipt): string => receipt.claim ?? 'no-claim';
const isRunning = (receipt: ModelReceipt): boolean => receipt.state === 'processing';

const admit: fc.Arbitrary<Command> = fc.nat({ max: 7 }).map((pick) => ({
  check: () => true,
  run: async (model, world) => {
    const known = model.receipts[pick];
    const index = known === undefined ? model.receipts.length : pick;
    const admitted = await world.store.admit(
      newReceipt(`m_${index}`, { lane: laneOf(index), dispatchClass: classOf(index) }),
    );
    expect(admitted).toMatchObject({
      ingestSeq: expect.any(Number),
      duplicate: known !== undefined,
      state: known?.state ?? 'pending',
    });
    if (known !== undefined) return;
    world.sequence.push(admitted.ingestSeq);
    model.receipts.push({
      state: 'pending',
      claim: null,
      attempt: 0,
      released: false,
      started: false,
      withdrawn: false,
    });
  },
  toString: () => `admit(${pick})`,
}));

const claim: Step = async (receipt, world, index) => {
  const token = `claim-${index}-${receipt.attempt + 1}`;
  const claimed = await world.store.claim(world.sequence[index] ?? 0, token);
  if (receipt.state !== 'pending') {
    expect(claimed).toBeNull();
    return;
  }
  Object.assign(receipt, { state: 'processing', claim: token, attempt: receipt.attempt + 1 });
  const { attempt, released } = receipt;
  const dispatchClass = classOf(index);
  expect(claimed).toMatchObject({
    claim: token,
    attempt,
    released,
    dispatchClass,
    startedAt: null,
    messageId: `m_${index}`,
  });
};

const started: Step = async (receipt, world) => {
  const result = await world.applyOne({ kind: 'started', claim: claimOf(receipt) });
  if (isRunning(receipt)) receipt.started = !receipt.withdrawn;
  const go = isRunning(receipt) && receipt.started;
  expect(result).toMatchObject({ go, status: isRunning(receipt) ? 'applied' : 'stale' });
};

const withdrawn: Step = async (receipt, world) => {
  const result = await world.applyOne({ kind: 'withdrawn', claim: claimOf(receipt) });
  expect(result.status).toBe(isRunning(receipt) ? 'applied' : 'stale');
  if (isRunning(receipt)) Object.assign(receipt, { started: false, withdrawn: true });
};

const finish =
  (to: 'completed' | 'failed'): Step =>
  async (receipt, world) => {
    const end = { to, outcome: to, errorCode: null, notice: null };
    const { status } = await world.store.endClaim(claimOf(receipt), end);
    expect(status).toBe(isRunning(receipt) ? 'applied' : 'stale');
    if (isRunning(receipt)) receipt.state = to;
  };

const release =
  (disproved: boolean): Step =>
  async (receipt, world) => {
    const { status } = await world.store.endClaim(claimOf(receipt), { to: 'pending', outcome: 'released', disproved });
    const legal = isRunning(receipt) && (disproved || !receipt.started);
    expect(status).toBe(legal ? 'applied' : 'stale');
    if (!legal) return;
    Object.assign(receipt, { state: 'pending', claim: null, released: true, started: false, withdrawn: false });
  };

const doubt: Step = async (receipt, world) => {
  expect(await world.store.markInDoubt(claimOf(receipt))).toBe(isRunning(receipt));
  if (isRunning(receipt)) receipt.state = 'in_doubt';
};

const quarantine: Step = async (receipt, world) => {
  const legal = receipt.state === 'in_doubt';
  expect(await world.store.quarantine(claimOf(receipt), 'suspended')).toBe(legal);
  if (legal) receipt.state = 'quarantined';
};

const remediate =
  (action: 'discard' | 'requeue'): Step =>
  async (receipt, world, index) => {
    const order = { action, actor: 'operator', reason: 'because', sessionReset: true };
    const result = await world.store.remediate(world.sequence[index] ?? 0, order);
    const legal = receipt.state === 'quarantined';
    expect(result).toEqual(
      legal ? { remediationId: expect.any(Number), lane: laneOf(index), dispatchClass: classOf(index) } : null,
    );
    if (!legal) return;
    if (action === 'discard') receipt.state = 'failed';
    else Object.assign(receipt, { state: 'pending', claim: null, released: false, started: false, withdrawn: false });
  };

const restart: fc.Arbitrary<Command> = fc.constant({
  check: () => true,
  run: async (model, world) => {
    const opened = await world.open();
    model.epoch += 1;
    expect(opened.epoch).toBe(model.epoch);
    const open = model.receipts.flatMap(({ state, claim: token, started: isStarted }, index) => {
      if (state === 'completed' || state === 'failed') return [];
      const claimed = state === 'processing' || state === 'in_doubt';
      return [
        [laneOf(index), world.sequence[index], classOf(index), state, claimed ? token : null, claimed && isStarted],
      ];
    });
    const found = opened.lanes.flatMap(({ lane, pending, leftovers }) => [
      ...pending.map(({ ingestSeq, dispatchClass }) => [lane, ingestSeq, dispatchClass, 'pending', null, false]),
      ...leftovers.map((row) => [
        lane,
        row.ingestSeq,
        row.dispatchClass,
        row.state,
        row.claim,
        row.state !== 'quarantined' && row.startedAt !== null,
      ]),
    ]);
    const bySequence = (a: readonly unknown[], b: readonly unknown[]): number => Number(a[1]) - Number(b[1]);
    expect(found.sort(bySequence)).toEqual(open.sort(bySequence));
  },
  toString: () => 'restart',
});

const COMMANDS = [
  admit,
  admit,
  onReceipt('claim', claim),
  onReceipt('claim', claim),
  onReceipt('started', started),
  onReceipt('withdrawn', withdrawn),
  onReceipt('completed', finish('completed')),
  onReceipt('failed', finish('failed')),
  onReceipt('release', release(false)),
  onReceipt('disprove', release(true)),
  onReceipt('doubt', doubt),
  onReceipt('quarantine', quarantine),
  // The whole way to quarantine at once: single steps hardly ever meet on one receipt.
  ...[1, 2, 3].map(() => onReceipt('strand', claim, started, doubt, quarantine)),
  onReceipt('discard', remediate('discard')),
  onReceipt('requeue', remediate('requeue')),
  onReceipt('requeue', remediate('requeue')),
  restart,
];

/**
 * The receipt machine against a plain model of it: whatever comes in whatever order, the store answers as the model does.
 * @param runs sequences of commands that are tried
 */
export function describeReceiptModel(make: MakeStore, runs: number): void {
  describe('[INB-2] [INB-4] [INB-5] the receipt machine', () => {
    it(
      '[INB-2] [INB-4] [INB-5] agrees with a plain model of it over any sequence of events and restarts',
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 40, size: '+1' }), async (commands) => {
            const world = new StoreWorld(make);
            try {
              await world.open();
              await fc.asyncModelRun(() => ({ model: { receipts: [], epoch: 1 }, real: world }), commands);
            } finally {
              await world.end();
            }
          }),
          { numRuns: runs },
        );
      },
      TIMEOUT,
    );
  });
}
