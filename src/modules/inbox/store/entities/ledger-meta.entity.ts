// SPDX-License-Identifier: Apache-2.0
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The one row that says whose ledger this is and how often it was opened. */
@Entity('ledger_meta')
@Check('ledger_meta_one_row', 'id = 1')
export class LedgerMetaEntity {
  @PrimaryColumn({ type: 'integer' })
  id!: number;

  /** Counted up by every open; every command to Hermes carries it. */
  @Column({ type: 'integer' })
  epoch!: number;

  @Column({ type: 'text', nullable: true })
  origin!: string | null;

  @Column({ name: 'agent_id', type: 'text', nullable: true })
  agentId!: string | null;

  /** JSON of the last effective settings, without secrets. */
  @Column({ type: 'text', nullable: true })
  settings!: string | null;

  /** JSON of the command table that a shim brought last, with its version of Hermes (D-12). */
  @Column({ type: 'text', nullable: true })
  commands!: string | null;

  /** Number of probe writes: each proves that the disk takes writes again. */
  @Column({ type: 'integer', default: 0 })
  probes!: number;
}
