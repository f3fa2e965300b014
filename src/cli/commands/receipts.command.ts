// SPDX-License-Identifier: Apache-2.0
import { Command, Option, SubCommand } from 'nest-commander';
import { AngeliaError, ErrorCode } from '../../common/errors.js';
import type { DecisionAnswer, ReceiptDetailAnswer, ReceiptPage } from '../../modules/admin/index.js';
import { positive, withQuery, ingestNumber } from '../arguments.js';
import {
  BridgeCommand,
  GroupCommand,
  ReasonedCommand,
  type CommonOptions,
  type ReasonedOptions,
} from '../bridge-command.js';
import { decisionText, receiptText, receiptsText } from '../views.js';

interface ListOptions extends CommonOptions {
  readonly state?: string;
  readonly lane?: string;
  readonly class?: string;
  readonly message?: string;
  readonly olderThan?: number;
  readonly limit?: number;
  readonly cursor?: number;
}

interface ShowOptions extends CommonOptions {
  readonly content?: boolean;
}

interface RequeueOptions extends ReasonedOptions {
  readonly confirmDuplicateSideEffectRisk?: boolean;
}

@SubCommand({ name: 'list', description: 'list receipts, newest first' })
export class ReceiptsListCommand extends BridgeCommand {
  @Option({
    flags: '--state <state>',
    description: 'pending, processing, in_doubt, quarantined, completed or failed',
  })
  parseState(value: string): string {
    return value;
  }

  @Option({ flags: '--lane <lane>', description: 'session key of Hermes' })
  parseLane(value: string): string {
    return value;
  }

  @Option({ flags: '--class <class>', description: 'ordinary, control, urgent_stop or unclassified' })
  parseClass(value: string): string {
    return value;
  }

  @Option({ flags: '--message <id>', description: 'message id of the chat server' })
  parseMessage(value: string): string {
    return value;
  }

  @Option({ flags: '--older-than <minutes>', description: 'only receipts that came in longer ago' })
  parseOlderThan(value: string): number {
    return positive('--older-than', value);
  }

  @Option({ flags: '--limit <count>', description: 'most receipts, 1 to 200' })
  parseLimit(value: string): number {
    return positive('--limit', value);
  }

  @Option({ flags: '--cursor <cursor>', description: 'the next page' })
  parseCursor(value: string): number {
    return positive('--cursor', value);
  }

  override async run(_arguments: string[], options: ListOptions): Promise<void> {
    const { state, lane, class: dispatchClass, message, olderThan, limit, cursor } = options;
    const path = withQuery('/api/v1/receipts', {
      state,
      lane,
      class: dispatchClass,
      message_id: message,
      older_than_minutes: olderThan,
      limit,
      cursor,
    });
    const { body } = await this.client(options).ask<ReceiptPage>({ method: 'GET', path });
    this.print(options, body, receiptsText);
  }
}

@SubCommand({ name: 'show', arguments: '<seq>', description: 'show a receipt with its history and what it blocks' })
export class ReceiptsShowCommand extends BridgeCommand {
  @Option({ flags: '--content', description: 'show what people wrote; reads admin-content.token' })
  parseContent(): boolean {
    return true;
  }

  override async run(parameters: string[], options: ShowOptions): Promise<void> {
    const { content = false } = options;
    const path = withQuery(`/api/v1/receipts/${String(ingestNumber(parameters))}`, { content });
    const { body } = await this.client(options).ask<ReceiptDetailAnswer>({ method: 'GET', path, content });
    this.print(options, body, receiptText);
  }
}

@SubCommand({ name: 'discard', arguments: '<seq>', description: 'end a quarantined receipt without running it' })
export class ReceiptsDiscardCommand extends ReasonedCommand {
  override async run(parameters: string[], options: ReasonedOptions): Promise<void> {
    const path = `/api/v1/receipts/${String(ingestNumber(parameters))}/discard`;
    const { reason } = options;
    const { body } = await this.client(options).ask<DecisionAnswer>({ method: 'POST', path, body: { reason } });
    this.print(options, body, decisionText);
  }
}

@SubCommand({ name: 'requeue', arguments: '<seq>', description: 'let a quarantined receipt run again' })
export class ReceiptsRequeueCommand extends ReasonedCommand {
  @Option({
    flags: '--confirm-duplicate-side-effect-risk',
    description: 'what the first turn did before it died may happen twice; without this nothing is requeued',
  })
  parseConfirmation(): boolean {
    return true;
  }

  override async run(parameters: string[], options: RequeueOptions): Promise<void> {
    const seq = ingestNumber(parameters);
    const { reason, confirmDuplicateSideEffectRisk: confirmed = false } = options;
    if (!confirmed) {
      const flag = '--confirm-duplicate-side-effect-risk';
      throw new AngeliaError(ErrorCode.ConfirmationMissing, { ingest_seq: seq, flag });
    }
    const { body } = await this.client(options).ask<DecisionAnswer>({
      method: 'POST',
      path: `/api/v1/receipts/${String(seq)}/requeue`,
      body: { reason, confirm_duplicate_side_effect_risk: true },
    });
    this.print(options, body, decisionText);
  }
}

@Command({
  name: 'receipts',
  description: 'receipts, and decisions about quarantined ones',
  subCommands: [ReceiptsListCommand, ReceiptsShowCommand, ReceiptsDiscardCommand, ReceiptsRequeueCommand],
})
export class ReceiptsCommand extends GroupCommand {}
