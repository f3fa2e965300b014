// SPDX-License-Identifier: Apache-2.0
import { attachReport } from '../../../test/support/fake-hermes-host.js';
import { TurnBench } from '../../../test/support/turn-bench.js';
import { newReceipt } from '../../../test/support/store.js';
import { AngeliaError, ErrorCode } from '../../common/errors.js';
import { OutageHold } from '../inbox/index.js';
import type { EffectiveSettings } from './effective-settings.js';
import { HermesAttachment } from './hermes-attachment.js';

const WHY = { actor: 'admin', reason: 'seen' };
const MINUTE_MS = 60_000;

describe('what an attach does for the operator', () => {
  let bench: TurnBench;
  let attachment: HermesAttachment;

  beforeEach(async () => {
    bench = await TurnBench.open();
    const { store, scheduler, clock, telemetry } = bench;
    const settings = {
      adopt: () => Promise.resolve(),
      officialLocks: { profile: null, credential: null },
      current: null,
    };
    attachment = new HermesAttachment(
      store,
      scheduler,
      bench.recovery,
      bench.remediation,
      new OutageHold(store, scheduler, clock, telemetry, 30 * MINUTE_MS),
      bench.classifier,
      settings as unknown as EffectiveSettings,
      bench.host,
      bench.events,
      clock,
      telemetry,
      new AbortController().signal,
    );
  });

  afterEach(() => bench.close());

  async function attach(): Promise<void> {
    const report = attachReport();
    await attachment.attaching(report);
    bench.host.attach(report);
    attachment.attached(report);
  }

  /** A quarantined receipt of the ledger that the scheduler knows. */
  async function quarantined(): Promise<number> {
    const claim = 'c'.repeat(32);
    const { ingestSeq } = await bench.store.admit(newReceipt('first', { receivedAt: bench.clock.now() }));
    await bench.store.claim(ingestSeq, claim);
    await bench.store.markStarted(claim);
    await bench.store.markInDoubt(claim);
    await bench.store.quarantine(claim, 'quarantined_without_existing_session');
    const leftover = { ingestSeq, dispatchClass: 'ordinary', state: 'quarantined', claim: null, startedAt: 1 } as const;
    bench.scheduler.restore([
      { lane: 'lane-1', pending: [], leftovers: [{ ...leftover, messageId: 'first', channelId: 'ch_1' }] },
    ]);
    return ingestSeq;
  }

  it('[INB-5] a reset that is due is done before the first turn', async () => {
    const ingestSeq = await quarantined();
    bench.host.resetReply = () => Promise.reject(new AngeliaError(ErrorCode.LinkDetached));
    await bench.remediation.requeue(ingestSeq, WHY, true);
    const before: number[] = [];
    bench.host.resetReply = () => {
      before.push(bench.host.starts.length);
      return Promise.resolve({ existed: true });
    };
    const claimed = bench.telemetry.next('receipt.claimed');
    await attach();
    expect((await claimed).messageId).toBe('first');
    expect([before, bench.host.reset]).toEqual([[0], ['lane-1']]);
  });

  it('[INB-5] a reset that Hermes refuses keeps only its own lane closed', async () => {
    const ingestSeq = await quarantined();
    bench.host.resetReply = () => Promise.reject(new AngeliaError(ErrorCode.LinkDetached));
    await bench.remediation.requeue(ingestSeq, WHY, true);
    bench.host.resetReply = () => Promise.reject(new AngeliaError(ErrorCode.HermesStartRefused));
    await bench.admit('other', { lane: 'lane-2', receivedAt: bench.clock.now() });
    const claimed = bench.telemetry.next('receipt.claimed');
    await attach();
    expect((await claimed).messageId).toBe('other');
    expect(bench.scheduler.blockedLanes()).toMatchObject([{ lane: 'lane-1', block: 'reset_due' }]);
  });

  it('[OPS-5] what is too old when the dispatch opens waits for the operator', async () => {
    await bench.admit('old', { lane: 'lane-1', receivedAt: bench.clock.now() });
    bench.clock.advance(31 * MINUTE_MS);
    await bench.admit('new', { lane: 'lane-2', receivedAt: bench.clock.now() });
    const held = bench.telemetry.next('lanes.held');
    const claimed = bench.telemetry.next('receipt.claimed');
    await attach();
    expect([await held, (await claimed).messageId]).toEqual([{ lanes: 1, throughSeq: 1 }, 'new']);
  });
});
