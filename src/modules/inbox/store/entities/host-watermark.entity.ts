// SPDX-License-Identifier: Apache-2.0
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the events of one Hermes process are committed (docs/link.md, section 5). */
@Entity('host_watermarks', { withoutRowid: true })
export class HostWatermarkEntity {
  @PrimaryColumn({ type: 'text' })
  instance!: string;

  @Column({ type: 'integer' })
  seq!: number;

  /** Unix ms */
  @Column({ name: 'updated_at', type: 'integer' })
  updatedAt!: number;
}
