// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../../common/clock.js';
import { codeOf, ErrorCode } from '../../common/errors.js';
import type { Telemetry } from '../../common/telemetry.js';
import type { HermesHost } from '../hermes/index.js';
import type { Recovery, Scheduler } from '../inbox/index.js';

/**
 * Compares the running claims with what the Hermes process knows (architecture 4). A claim that it does not know any more ended without our
 * learning of it: unstarted, it is pending again; started, it is in doubt and logged as our fault. Long-running turns are never released by time.
 */
export class Watchdog {
  /** Claims that the process did not know at the last look; only the second look in a row counts, so that nothing in flight is touched. */
  private suspects: ReadonlySet<string> = new Set();

  constructor(
    private readonly scheduler: Scheduler,
    private readonly recovery: Recovery,
    private readonly host: HermesHost,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
    private readonly intervalMs: number,
  ) {}

  /** Looks every interval until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.clock.sleep(this.intervalMs, signal);
      if (signal.aborted) return;
      await this.look();
    }
  }

  /** One look. Never rejects. */
  async look(): Promise<void> {
    const { attached } = this.host.status();
    if (attached === null) {
      this.suspects = new Set();
      return;
    }
    try {
      await this.compare();
    } catch (error) {
      if (codeOf(error) === ErrorCode.LinkDetached) return;
      this.telemetry.emit('error.unexpected', { where: 'watchdog', code: codeOf(error), ids: {} });
    }
  }

  private async compare(): Promise<void> {
    const before = this.scheduler.runningClaims().filter(({ inDoubt }) => !inDoubt);
    const known = new Set((await this.host.knownAdmissions()).map(({ id }) => id));
    const unknown = before.filter(({ claim }) => !known.has(claim));
    for (const running of unknown.filter(({ claim }) => this.suspects.has(claim))) {
      const { ingestSeq } = running;
      this.telemetry.emit('error.unexpected', {
        where: 'watchdog.lost_turn',
        code: ErrorCode.Internal,
        ids: { ingestSeq },
      });
      await this.recovery.settle(running, this.host);
    }
    this.suspects = new Set(unknown.map(({ claim }) => claim));
  }
}
