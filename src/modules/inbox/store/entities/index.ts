// SPDX-License-Identifier: Apache-2.0
import { HostWatermarkEntity } from './host-watermark.entity.js';
import { LedgerMetaEntity } from './ledger-meta.entity.js';
import { OutboundIdEntity } from './outbound-id.entity.js';
import { OutboxEntity } from './outbox.entity.js';
import { PauseEntity } from './pause.entity.js';
import { QuestionEntity } from './question.entity.js';
import { ReceiptEntity } from './receipt.entity.js';
import { ReceiptHistoryEntity } from './receipt-history.entity.js';
import { RemediationEntity } from './remediation.entity.js';
import { SeenKeyEntity } from './seen-key.entity.js';

/** Every table of the ledger (U-4). */
export const LEDGER_ENTITIES = [
  ReceiptEntity,
  OutboxEntity,
  OutboundIdEntity,
  HostWatermarkEntity,
  LedgerMetaEntity,
  QuestionEntity,
  ReceiptHistoryEntity,
  RemediationEntity,
  PauseEntity,
  SeenKeyEntity,
];
