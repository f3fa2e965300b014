// SPDX-License-Identifier: Apache-2.0
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** One pause that the operator set, with its end when it has one (OPS-5). */
@Entity('pauses')
@Index('pauses_current', ['name'], { unique: true, where: 'ended_at IS NULL' })
@Index('pauses_ended', ['endedAt'])
export class PauseEntity {
  @PrimaryGeneratedColumn('increment', { type: 'integer' })
  id!: number;

  /** `intake`, `dispatch` or `lane:<session key>`. */
  @Column({ type: 'text' })
  name!: string;

  /** Unix ms */
  @Column({ type: 'integer' })
  since!: number;

  @Column({ type: 'text' })
  actor!: string;

  /** Unix ms */
  @Column({ name: 'ended_at', type: 'integer', nullable: true })
  endedAt!: number | null;

  @Column({ name: 'ended_by', type: 'text', nullable: true })
  endedBy!: string | null;
}
