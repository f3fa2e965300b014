// SPDX-License-Identifier: Apache-2.0
import { IsBoolean, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { Field } from '../openapi/field.js';
import { BooleanInAddress, DEFAULT_PAGE, MAX_PAGE, NumberInAddress, ReasonBody } from './fields.js';

const STATES = ['pending', 'processing', 'in_doubt', 'quarantined', 'completed', 'failed'] as const;
const CLASSES = ['ordinary', 'control', 'urgent_stop', 'unclassified'] as const;
const ACTIONS = ['discard', 'requeue'] as const;
const LANE = 'agent:main:borgee:channel:ch_general';
const TIME = '2026-03-02T09:15:00.000Z';
/** Longest id that is looked for. */
const MAX_ID = 512;

/** Which receipts a page shows. */
export class ReceiptsQuery {
  @Field({ description: 'Only receipts in this state.', enum: STATES, optional: true, example: 'quarantined' })
  @IsOptional()
  @IsIn(STATES)
  readonly state?: (typeof STATES)[number];

  @Field({ description: 'Only receipts of this lane (session key of Hermes).', optional: true, example: LANE })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_ID)
  readonly lane?: string;

  @Field({ description: 'Only receipts of this dispatch class.', enum: CLASSES, optional: true, example: 'ordinary' })
  @IsOptional()
  @IsIn(CLASSES)
  readonly class?: (typeof CLASSES)[number];

  @Field({ description: "Only receipts of this message; the chat server's id.", optional: true, example: 'msg_1042' })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_ID)
  readonly message_id?: string;

  @Field({
    description: 'Only receipts that came in longer ago, minutes.',
    type: 'integer',
    optional: true,
    example: 0,
  })
  @IsOptional()
  @NumberInAddress(0, 52_560_000)
  readonly older_than_minutes?: number;

  @Field({
    description: 'The `next_cursor` of the page before.',
    type: 'integer',
    optional: true,
    minimum: 1,
    example: 2000,
  })
  @IsOptional()
  @NumberInAddress(1, Number.MAX_SAFE_INTEGER)
  readonly cursor?: number;

  @Field({
    description: 'Most receipts of the page.',
    type: 'integer',
    optional: true,
    minimum: 1,
    maximum: MAX_PAGE,
    example: 50,
  })
  @IsOptional()
  @NumberInAddress(1, MAX_PAGE)
  readonly limit: number = DEFAULT_PAGE;
}

/** Which receipt. */
export class ReceiptPath {
  @Field({ description: 'Ingest number of the receipt.', type: 'integer', minimum: 1, example: 1 })
  @NumberInAddress(1, Number.MAX_SAFE_INTEGER)
  readonly seq!: number;
}

/** How much of a receipt is shown. */
export class ReceiptQueryOptions {
  @Field({
    description: 'Show text and display name; needs a token with the scope `content`.',
    type: 'boolean',
    optional: true,
    example: false,
  })
  @IsOptional()
  @BooleanInAddress()
  readonly content: boolean = false;
}

/** A requeue and its confirmation. */
export class RequeueBody extends ReasonBody {
  @Field({
    description: 'Must be true: what the first turn did before it died may happen twice.',
    type: 'boolean',
    example: true,
  })
  @IsOptional()
  @IsBoolean()
  readonly confirm_duplicate_side_effect_risk?: boolean;
}

/** A receipt without its content. */
export class ReceiptAnswer {
  @Field({ description: 'Number in the order of arrival.', type: 'integer', example: 1042 })
  readonly ingest_seq!: number;

  @Field({ description: 'State; docs/operations.md says what each means.', enum: STATES, example: 'quarantined' })
  readonly state!: string;

  @Field({ description: 'Kind of the event on the wire.', example: 'message' })
  readonly kind!: string;

  @Field({ description: 'Lane: session key of Hermes.', example: LANE })
  readonly lane!: string;

  @Field({ description: 'Dispatch class.', enum: CLASSES, example: 'ordinary' })
  readonly class!: string;

  @Field({ description: "Channel; the chat server's id.", example: 'ch_general' })
  readonly channel_id!: string;

  @Field({ description: "Message; the chat server's id.", example: 'msg_1042' })
  readonly message_id!: string;

  @Field({ description: "Author; the chat server's id.", example: 'u_ada' })
  readonly author_id!: string;

  @Field({ description: 'Claims so far.', type: 'integer', example: 1 })
  readonly attempt!: number;

