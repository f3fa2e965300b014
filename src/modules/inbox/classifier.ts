// SPDX-License-Identifier: Apache-2.0
import {
  classify,
  knownCommands,
  type Classified,
  type CommandTableData,
  type KnownCommands,
} from './dispatch-class.js';
import type { Scheduler } from './scheduler.js';
import type { LedgerStore } from './store/index.js';

/** Receipts that are classified later in one step. */
const BATCH = 500;

/** A command table as the ledger keeps it. */
interface KeptTable extends CommandTableData {
  /** Version of Hermes that it belongs to. */
  readonly version: string;
}

/**
 * Classifies texts by the command table of Hermes and by the questions that the ledger holds open (D-12). The table is that of the attached
 * shim, or the one that was kept last; without any, commands wait as `unclassified`.
 */
export class Classifier {
  private table: KnownCommands | null = null;
  private version: string | null = null;
  private readonly questions = new Set<string>();

  constructor(
    private readonly store: LedgerStore,
    private readonly scheduler: Scheduler,
  ) {}

  /** Takes over what an earlier process kept. */
  async restore(commands: string | null): Promise<void> {
    if (commands !== null) this.use(JSON.parse(commands) as KeptTable);
    for (const lane of await this.store.lanesWithQuestions()) this.questions.add(lane);
  }

  /** Class and text of a message of that lane. */
  classify(text: string, lane: string): Classified {
    return classify(text, this.table, this.questions.has(lane));
  }

  /** Hermes asked something in that lane, or its questions there are closed. */
  setQuestionOpen(lane: string, open: boolean): void {
    if (open) this.questions.add(lane);
    else this.questions.delete(lane);
  }

  /** Every open question died with its process. */
  forgetQuestions(): void {
    this.questions.clear();
  }

  /**
   * Adopts the table of a shim and classifies what waits for one.
   * @throws AngeliaError when the ledger cannot be written
   */
  async adopt(table: KeptTable): Promise<void> {
    if (table.version !== this.version || this.table === null) await this.store.keepCommands(JSON.stringify(table));
    this.use(table);
    for (
      let rows = await this.store.unclassified(BATCH);
      rows.length > 0;
      rows = await this.store.unclassified(BATCH)
    ) {
      const classified = rows.map(({ ingestSeq, lane, body }) => ({ ingestSeq, lane, ...this.classify(body, lane) }));
      await this.store.reclassify(classified);
      for (const { ingestSeq, lane, dispatchClass } of classified)
        this.scheduler.reclassified(lane, ingestSeq, dispatchClass);
    }
  }

  private use(table: KeptTable): void {
    this.table = knownCommands(table);
    this.version = table.version;
  }
}
