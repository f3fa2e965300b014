// SPDX-License-Identifier: Apache-2.0
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Id of a message that this agent wrote, so that its echo is known again (BPP-5). */
@Entity('outbound_ids', { withoutRowid: true })
@Index('outbound_ids_created', ['createdAt'])
export class OutboundIdEntity {
  @PrimaryColumn({ name: 'message_id', type: 'text' })
  messageId!: string;

  @Column({ name: 'channel_id', type: 'text' })
  channelId!: string;

  /** Unix ms */
  @Column({ name: 'created_at', type: 'integer' })
  createdAt!: number;
}
