// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../../common/clock.js';
import type { Telemetry } from '../../common/telemetry.js';
import type { Scheduler } from './scheduler.js';
import type { LedgerStore } from './store/index.js';

/**
 * After an outage, messages that are too old wait for the operator instead of starting a storm of paid turns (OPS-5). Their age is looked at once,
 * when the dispatch opens again: a message that only waits behind a long turn of its own lane is never held.
 */
export class OutageHold {
  /** @param olderThanMs 0: nothing is ever held */
  constructor(
    private readonly store: LedgerStore,
    private readonly scheduler: Scheduler,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
    private readonly olderThanMs: number,
  ) {}

  /**
   * Holds what is too old now; call it before the dispatch opens.
   * @throws AngeliaError when the ledger cannot be read
   */
  async apply(): Promise<void> {
    if (this.olderThanMs === 0) return;
    const receivedBefore = this.clock.now() - this.olderThanMs;
    const [newest] = await this.store.listReceipts({ state: 'pending', receivedBefore, limit: 1 });
    if (newest === undefined) return;
    const lanes = this.scheduler.hold(newest.ingestSeq);
    if (lanes > 0) this.telemetry.emit('lanes.held', { lanes, throughSeq: newest.ingestSeq });
  }
}