  @Field({ description: 'How often the message arrived.', type: 'integer', example: 1 })
  readonly sightings!: number;

  @Field({ description: 'When it was stored.', format: 'date-time', example: TIME })
  readonly received_at!: string;

  @Field({ description: 'Seconds since then.', type: 'integer', example: 312 })
  readonly age_seconds!: number;

  @Field({ description: 'When its turn began.', format: 'date-time', nullable: true, example: TIME })
  readonly started_at!: string | null;

  @Field({ description: 'When it ended.', format: 'date-time', nullable: true, example: null })
  readonly ended_at!: string | null;

  @Field({
    description: 'How it ended, or why it is quarantined.',
    nullable: true,
    example: 'quarantined_after_session_suspension',
  })
  readonly outcome!: string | null;

  @Field({ description: 'Error code of a failed one.', nullable: true, example: null })
  readonly error_code!: string | null;
}

/** A page of receipts, newest first. */
export class ReceiptPage {
  @Field({ description: 'The receipts.', list: true, of: () => ReceiptAnswer })
  readonly receipts!: readonly ReceiptAnswer[];

  @Field({
    description: '`cursor` of the next page; null on the last one.',
    type: 'integer',
    nullable: true,
    example: 993,
  })
  readonly next_cursor!: number | null;
}

/** One thing that happened to a receipt beside its ordinary way. */
export class HistoryAnswer {
  @Field({ description: 'When.', format: 'date-time', example: TIME })
  readonly at!: string;

  @Field({
    description: 'What.',
    enum: ['released', 'in_doubt', 'quarantined', 'discarded', 'requeued', 'session_reset'],
    example: 'quarantined',
  })
  readonly event!: string;

  @Field({ description: 'More about it.', nullable: true, example: 'quarantined_after_session_suspension' })
  readonly detail!: string | null;

  @Field({
    description: 'Who decided: name of the token, and the person that the tool named.',
    nullable: true,
    example: null,
  })
  readonly actor!: string | null;

  @Field({ description: "Why, in the operator's words.", nullable: true, example: null })
  readonly reason!: string | null;
}

/** One write of the receipt to the chat server. */
export class OutboxAnswer {
  @Field({ description: 'Number of the row.', type: 'integer', example: 77 })
  readonly id!: number;

  @Field({ description: 'What it does.', enum: ['send', 'edit', 'delete'], example: 'send' })
  readonly kind!: string;

  @Field({
    description: 'State; `uncertain` may or may not have arrived.',
    enum: ['queued', 'sent', 'confirmed', 'uncertain', 'refused'],
    example: 'confirmed',
  })
  readonly state!: string;

  @Field({ description: 'Why it is uncertain or refused.', nullable: true, example: null })
  readonly code!: string | null;
}

/** What people wrote. */
export class ContentAnswer {
  @Field({ description: 'Display name of the author.', example: 'Ada' })
  readonly author_name!: string;

  @Field({ description: 'The text that runs.', example: 'What is on today?' })
  readonly body!: string;

  @Field({ description: 'The text as it came, when it differs.', nullable: true, example: null })
  readonly source_body!: string | null;
}

/** A receipt with everything about it. */
export class ReceiptDetailAnswer extends ReceiptAnswer {
  @Field({ description: 'What happened to it, oldest first.', list: true, of: () => HistoryAnswer })
  readonly history!: readonly HistoryAnswer[];

  @Field({ description: 'Its writes to the chat server.', list: true, of: () => OutboxAnswer })
  readonly outbox!: readonly OutboxAnswer[];

  @Field({ description: 'Receipts of its lane that wait behind it.', type: 'integer', example: 3 })
  readonly blocks!: number;

  @Field({
    description: 'What people wrote; null unless it was asked for.',
    nullable: true,
    of: () => ContentAnswer,
    example: null,
  })
  readonly content!: ContentAnswer | null;
}

/** What a decision did. */
export class DecisionAnswer {
  @Field({ description: 'The receipt.', type: 'integer', example: 1042 })
  readonly ingest_seq!: number;

  @Field({ description: 'Its lane.', example: LANE })
  readonly lane!: string;

  @Field({ description: 'What was decided.', enum: ACTIONS, example: 'discard' })
  readonly action!: string;

  @Field({
    description: '`reset_pending`: Hermes is away; the lane opens after the reset, at its next attach.',
    enum: ['reset', 'reset_pending'],
    example: 'reset',
  })
  readonly session!: string;
}
