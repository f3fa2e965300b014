// SPDX-License-Identifier: Apache-2.0
import { HostWatermarkEntity } from './host-watermark.entity.js';
import { LedgerMetaEntity } from './ledger-meta.entity.js';
import { OutboundIdEntity } from './outbound-id.entity.js';
import { OutboxEntity } from './outbox.entity.js';
import { ReceiptEntity } from './receipt.entity.js';

/** Every table of the ledger (U-4). */
export const LEDGER_ENTITIES = [ReceiptEntity, OutboxEntity, OutboundIdEntity, HostWatermarkEntity, LedgerMetaEntity];
