// SPDX-License-Identifier: Apache-2.0
import { ManualClock } from '../../../../test/support/manual-clock.js';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import { Telemetry } from '../../../common/telemetry.js';
import type { InboundEvent, InboundHandler } from '../chat-server.js';
import { DEFAULT_CLIENT_OPTIONS } from './client-options.js';
import { Counters } from './counters.js';
import { Intake } from './intake.js';

const event = (messageId: string): InboundEvent => ({
  kind: 'message',
  channelId: 'c1',
  channelType: 'channel',
  messageId,
  authorId: 'u1',
  authorName: 'Ann',
  body: 'hello',
  sourceCreatedAt: 1,
  context: null,
  evidence: Buffer.alloc(16),
  ignored: null,
});

interface Call {
  readonly event: InboundEvent;
  readonly commit: () => void;
  readonly fail: (code?: ErrorCode) => void;
}

/** A ledger that does what the test says. */
class Ledger implements InboundHandler {
  readonly calls: Call[] = [];
  readonly committed: string[] = [];
  probes = 0;
  writable = true;
  /** Commits by itself, unless the id is refused. */
  automatic = false;
  readonly refused = new Set<string>();

  receive(received: InboundEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      const commit = (): void => {
        this.committed.push(`${received.messageId}${received.ignored === null ? '' : ` ${received.ignored}`}`);
        resolve();
      };
      const fail = (code = ErrorCode.LedgerWriteFailed): void => reject(new AngeliaError(code));
      if (!this.automatic) this.calls.push({ event: received, commit, fail });
      else if (this.refused.has(received.messageId) && received.ignored === null) fail(ErrorCode.Internal);
      else commit();
    });
  }

  probe(): Promise<void> {
    this.probes += 1;
    return this.writable ? Promise.resolve() : Promise.reject(new AngeliaError(ErrorCode.LedgerWriteFailed));
  }

  rememberOutbound(): Promise<void> {
    return Promise.resolve();
  }

  get waiting(): string[] {
    return this.calls.map((call) => call.event.messageId);
  }
}

interface Setup {
  readonly intake: Intake;
  readonly ledger: Ledger;
  readonly clock: ManualClock;
  readonly telemetry: Telemetry;
  readonly counters: Counters;
  readonly log: string[];
}

function setup(): Setup {
  const clock = new ManualClock();
  const ledger = new Ledger();
  const telemetry = new Telemetry();
  const counters = new Counters();
  const log: string[] = [];
  const bounds = { maxBytes: 100, stallMs: 60_000 };
  const intake = new Intake(ledger, clock, telemetry, counters, DEFAULT_CLIENT_OPTIONS, () => bounds, {
    paused: (paused) => log.push(paused ? 'paused' : 'resumed'),
    stalled: () => log.push('stalled'),
  });
  return { intake, ledger, clock, telemetry, counters, log };
}

