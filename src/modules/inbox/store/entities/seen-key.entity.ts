// SPDX-License-Identifier: Apache-2.0
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What is left of a receipt that retention removed: enough to recognise its message again (INB-14). */
@Entity('seen_keys', { withoutRowid: true })
@Check('seen_keys_dedupe_key_length', 'length(dedupe_key) = 16')
@Index('seen_keys_ended', ['endedAt'])
export class SeenKeyEntity {
  @PrimaryColumn({ name: 'dedupe_key', type: 'blob' })
  dedupeKey!: Buffer;

  @Column({ name: 'ingest_seq', type: 'integer' })
  ingestSeq!: number;

  /** Code of its terminal state, see core/codes.ts. */
  @Column({ type: 'integer' })
  state!: number;

  /** Unix ms of its terminal commit. */
  @Column({ name: 'ended_at', type: 'integer' })
  endedAt!: number;
}
