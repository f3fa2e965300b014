// SPDX-License-Identifier: Apache-2.0
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import { LEDGER_STORE, Remediation, type LedgerStore } from '../../inbox/index.js';
import { type Caller, CurrentCaller } from '../access/caller.js';
import { Operation } from '../openapi/operation.js';
import { ReasonBody } from './fields.js';
import { decisionAnswer, queryOf, receiptAnswer, receiptDetail } from './receipt-views.js';
import {
  DecisionAnswer,
  ReceiptDetailAnswer,
  ReceiptPage,
  ReceiptPath,
  ReceiptQueryOptions,
  ReceiptsQuery,
  RequeueBody,
} from './receipts.dto.js';

const DECISION_ERRORS = [
  ErrorCode.ReceiptUnknown,
  ErrorCode.ReceiptNotQuarantined,
  ErrorCode.LaneBusy,
  ErrorCode.SessionResetRefused,
];

/** Receipts, and the operator's decisions about them (ADM-1, INB-5). */
@Controller('api/v1/receipts')
export class ReceiptsController {
  constructor(
    @Inject(LEDGER_STORE) private readonly store: LedgerStore,
    private readonly remediation: Remediation,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Operation({
    summary: 'Lists receipts, newest first.',
    scope: 'read',
    answer: ReceiptPage,
    example: { query: { state: 'quarantined', limit: 50 } },
  })
  async list(@Query() query: ReceiptsQuery): Promise<ReceiptPage> {
    const now = this.clock.now();
    const receipts = await this.store.listReceipts(queryOf(query, now));
    const last = receipts.at(-1);
    return {
      receipts: receipts.map((receipt) => receiptAnswer(receipt, now)),
      next_cursor: last === undefined || receipts.length < query.limit ? null : last.ingestSeq,
    };
  }

  @Get(':seq')
  @Operation({
    summary: 'Shows a receipt with its history, its writes and what it blocks.',
    scope: 'read',
    answer: ReceiptDetailAnswer,
    errors: [ErrorCode.ReceiptUnknown],
    example: { path: { seq: 1 }, query: { content: false } },
  })
  async show(
    @Param() { seq }: ReceiptPath,
    @Query() { content }: ReceiptQueryOptions,
    @CurrentCaller() caller: Caller,
  ): Promise<ReceiptDetailAnswer> {
    if (content) caller.require('content');
    const receipt = await this.store.showReceipt(seq, content);
    if (receipt === null) throw new AngeliaError(ErrorCode.ReceiptUnknown, { ingest_seq: seq });
    return receiptDetail(receipt, this.clock.now());
  }

  @Post(':seq/discard')
  @HttpCode(200)
  @Operation({
    summary: 'Ends a quarantined receipt without running it.',
    description: 'The Hermes session of its lane is reset first. The lane goes on with its next receipt.',
    scope: 'decide',
    answer: DecisionAnswer,
    errors: DECISION_ERRORS,
    example: { path: { seq: 1 }, body: { reason: 'The turn had done its work before it died.' } },
  })
  async discard(
    @Param() { seq }: ReceiptPath,
    @Body() { reason }: ReasonBody,
    @CurrentCaller() { actor }: Caller,
  ): Promise<DecisionAnswer> {
    return decisionAnswer(await this.remediation.discard(seq, { actor, reason }));
  }

  @Post(':seq/requeue')
  @HttpCode(200)
  @Operation({
    summary: 'Lets a quarantined receipt run again, in its old place.',
    description:
      'The Hermes session of its lane is reset first. What the first turn did before it died may happen twice.',
    scope: 'decide',
    answer: DecisionAnswer,
    errors: [ErrorCode.ConfirmationMissing, ...DECISION_ERRORS],
    example: {
      path: { seq: 1 },
      body: { confirm_duplicate_side_effect_risk: true, reason: 'The turn had only read a calendar.' },
    },
  })
  async requeue(
    @Param() { seq }: ReceiptPath,
    @Body() { reason, confirm_duplicate_side_effect_risk: confirmed = false }: RequeueBody,
    @CurrentCaller() { actor }: Caller,
  ): Promise<DecisionAnswer> {
    return decisionAnswer(await this.remediation.requeue(seq, { actor, reason }, confirmed));
  }
}
