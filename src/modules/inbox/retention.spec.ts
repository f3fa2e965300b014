// SPDX-License-Identifier: Apache-2.0
import { ManualClock } from '../../../test/support/manual-clock.js';
import { OperatorBench, RETENTION_LIMITS } from '../../../test/support/operator-bench.js';
import { newReceipt } from '../../../test/support/store.js';
import { AngeliaError, ErrorCode } from '../../common/errors.js';
import { Telemetry } from '../../common/telemetry.js';
import { Retention } from './retention.js';
import type { LedgerStore, RetentionResult, RetentionRules } from './store/index.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A ledger in which every step of retention waits for the test. */
class SteppedLedger {
  readonly rules: RetentionRules[] = [];
  private readonly steps: ((result: RetentionResult | AngeliaError) => void)[] = [];
  private arrivals: (() => void)[] = [];

  retain(rules: RetentionRules): Promise<RetentionResult> {
    this.rules.push(rules);
    for (const wake of this.arrivals.splice(0)) wake();
    return new Promise((resolve, reject) =>
      this.steps.push((result) => {
        if (result instanceof AngeliaError) reject(result);
        else resolve(result);
      }),
    );
  }

  /** Resolves when that many steps were begun in all. */
  async begun(count: number): Promise<void> {
    while (this.rules.length < count) await new Promise<void>((resolve) => this.arrivals.push(resolve));
  }

  /** Ends the step that runs. */
  settle(result: Partial<RetentionResult> | AngeliaError): void {
    const zero = { bodies: 0, rows: 0, keys: 0, more: false };
    this.steps.shift()?.(result instanceof AngeliaError ? result : { ...zero, ...result });
  }
}

describe('[INB-14] retention', () => {
  let clock: ManualClock;
  let telemetry: Telemetry;
  let ledger: SteppedLedger;
  let retention: Retention;

  beforeEach(() => {
    clock = new ManualClock();
    telemetry = new Telemetry();
    ledger = new SteppedLedger();
    retention = new Retention(ledger as unknown as LedgerStore, clock, telemetry, RETENTION_LIMITS);
  });

  /** Moves the clock until the rest between two steps has begun and is over. */
  async function rest(): Promise<void> {
    while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(20);
  }

  it('goes on in small steps, with a rest between them, until nothing is left', async () => {
    const passed = telemetry.next('retention.passed');
    const pass = retention.tick();
    await ledger.begun(1);
    ledger.settle({ bodies: 500, more: true });
    await rest();
    await ledger.begun(2);
    ledger.settle({ rows: 3, keys: 2 });
    await pass;
    expect(await passed).toEqual({ bodies: 500, rows: 3, keys: 2, steps: 2 });
    expect(retention.status).toEqual({ behind: false, passedAt: clock.now() });
    expect(ledger.rules[0]).toEqual({
      bodiesAfterMs: 30 * DAY_MS,
      rowsAfterMs: 90 * DAY_MS,
      maxTerminalRows: 1_000_000,
      dedupeHorizonMs: 90 * DAY_MS,
      limit: 500,
    });
  });

  it('begins the next pass after its interval, never two at once', async () => {
    const pass = retention.tick();
    expect(retention.tick()).toBe(pass);
    ledger.settle({});
    await pass;
    clock.advance(HOUR_MS - 1);
    await retention.tick();
    expect(ledger.rules).toHaveLength(1);
    clock.advance(1);
    const next = retention.tick();
    ledger.settle({});
    await next;
    expect(ledger.rules).toHaveLength(2);
  });

  it('ends after its step when the bridge stops, and begins no other', async () => {
    void retention.tick();
    const stopped = retention.stop();
    ledger.settle({ more: true });
    await stopped;
    clock.advance(HOUR_MS);
    await retention.tick();
    expect([ledger.rules.length, clock.pending, retention.status.passedAt]).toEqual([1, 0, null]);
  });

  it('cuts its rest short when the bridge stops', async () => {
    void retention.tick();
    ledger.settle({ more: true });
    while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
    await retention.stop();
    expect([ledger.rules.length, clock.pending]).toEqual([1, 0]);
  });

  it('is behind while it fails or takes too long', async () => {
    const errors = telemetry.next('error.unexpected');
    const failed = retention.tick();
    ledger.settle(new AngeliaError(ErrorCode.LedgerWriteFailed));
    await failed;
    expect(await errors).toMatchObject({ where: 'retention', code: 'ledger_write_failed' });
    expect(retention.status.behind).toBe(true);
    clock.advance(HOUR_MS);
    const slow = retention.tick();
    ledger.settle({ more: true });
    await rest();
    await ledger.begun(3);
    clock.advance(HOUR_MS + 1);
    expect(retention.status.behind).toBe(true);
    ledger.settle({});
    await slow;
    expect(retention.status.behind).toBe(false);
  });

  it('empties and removes what is old in the real ledger, and never what is open', async () => {
    const bench = await OperatorBench.open();
    const terminal = { state: 'completed', outcome: 'ignored_edited' } as const;
    const ended = await bench.store.admit(newReceipt('ended', { terminal, receivedAt: bench.clock.now() }));
    const open = await bench.admit('open');
    bench.clock.advance(31 * DAY_MS);
    await bench.retention.tick();
    expect(await bench.store.showReceipt(ended.ingestSeq, true)).toMatchObject({ content: { body: '' } });
    bench.clock.advance(60 * DAY_MS);
    await bench.retention.tick();
    expect(await bench.store.showReceipt(ended.ingestSeq, false)).toBeNull();
    expect(await bench.store.showReceipt(open, true)).toMatchObject({ content: { body: 'text of open' } });
    await bench.close();
  });
});
