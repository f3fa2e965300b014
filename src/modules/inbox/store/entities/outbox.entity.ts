// SPDX-License-Identifier: Apache-2.0
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { ReceiptEntity } from './receipt.entity.js';

/** One write that the chat server is to see: stored before its first attempt, in the order of its ids per channel. */
@Entity('outbox')
@Check('outbox_state_known', 'state BETWEEN 0 AND 4')
@Index('outbox_receipt', ['ingestSeq'])
@Index('outbox_handle', ['handle', 'part'], { where: 'handle IS NOT NULL' })
@Index('outbox_unconfirmed', ['state'], { where: 'state <> 2' })
export class OutboxEntity {
  @PrimaryGeneratedColumn('increment', { type: 'integer' })
  id!: number;

  @Column({ name: 'ingest_seq', type: 'integer' })
  ingestSeq!: number;

  @ManyToOne(() => ReceiptEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'ingest_seq', foreignKeyConstraintName: 'outbox_receipt_exists' })
  receipt!: ReceiptEntity;

  @Column({ name: 'channel_id', type: 'text' })
  channelId!: string;

  /** 0 send, 1 edit, 2 delete. */
  @Column({ type: 'integer' })
  kind!: number;

  /** Message id that Hermes was given; null for texts of ours. */
  @Column({ type: 'text', nullable: true })
  handle!: string | null;

  /** Position among the messages into which one text of Hermes was cut. */
  @Column({ type: 'integer' })
  part!: number;

  @Column({ name: 'reply_to', type: 'text', nullable: true })
  replyTo!: string | null;

  /** Code of the state, see core/codes.ts. */
  @Column({ type: 'integer', default: 0 })
  state!: number;

  /** Why it is uncertain, refused or waits again. */
  @Column({ type: 'text', nullable: true })
  code!: string | null;

  /** The server's id of a confirmed send. */
  @Column({ name: 'message_id', type: 'text', nullable: true })
  messageId!: string | null;

  /** Unix ms */
  @Column({ name: 'created_at', type: 'integer' })
  createdAt!: number;

  /** Unix ms of the last move. */
  @Column({ name: 'updated_at', type: 'integer' })
  updatedAt!: number;

  @Column({ type: 'text' })
  content!: string;
}
