// SPDX-License-Identifier: Apache-2.0
import Database from 'better-sqlite3';
import type { Clock } from '../../../src/common/clock.js';
import type {
  ClaimedReceipt,
  HostEffect,
  HostEffectResult,
  LedgerStore,
  NewReceipt,
  OpenedLedger,
  TurnEnd,
} from '../../../src/modules/inbox/store/index.js';
import { ManualClock } from '../../support/manual-clock.js';
import { type LedgerFolder, ledgerFolder, newReceipt } from '../../support/store.js';

/** Options that every implementation understands. */
export interface StoreOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly busyTimeoutMs?: number;
  readonly writeStallMs?: number;
}

/** Makes the implementation under test; it is not open yet. */
export type MakeStore = (options: StoreOptions) => LedgerStore;

/** An effect without its number. */
export type Effect = HostEffect extends infer E ? (E extends HostEffect ? Omit<E, 'seq'> : never) : never;

export const COMPLETED = {
  to: 'completed',
  outcome: 'completed',
  errorCode: null,
  notice: null,
} as const satisfies TurnEnd;
export const RELEASED = { to: 'pending', outcome: 'not_started', disproved: false } as const satisfies TurnEnd;

/** One ledger of one test: opens stores on it, drives receipts, closes all at the end. */
export class StoreWorld {
  readonly clock = new ManualClock();
  readonly place: LedgerFolder = ledgerFolder();
  /** Ingest numbers in the order of admission, for tests that need to find receipts again. */
  readonly sequence: number[] = [];
  private readonly stores: LedgerStore[] = [];
  private current: LedgerStore | null = null;
  private seq = 0;

  constructor(private readonly make: MakeStore) {}

  /** The store that was opened last. */
  get store(): LedgerStore {
    if (this.current === null) throw new Error('no store is open');
    return this.current;
  }

  /** A store that is not open yet. */
  create(options: Partial<StoreOptions> = {}): LedgerStore {
    const store = this.make({ path: this.place.path, clock: this.clock, ...options });
    this.stores.push(store);
    return store;
  }

  /** Opens the ledger, after closing the store that was open, as a restart does. */
  async open(options: Partial<StoreOptions> = {}): Promise<OpenedLedger> {
    await this.current?.close();
    this.current = this.create(options);
    return this.current.open();
  }

  /** Closes everything and removes the folder. */
  async end(): Promise<void> {
    await Promise.all(this.stores.map((store) => store.close()));
    this.place.remove();
  }

  /** Admits one receipt. @returns its ingest number */
  async admit(id: string, changes: Partial<NewReceipt> = {}): Promise<number> {
    return (await this.store.admit(newReceipt(id, changes))).ingestSeq;
  }

  /** Admits and claims one receipt under the claim `claim-<id>`. */
  async claimed(id: string, changes: Partial<NewReceipt> = {}): Promise<ClaimedReceipt> {
    const receipt = await this.store.claim(await this.admit(id, changes), `claim-${id}`);
    if (receipt === null) throw new Error('the receipt could not be claimed');
    return receipt;
  }

  /** Applies effects as the next events of the Hermes process `hermes-1`. */
  apply(...effects: readonly Effect[]): Promise<readonly HostEffectResult[]> {
    const numbered = effects.map((effect): HostEffect => ({ ...effect, seq: (this.seq += 1) }));
    return this.store.applyHostEffects('hermes-1', this.seq, numbered);
  }

  /** Applies one effect. */
  async applyOne(effect: Effect): Promise<HostEffectResult> {
    const [result] = await this.apply(effect);
    if (result === undefined) throw new Error('an effect without a result');
    return result;
  }

  /** Admits, claims and starts one receipt and leaves it quarantined. @returns its ingest number */
  async quarantined(id: string, changes: Partial<NewReceipt> = {}): Promise<number> {
    const { ingestSeq, claim } = await this.claimed(id, changes);
    await this.applyOne({ kind: 'started', claim });
    await this.store.markInDoubt(claim);
    await this.store.quarantine(claim, 'quarantined_after_session_suspension');
    return ingestSeq;
  }

  /** Admits, claims and completes one receipt. @returns its ingest number */
  async completed(id: string, changes: Partial<NewReceipt> = {}): Promise<number> {
    const { ingestSeq, claim } = await this.claimed(id, changes);
    await this.store.endClaim(claim, COMPLETED);
    return ingestSeq;
  }

  /** Closes the store and reads the file itself. */
  async rows<T>(sql: string): Promise<T[]> {
    await this.current?.close();
    this.current = null;
    const db = new Database(this.place.path, { readonly: true });
    try {
      return db.prepare<[], T>(sql).all();
    } finally {
      db.close();
    }
  }
}
