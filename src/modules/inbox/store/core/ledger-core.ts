// SPDX-License-Identifier: Apache-2.0
import { SystemClock } from '../../../../common/clock.js';
import type { OpenedLedger } from '../opened-types.js';
import { ledgerSettings, type LedgerOptions, type LedgerSettings } from '../options.js';
import { writes } from '../steps.js';
import { packError, type WireBatch, type WireOutcome } from '../wire.js';
import { BatchRunner, type StepOutcome } from './batch.js';
import { assertDurable, type LedgerConnection, openConnection } from './connection.js';
import { ledgerError, suspectsDamage } from './ledger-error.js';
import { checkLedgerFiles, walBytes } from './ledger-file.js';
import { PreparedLedger } from './prepared-ledger.js';

interface Opened {
  readonly connection: LedgerConnection;
  readonly runner: BatchRunner;
  readonly prepared: PreparedLedger;
}

/**
 * The ledger itself, apart from threads and queues: opens the file, runs one batch after another, opens the file anew after an error that
 * spoils the connection (F-43). Callers never let two calls overlap.
 */
export class LedgerCore {
  private readonly settings: LedgerSettings;
  private readonly clock = new SystemClock();
  private opened: Opened | null = null;
  /** The last connection met what damage looks like: the next one looks closely before anything is acknowledged. */
  private doubt = false;
  private now = 0;

  constructor(options: LedgerOptions) {
    this.settings = ledgerSettings(options);
  }

  /**
   * Opens the ledger and begins an epoch.
   * @param now Unix ms
   * @throws AngeliaError as `LedgerStore.open` says
   */
  async open(now: number): Promise<OpenedLedger> {
    this.now = now;
    try {
      const { connection, runner, prepared } = await this.connect();
      const [outcome] = runner.run([() => prepared.beginEpoch()], true);
      if (outcome === undefined || 'error' in outcome) throw outcome?.error;
      assertDurable(connection.db);
      checkLedgerFiles(this.settings.path);
      return outcome.value as OpenedLedger;
    } catch (error) {
      await this.close();
      throw ledgerError(error, 'open');
    }
  }

  /** Runs one batch in one commit. Never rejects: what failed stands in the outcomes. */
  async run(batch: WireBatch): Promise<WireOutcome[]> {
    this.now = batch.now;
    try {
      const { runner, prepared } = this.opened ?? (await this.connect());
      const outcomes = runner.run(
        batch.steps.map((step) => prepared.bind(step)),
        batch.steps.some(([name]) => writes(name)),
      );
      this.doubt ||= outcomes.some((outcome) => 'error' in outcome && suspectsDamage(outcome.error));
      if (runner.doubtful) await this.close();
      return outcomes.map((outcome, index) => wireOutcome(outcome, batch.steps[index]?.[0] ?? 'commit'));
    } catch (error) {
      return batch.steps.map(([name]) => wireOutcome({ error }, name));
    }
  }

  /** Closes the file; what is committed stays. Never rejects. */
  async close(): Promise<void> {
    const connection = this.opened?.connection;
    this.opened = null;
    await connection?.close().catch(() => undefined);
  }

  private async connect(): Promise<Opened> {
    const connection = await openConnection(this.settings, this.doubt);
    this.doubt = false;
    const { db } = connection;
    this.opened = {
      connection,
      runner: new BatchRunner(db, this.settings.writeStallMs, () => this.clock.monotonic()),
      prepared: new PreparedLedger(
        db,
        () => this.now,
        () => walBytes(this.settings.path),
      ),
    };
    return this.opened;
  }
}

function wireOutcome(outcome: StepOutcome, step: string): WireOutcome {
  if ('value' in outcome) return outcome;
  return { error: packError(ledgerError(outcome.error, step)) };
}
