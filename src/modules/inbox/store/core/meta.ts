// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import { AngeliaError, ErrorCode } from '../../../../common/errors.js';
import type { LedgerIdentity, OpenedLedger } from '../opened-types.js';

interface MetaRow {
  readonly epoch: number;
  readonly origin: string | null;
  readonly agentId: string | null;
  readonly settings: string | null;
  readonly commands: string | null;
}

/** Whose ledger this is, how often it was opened, the settings and the command table that were kept. */
export class Meta {
  private readonly row: Database.Statement<[], MetaRow>;
  private readonly countUp: Database.Statement;
  private readonly bind: Database.Statement;
  private readonly settings: Database.Statement;
  private readonly commands: Database.Statement;
  private readonly countProbe: Database.Statement;

  constructor(db: Database.Database) {
    this.row = db.prepare('SELECT epoch, origin, agent_id AS agentId, settings, commands FROM ledger_meta');
    this.countUp = db.prepare('UPDATE ledger_meta SET epoch = epoch + 1');
    this.bind = db.prepare('UPDATE ledger_meta SET origin = ?, agent_id = ?');
    this.settings = db.prepare('UPDATE ledger_meta SET settings = ?');
    this.commands = db.prepare('UPDATE ledger_meta SET commands = ?');
    this.countProbe = db.prepare('UPDATE ledger_meta SET probes = probes + 1');
  }

  /** Counts the epoch up. */
  beginEpoch(): Pick<OpenedLedger, 'epoch' | 'identity' | 'settings' | 'commands'> {
    this.countUp.run();
    const { origin, agentId, ...kept } = this.read();
    return { ...kept, identity: origin === null || agentId === null ? null : { origin, agentId } };
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
    this.settings.run(settings);
  }

  /** Keeps the command table of a Hermes version. */
  keepCommands(commands: string): void {
    this.commands.run(commands);
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
