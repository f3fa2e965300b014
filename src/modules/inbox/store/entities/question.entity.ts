// SPDX-License-Identifier: Apache-2.0
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { ReceiptEntity } from './receipt.entity.js';

/** One question that Hermes asked in a turn. Its id is unique within the Hermes process that asked. */
@Entity('questions', { withoutRowid: true })
@Check('questions_state_known', 'state BETWEEN 0 AND 3')
@Index('questions_receipt', ['ingestSeq'])
@Index('questions_open', ['lane'], { where: 'state < 2' })
export class QuestionEntity {
  @PrimaryColumn({ type: 'text' })
  instance!: string;

  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'ingest_seq', type: 'integer' })
  ingestSeq!: number;

  @ManyToOne(() => ReceiptEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'ingest_seq', foreignKeyConstraintName: 'questions_receipt_exists' })
  receipt!: ReceiptEntity;

  @Column({ type: 'text' })
  claim!: string;

  @Column({ type: 'text' })
  lane!: string;

  @Column({ type: 'text' })
  kind!: string;

  /** Code of the state, see core/codes.ts. */
  @Column({ type: 'integer' })
  state!: number;

  /** Unix ms */
  @Column({ name: 'opened_at', type: 'integer' })
  openedAt!: number;

  /** Unix ms since which it is resolved or dead. */
  @Column({ name: 'closed_at', type: 'integer', nullable: true })
  closedAt!: number | null;
}
