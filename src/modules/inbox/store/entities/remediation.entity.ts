// SPDX-License-Identifier: Apache-2.0
import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** The audit row of one decision of the operator (INB-5). It refers to no table: it outlives the receipt that it is about. */
@Entity('remediations')
@Check('remediations_action_known', "action IN ('discard', 'requeue')")
@Index('remediations_reset', ['resetAt'])
export class RemediationEntity {
  @PrimaryGeneratedColumn('increment', { type: 'integer' })
  id!: number;

  /** Unix ms */
  @Column({ type: 'integer' })
  at!: number;

  @Column({ name: 'ingest_seq', type: 'integer' })
  ingestSeq!: number;

  @Column({ type: 'text' })
  lane!: string;

  /** Code of the receipt's class, see core/codes.ts. */
  @Column({ name: 'dispatch_class', type: 'integer' })
  dispatchClass!: number;

  @Column({ type: 'text' })
  action!: string;

  @Column({ type: 'text' })
  actor!: string;

  @Column({ type: 'text' })
  reason!: string;

  /** Unix ms since which the session is reset; null while that is due. */
  @Column({ name: 'reset_at', type: 'integer', nullable: true })
  resetAt!: number | null;
}
