// SPDX-License-Identifier: Apache-2.0
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { ReceiptEntity } from './receipt.entity.js';

/** One thing that happened to a receipt beside its ordinary way; it leaves with its receipt. */
@Entity('receipt_history', { withoutRowid: true })
export class ReceiptHistoryEntity {
  @PrimaryColumn({ name: 'ingest_seq', type: 'integer' })
  ingestSeq!: number;

  @ManyToOne(() => ReceiptEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'ingest_seq', foreignKeyConstraintName: 'receipt_history_receipt_exists' })
  receipt!: ReceiptEntity;

  /** 1 for the first entry of the receipt. */
  @PrimaryColumn({ type: 'integer' })
  number!: number;

  /** Unix ms */
  @Column({ type: 'integer' })
  at!: number;

  @Column({ type: 'text' })
  event!: string;

  @Column({ type: 'text', nullable: true })
  detail!: string | null;

  @Column({ type: 'text', nullable: true })
  actor!: string | null;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;
}