/** Lets promises that are ready run. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const never = new AbortController().signal;

describe('[INB-13] reading at full speed', () => {
  it('gives every event at once and in order, without waiting for the one before', async () => {
    const { intake, ledger } = setup();
    for (const id of ['a', 'b', 'c']) intake.offer(event(id), 10);
    expect(ledger.waiting).toEqual(['a', 'b', 'c']);
    expect(intake.queuedBytes).toBe(30);
    for (const call of ledger.calls) call.commit();
    await settle();
    expect(intake.queuedBytes).toBe(0);
  });

  it('pauses reading at the bound and resumes below half of it', async () => {
    const { intake, ledger, log, clock } = setup();
    for (const id of ['a', 'b', 'c', 'd']) intake.offer(event(id), 25);
    expect(log).toEqual(['paused']);
    ledger.calls[0]?.commit();
    ledger.calls[1]?.commit();
    await settle();
    expect(log).toEqual(['paused']);
    ledger.calls[2]?.commit();
    await settle();
    expect(log).toEqual(['paused', 'resumed']);
    expect(clock.pending).toBe(0);
  });

  it('speaks of a stalled store only when nothing at all is committed for the whole time', async () => {
    const { intake, ledger, log, clock } = setup();
    for (const id of ['a', 'b', 'c', 'd']) intake.offer(event(id), 25);
    clock.advance(50_000);
    ledger.calls[0]?.commit();
    await settle();
    clock.advance(59_999);
    expect(log).toEqual(['paused']);
    clock.advance(1);
    expect(log).toEqual(['paused', 'stalled']);
  });

  it('tells when a receipt is on disk, and not before', async () => {
    const { intake, ledger } = setup();
    const log: string[] = [];
    intake.offer(event('a'), 10, () => log.push('committed'));
    await settle();
    expect(log).toEqual([]);
    ledger.calls[0]?.commit();
    await settle();
    expect(log).toEqual(['committed']);
  });

  it('lets a reader wait for room', async () => {
    const { intake, ledger } = setup();
    intake.offer(event('a'), 100);
    const room = intake.untilRoom(never);
    ledger.calls[0]?.commit();
    await room;
    expect(intake.paused).toBe(false);
    const aborted = new AbortController();
    intake.offer(event('b'), 100);
    const given = intake.untilRoom(aborted.signal);
    aborted.abort();
    await given;
    expect(intake.paused).toBe(true);
  });
});

describe('[INB-1] a ledger that refuses', () => {
  it('gets everything again in its order, once a probe has succeeded', async () => {
    const { intake, ledger, clock } = setup();
    for (const id of ['a', 'b', 'c']) intake.offer(event(id), 10);
    const [a, b, c] = ledger.calls.splice(0);
    ledger.writable = false;
    c!.fail();
    a!.fail();
    await settle();
    intake.offer(event('d'), 10);
    expect(ledger.probes).toBe(0);
    b!.commit();
    await settle();
    expect(ledger.probes).toBe(1);
    expect(ledger.waiting).toEqual([]);
    clock.advance(100);
    await settle();
    expect(ledger.probes).toBe(2);
    ledger.writable = true;
    clock.advance(200);
    await settle();
    expect(ledger.waiting).toEqual(['a', 'c', 'd']);
    expect(intake.queuedBytes).toBe(30);
  });

  it('is asked ever more slowly, and never given up', async () => {
    const { intake, ledger, clock } = setup();
    ledger.writable = false;
    intake.offer(event('a'), 10);
    ledger.calls[0]?.fail();
    for (let i = 0; i < 600; i += 1) {
      await settle();
      clock.advance(1_000);
    }
    expect(ledger.probes).toBeGreaterThan(100);
    expect(ledger.probes).toBeLessThan(140);
    ledger.writable = true;
    clock.advance(5_000);
    await settle();
    expect(ledger.waiting).toEqual(['a', 'a']);
  });

  it('is not stormed when the probe passes and the event does not', async () => {
    const { intake, ledger, clock } = setup();
    intake.offer(event('a'), 10);
    for (let round = 1; round <= 30; round += 1) {
      ledger.calls.at(-1)?.fail();
      await settle();
      clock.advance(1_000);
      await settle();
    }
    expect(ledger.calls.length).toBeLessThan(16);
    expect(ledger.calls.every((call) => call.event.ignored === null)).toBe(true);
  });

  it('can be waited for', async () => {
    const { intake, ledger, clock } = setup();
    ledger.writable = false;
    const writable = intake.untilWritable(never);
    await settle();
    ledger.writable = true;
    clock.advance(100);
    await writable;
    expect(ledger.probes).toBe(2);
  });
});

describe('[INB-16] an event that the handler chokes on', () => {
  it('becomes an undecodable receipt while all others go through', async () => {
    const { intake, ledger, clock, telemetry, counters } = setup();
    const unexpected = telemetry.next('error.unexpected');
    ledger.automatic = true;
    ledger.refused.add('bad');
    intake.offer(event('bad'), 10);
    for (let i = 0; i < 10; i += 1) {
      intake.offer(event(`good${i}`), 10);
      await settle();
      clock.advance(5_000);
      await settle();
    }
    expect(ledger.committed).toContain('bad undecodable');
    expect(ledger.committed.filter((line) => line.startsWith('good'))).toHaveLength(10);
    expect(await unexpected).toMatchObject({ where: 'gateway.intake', ids: { messageId: 'bad' } });
    expect(counters.snapshot()).toMatchObject({ events_undecodable: 1, events_committed: 11 });
    expect(intake.queuedBytes).toBe(0);
  });

  it('is never degraded while the ledger takes nothing else either', async () => {
    const { intake, ledger, clock } = setup();
    intake.offer(event('a'), 10);
    for (let round = 0; round < 10; round += 1) {
      ledger.calls.at(-1)?.fail(ErrorCode.Internal);
      await settle();
      clock.advance(5_000);
      await settle();
    }
    expect(ledger.calls.at(-1)?.event.ignored).toBeNull();
  });
});

describe('[INB-10] the end', () => {
  it('waits until everything that was read is on disk', async () => {
    const { intake, ledger, clock } = setup();
    intake.offer(event('a'), 10);
    let closed = false;
    const closing = intake.close().then(() => (closed = true));
    await settle();
    expect(closed).toBe(false);
    ledger.calls[0]?.commit();
    await closing;
    expect(clock.pending).toBe(0);
  });

  it('gives up after its time and says how many events it leaves', async () => {
    const { intake, ledger, clock, telemetry } = setup();
    ledger.writable = false;
    intake.offer(event('a'), 10);
    intake.offer(event('b'), 10);
    ledger.calls[0]?.fail();
    await settle();
    const lost = telemetry.next('error.unexpected');
    const closing = intake.close();
    clock.advance(10_000);
    await closing;
    expect(await lost).toMatchObject({ where: 'gateway.intake.close', ids: { events: 2 } });
    ledger.calls[1]?.fail();
    await settle();
    expect(clock.pending).toBe(0);
  });
});
