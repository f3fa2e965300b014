// SPDX-License-Identifier: Apache-2.0
import type { ErrorDetails } from '../../../common/errors.js';
import { Field } from '../openapi/field.js';

/** The process runs and answers. */
export class LiveAnswer {
  @Field({ description: 'Always `ok`.', enum: ['ok'], example: 'ok' })
  readonly status!: 'ok';
}

/** One thing that an operator should know. */
export class ReasonAnswer {
  @Field({ description: 'Stable name, for alerts.', example: 'lanes_blocked' })
  readonly name!: string;

  @Field({
    description: 'Red: messages wait or get lost sight of. Yellow: worth a look.',
    enum: ['red', 'yellow'],
    example: 'red',
  })
  readonly severity!: string;

  @Field({ description: 'Error code behind it, if there is one.', nullable: true, example: null })
  readonly code!: string | null;

  @Field({
    description: 'The same for people.',
    example: 'Lanes wait for the operator: a turn of theirs may have run only in part.',
  })
  readonly sentence!: string;

  @Field({ description: 'Numbers, ids and codes.', type: 'map', example: { lanes: 1, waiting: 3 } })
  readonly details!: ErrorDetails;
}

/** Readiness. */
export class ReadyAnswer {
  @Field({
    description: '`ok` without a reason, `red` with a red one.',
    enum: ['ok', 'degraded', 'red'],
    example: 'red',
  })
  readonly status!: string;

  @Field({ description: 'Everything that is not as it should be.', list: true, of: () => ReasonAnswer })
  readonly reasons!: readonly ReasonAnswer[];
}

/** The connection to the chat server. */
export class GatewayAnswer {
  @Field({ description: 'State of the connection.', example: 'online' })
  readonly state!: string;

  @Field({ description: 'Why it is not online.', nullable: true, example: null })
  readonly reason!: string | null;

  @Field({ description: 'Since when.', format: 'date-time', example: '2026-03-02T09:15:00.000Z' })
  readonly since!: string;

  @Field({ description: 'Dials since the last stable connection.', type: 'integer', example: 0 })
  readonly attempt!: number;

  @Field({ description: 'Bytes read and not yet stored.', type: 'integer', example: 0 })
  readonly queued_bytes!: number;

  @Field({
    description: 'What happened since the start of the process.',
    type: 'map',
    example: { events_received: 12 },
  })
  readonly counters!: Readonly<Record<string, number>>;
}

/** The link to Hermes. */
export class HermesAnswer {
  @Field({ description: 'A Hermes process is attached.', type: 'boolean', example: true })
  readonly attached!: boolean;

  @Field({ description: 'Its version.', nullable: true, example: '0.19.0' })
  readonly version!: string | null;

  @Field({ description: 'Its process id.', type: 'integer', nullable: true, example: 4712 })
  readonly pid!: number | null;

  @Field({ description: 'Since when.', format: 'date-time', nullable: true, example: '2026-03-02T09:15:00.000Z' })
  readonly since!: string | null;

  @Field({ description: 'It has begun to stop.', type: 'boolean', example: false })
  readonly stopping!: boolean;

  @Field({ description: 'Turns at once that act.', type: 'integer', example: 4 })
  readonly dispatches!: number;
}

/** The ledger. */
export class LedgerAnswer {
  @Field({ description: 'Receipts by state.', type: 'map', example: { pending: 3, quarantined: 1 } })
  readonly receipts!: Readonly<Record<string, number>>;

  @Field({ description: 'Age of the oldest open receipt by state, seconds.', type: 'map', example: { pending: 312 } })
  readonly oldest_open_seconds!: Readonly<Record<string, number>>;

  @Field({ description: 'Open receipts by dispatch class.', type: 'map', example: { ordinary: 4 } })
  readonly open_by_class!: Readonly<Record<string, number>>;

  @Field({ description: 'Writes to the chat server by state.', type: 'map', example: { queued: 0, confirmed: 9 } })
  readonly outbox!: Readonly<Record<string, number>>;

  @Field({ description: 'Bytes of the write-ahead log.', type: 'integer', example: 32768 })
  readonly wal_bytes!: number;

  @Field({
    description: 'End of the last whole pass of retention.',
    format: 'date-time',
    nullable: true,
    example: null,
  })
  readonly retention_passed_at!: string | null;
}

/** How late the process is. */
export class LoopAnswer {
  @Field({ description: 'Median, ms.', type: 'number', example: 0.1 })
  readonly p50_ms!: number;

  @Field({ description: 'All but one of a hundred, ms.', type: 'number', example: 2.5 })
  readonly p99_ms!: number;

  @Field({ description: 'The worst, ms.', type: 'number', example: 8 })
  readonly max_ms!: number;
}

/** Readiness with all figures. */
export class HealthAnswer extends ReadyAnswer {
  @Field({ description: 'The connection to the chat server.', of: () => GatewayAnswer })
  readonly gateway!: GatewayAnswer;

  @Field({ description: 'The link to Hermes.', of: () => HermesAnswer })
  readonly hermes!: HermesAnswer;

  @Field({ description: 'The ledger; null when it cannot be read.', nullable: true, of: () => LedgerAnswer })
  readonly ledger!: LedgerAnswer | null;

  @Field({
    description: 'Lanes by condition.',
    type: 'map',
    example: { busy: 1, blocked: 1, paused: 0, held: 0, waiting: 2 },
  })
  readonly lanes!: Readonly<Record<string, number>>;

  @Field({ description: 'What the operator has paused.', list: true, example: [] })
  readonly pauses!: readonly string[];

  @Field({ description: 'Decisions that wait for a session reset.', type: 'integer', example: 0 })
  readonly resets_due!: number;

  @Field({ description: 'How late the process was within the last two minutes.', of: () => LoopAnswer })
  readonly event_loop!: LoopAnswer;

  @Field({
    description: 'Bytes left on the disk of the state folder.',
    type: 'integer',
    nullable: true,
    example: 80000000000,
  })
  readonly disk_free_bytes!: number | null;

  @Field({ description: 'Unexpected errors since the start of the process.', type: 'map', example: {} })
  readonly unexpected_errors!: Readonly<Record<string, number>>;

  @Field({ description: 'Settings that do nothing, and other advice.', list: true, example: [] })
  readonly warnings!: readonly string[];
}
