// SPDX-License-Identifier: Apache-2.0
import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { Field } from '../openapi/field.js';
import { BooleanInAddress, DEFAULT_PAGE, MAX_PAGE, NumberInAddress } from './fields.js';
import { DecisionAnswer } from './receipts.dto.js';

const LANE = 'agent:main:borgee:channel:ch_general';
/** Longest lane in an address. */
export const MAX_LANE = 512;

/** Which lanes a page shows. */
export class LanesQuery {
  @Field({
    description: 'Only lanes that wait for the operator: blocked, paused or held.',
    type: 'boolean',
    optional: true,
    example: true,
  })
  @IsOptional()
  @BooleanInAddress()
  readonly stuck: boolean = false;

  @Field({
    description: 'The `next_cursor` of the page before.',
    optional: true,
    example: 'agent:main:borgee:channel:ch_a',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_LANE)
  readonly cursor?: string;

  @Field({
    description: 'Most lanes of the page.',
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

/** Which lane. */
export class LanePath {
  @Field({ description: 'Lane: session key of Hermes.', example: LANE })
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_LANE)
  readonly id!: string;
}

/** A receipt that keeps a lane from going on. */
export class BlockerAnswer {
  @Field({ description: 'The receipt.', type: 'integer', example: 1042 })
  readonly ingest_seq!: number;

  @Field({
    description:
      'Why: `quarantined` waits for a decision; `in_doubt` for its quarantine; `reset_due` is decided and waits for Hermes.',
    enum: ['quarantined', 'in_doubt', 'reset_due'],
    example: 'quarantined',
  })
  readonly reason!: string;
}

/** A receipt that runs. */
export class RunningAnswer {
  @Field({ description: 'The receipt.', type: 'integer', example: 1041 })
  readonly ingest_seq!: number;

  @Field({ description: 'As which work.', enum: ['ordinary', 'control', 'urgent'], example: 'ordinary' })
  readonly kind!: string;
}

/** The receipt of a lane that is the next. */
export class HeadAnswer {
  @Field({ description: 'The receipt.', type: 'integer', example: 1043 })
  readonly ingest_seq!: number;

  @Field({
    description: 'Seconds since it was stored; null when it has just left.',
    type: 'integer',
    nullable: true,
    example: 312,
  })
  readonly age_seconds!: number | null;
}

/** A lane in which something waits, runs or stands in the way. */
export class LaneAnswer {
  @Field({ description: 'Lane: session key of Hermes.', example: LANE })
  readonly lane!: string;

  @Field({ description: 'Receipts that wait.', type: 'integer', example: 3 })
  readonly waiting!: number;

  @Field({ description: 'The next one; null when none waits.', nullable: true, of: () => HeadAnswer })
  readonly head!: HeadAnswer | null;

  @Field({ description: 'What keeps it from going on, oldest first.', list: true, of: () => BlockerAnswer })
  readonly blockers!: readonly BlockerAnswer[];

  @Field({ description: 'The operator paused it.', type: 'boolean', example: false })
  readonly paused!: boolean;

  @Field({
    description: 'Its next receipt waited through an outage and is older than ANGELIA_HOLD_OLDER_THAN_MINUTES.',
    type: 'boolean',
    example: false,
  })
  readonly held!: boolean;

  @Field({ description: 'What runs.', list: true, of: () => RunningAnswer })
  readonly running!: readonly RunningAnswer[];
}

/** A page of lanes, by name. */
export class LanePage {
  @Field({ description: 'The lanes.', list: true, of: () => LaneAnswer })
  readonly lanes!: readonly LaneAnswer[];

  @Field({ description: '`cursor` of the next page; null on the last one.', nullable: true, example: null })
  readonly next_cursor!: string | null;
}

/** What a decision about a lane did. */
export class LaneDecisionAnswer {
  @Field({ description: 'Each quarantined receipt of the lane.', list: true, of: () => DecisionAnswer })
  readonly decisions!: readonly DecisionAnswer[];
}

/** What is paused now. */
export class PausesAnswer {
  @Field({ description: '`intake`, `dispatch`, and `lane:` with each paused lane.', list: true, example: ['dispatch'] })
  readonly pauses!: readonly string[];
}
