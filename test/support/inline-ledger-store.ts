// SPDX-License-Identifier: Apache-2.0
import { SystemClock } from '../../src/common/clock.js';
import { LedgerCore } from '../../src/modules/inbox/store/core/ledger-core.js';
import type { OpenedLedger } from '../../src/modules/inbox/store/index.js';
import type { LedgerTransport } from '../../src/modules/inbox/store/ledger-transport.js';
import { QueuedLedgerStore } from '../../src/modules/inbox/store/queued-ledger-store.js';
import type { WireBatch, WireOutcome } from '../../src/modules/inbox/store/wire.js';
import type { WorkerLedgerStoreOptions } from '../../src/modules/inbox/store/worker-ledger-store.js';

/** The ledger's core without a thread; what crosses is cloned as between threads. */
class InlineTransport implements LedgerTransport {
  constructor(private readonly core: LedgerCore) {}

  async open(now: number): Promise<OpenedLedger> {
    return structuredClone(await this.core.open(now));
  }

  async run(batch: WireBatch): Promise<readonly WireOutcome[]> {
    return structuredClone(await this.core.run(structuredClone(batch)));
  }

  close(): Promise<void> {
    return this.core.close();
  }
}

/** A ledger that runs in the test's own thread, from source: for tests of the core, with coverage. */
export class InlineLedgerStore extends QueuedLedgerStore {
  constructor({ clock, ...options }: Omit<WorkerLedgerStoreOptions, 'workerUrl' | 'onLost'>) {
    super(new InlineTransport(new LedgerCore(options)), clock ?? new SystemClock());
  }
}
