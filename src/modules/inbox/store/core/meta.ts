// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import { AngeliaError, ErrorCode } from '../../../../common/errors.js';
import type { LedgerIdentity } from '../ledger-store.js';

interface MetaRow {
  readonly epoch: number;
  readonly origin: string | null;
  readonly agentId: string | null;
  readonly settings: string | null;
}

/** Whose ledger this is, how often it was opened, the settings that were kept. */
export class Meta {
  private readonly row: Database.Statement<[], MetaRow>;
  private readonly countUp: Database.Statement;
  private readonly bind: Database.Statement;
  private readonly keep: Database.Statement;
  private readonly countProbe: Database.Statement;

  constructor(db: Database.Database) {
    this.row = db.prepare('SELECT epoch, origin, agent_id AS agentId, settings FROM ledger_meta');
    this.countUp = db.prepare('UPDATE ledger_meta SET epoch = epoch + 1');
    this.bind = db.prepare('UPDATE ledger_meta SET origin = ?, agent_id = ?');
    this.keep = db.prepare('UPDATE ledger_meta SET settings = ?');
    this.countProbe = db.prepare('UPDATE ledger_meta SET probes = probes + 1');
  }

  /** Counts the epoch up. */
  beginEpoch(): { readonly epoch: number; readonly identity: LedgerIdentity | null; readonly settings: string | null } {
    this.countUp.run();
    const { epoch, origin, agentId, settings } = this.read();
    return { epoch, identity: origin === null || agentId === null ? null : { origin, agentId }, settings };
  }

  /** Binds the ledger to its owner, once. @throws AngeliaError `ledger_identity_mismatch` naming both */
  bindIdentity({ origin, agentId }: LedgerIdentity): void {
    const bound = this.read();
    if (bound.origin === null || bound.agentId === null) {
      this.bind.run(origin, agentId);
    } else if (bound.origin !== origin || bound.agentId !== agentId) {
      throw new AngeliaError(ErrorCode.LedgerIdentityMismatch, {
        ledger_origin: bound.origin,
        ledger_agent_id: bound.agentId,
        origin,
        agent_id: agentId,
      });
    }
  }

  /** Keeps the last effective settings. */
  keepSettings(settings: string): void {
    this.keep.run(settings);
  }

  /** A write for its own sake. */
  probe(): void {
    this.countProbe.run();
  }

  private read(): MetaRow {
    const row = this.row.get();
    if (row === undefined) throw new AngeliaError(ErrorCode.LedgerCorrupt, { reason: 'no_meta_row' });
    return row;
  }
}
