// SPDX-License-Identifier: Apache-2.0
import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * One event that the chat server sent (INB-1). Hot statements work on the same columns without this class; it holds the schema that
 * the migrations have to arrive at. The hash is the only unique key; an admission writes it, the lane and two numbers into indexes, a move of
 * the receipt only the two numbers.
 */
@Entity('receipts')
@Check('receipts_dedupe_key_length', 'length(dedupe_key) = 16')
@Check('receipts_state_known', 'state BETWEEN 0 AND 5')
@Index('receipts_dedupe_key', ['dedupeKey'], { unique: true })
@Index('receipts_lane', ['lane'])
@Index('receipts_state', ['state', 'dispatchClass'])
@Index('receipts_claim', ['claim'], { where: 'claim IS NOT NULL' })
@Index('receipts_task', ['taskOpenedAt'], { where: 'task_opened_at IS NOT NULL' })
@Index('receipts_ended', ['emptied', 'endedAt'], { where: 'ended_at IS NOT NULL' })
export class ReceiptEntity {
  /** Never used twice, not even after the newest rows were removed. */
  @PrimaryGeneratedColumn('increment', { name: 'ingest_seq', type: 'integer' })
  ingestSeq!: number;

  @Column({ name: 'dedupe_key', type: 'blob' })
  dedupeKey!: Buffer;

  /** Hash of the payload that was seen last. */
  @Column({ type: 'blob' })
  evidence!: Buffer;

  /** 1, and one more each time that the message came again in another form. */
  @Column({ type: 'integer', default: 1 })
  sightings!: number;

  /** Code of the state, see core/codes.ts. */
  @Column({ type: 'integer' })
  state!: number;

  @Column({ type: 'text' })
  kind!: string;

  @Column({ type: 'text' })
  lane!: string;

  @Column({ name: 'channel_id', type: 'text' })
  channelId!: string;

  /** 0 channel, 1 direct message. */
  @Column({ name: 'channel_type', type: 'integer' })
  channelType!: number;

  @Column({ name: 'message_id', type: 'text' })
  messageId!: string;

  @Column({ name: 'author_id', type: 'text' })
  authorId!: string;

  @Column({ name: 'author_name', type: 'text' })
  authorName!: string;

  /** JSON of the receipt's context. */
  @Column({ type: 'text', nullable: true })
  context!: string | null;

  /** Unix ms as the server says. */
  @Column({ name: 'source_created_at', type: 'integer' })
  sourceCreatedAt!: number;

  /** Unix ms */
  @Column({ name: 'received_at', type: 'integer' })
  receivedAt!: number;

  /** Token of the newest claim; terminal rows keep it, so that late output still finds its receipt. */
  @Column({ type: 'text', nullable: true })
  claim!: string | null;

  @Column({ type: 'integer', default: 0 })
  attempt!: number;

  @Column({ type: 'integer', default: 0 })
  released!: number;

  /** Unix ms of the `started` that is in force. */
  @Column({ name: 'started_at', type: 'integer', nullable: true })
  startedAt!: number | null;

  /** The barrier of this claim gave way: a later `started` counts as not started. */
  @Column({ type: 'integer', default: 0 })
  withdrawn!: number;

  /** Unix ms since which people may see the task as running; null once its end certainly reached the chat server. */
  @Column({ name: 'task_opened_at', type: 'integer', nullable: true })
  taskOpenedAt!: number | null;

  /** Unix ms of the terminal commit. */
  @Column({ name: 'ended_at', type: 'integer', nullable: true })
  endedAt!: number | null;

  @Column({ type: 'text', nullable: true })
  outcome!: string | null;

  @Column({ name: 'error_code', type: 'text', nullable: true })
  errorCode!: string | null;

  /** Code of the class, see core/codes.ts. */
  @Column({ name: 'dispatch_class', type: 'integer', default: 0 })
  dispatchClass!: number;

  /** 1 once retention has emptied its texts. */
  @Column({ type: 'integer', default: 0 })
  emptied!: number;

  /** The text that runs. The texts are the last columns on purpose: reading the others never walks through them. */
  @Column({ type: 'text' })
  body!: string;

  /** The text as it came, when it differs from the body. */
  @Column({ name: 'source_body', type: 'text', nullable: true })
  sourceBody!: string | null;
}
