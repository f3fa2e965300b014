// SPDX-License-Identifier: Apache-2.0
import { IsInt, Max, Min } from 'class-validator';
import { readInteger, readNumber } from './readers.js';
import { Setting } from './setting.js';

const MIB = 1024 * 1024;

/** Limits of turns beside those of the platform block (architecture 4). */
export class TurnLimits {
  /** Seconds after which control or urgent work frees its slot (SCH-4). */
  @Setting({
    key: 'ANGELIA_CONTROL_TIMEOUT_SECONDS',
    description:
      'How long a command that runs beside a busy turn (`/stop`, `/status`) may take. Then its slot is freed and its receipt is quarantined.',
    unit: 'seconds',
    expected: 'a number from 1 to 3600',
    default: 15,
    read: readNumber,
  })
  @Min(1)
  @Max(3_600)
  controlTimeoutSeconds!: number;

  /** Seconds between looks of the watchdog. */
  @Setting({
    key: 'ANGELIA_WATCHDOG_SECONDS',
    description: 'How often the running turns of the ledger are compared with those that Hermes knows.',
    unit: 'seconds',
    expected: 'a number from 1 to 3600',
    default: 60,
    read: readNumber,
  })
  @Min(1)
  @Max(3_600)
  watchdogSeconds!: number;

  /** Minutes after which a message that waited through an outage waits for the operator; 0: never (OPS-5). */
  @Setting({
    key: 'ANGELIA_HOLD_OLDER_THAN_MINUTES',
    description:
      'Messages that are older than this when the dispatch opens after an outage wait for `angelia resume lane` instead of being answered late. 0: every message is answered, however old.',
    unit: 'minutes',
    expected: 'a number from 0 to 525600 (a year)',
    default: 0,
    read: readNumber,
  })
  @Min(0)
  @Max(525_600)
  holdOlderThanMinutes!: number;
}

/** What retention keeps (INB-14). */
export class RetentionLimits {
  /** Days after which texts of ended receipts are emptied. */
  @Setting({
    key: 'ANGELIA_RETENTION_BODY_DAYS',
    description: 'After how many days the texts and names of ended receipts and of their answers are emptied.',
    unit: 'days',
    expected: 'a number above 0, at most 36500',
    default: 30,
    read: readNumber,
  })
  @Min(0.001)
  @Max(36_500)
  bodyDays!: number;

  /** Days after which ended receipts leave the ledger. */
  @Setting({
    key: 'ANGELIA_RETENTION_ROW_DAYS',
    description: 'After how many days ended receipts and their outbox rows leave the ledger.',
    unit: 'days',
    expected: 'a number above 0, at most 36500',
    default: 90,
    read: readNumber,
  })
  @Min(0.001)
  @Max(36_500)
  rowDays!: number;

  /** Ended receipts that are kept at most. */
  @Setting({
    key: 'ANGELIA_RETENTION_MAX_ROWS',
    description: 'Ended receipts beyond this number leave too, the oldest first. Open ones never leave.',
    unit: 'receipts',
    expected: 'a whole number from 1000 to 1000000000',
    default: 1_000_000,
    read: readInteger,
  })
  @IsInt()
  @Min(1_000)
  @Max(1_000_000_000)
  maxRows!: number;

  /** Days for which a message is recognised when it comes again, and an own message when it is echoed. */
  @Setting({
    key: 'ANGELIA_DEDUPE_HORIZON_DAYS',
    description:
      'For how many days a message that comes again is recognised, and the echo of an own message. A shorter time may run a message twice that a server delivers again so late.',
    unit: 'days',
    expected: 'a number from 1 to 36500',
    default: 90,
    read: readNumber,
  })
  @Min(1)
  @Max(36_500)
  dedupeHorizonDays!: number;

  /** Minutes between two passes. */
  @Setting({
    key: 'ANGELIA_RETENTION_INTERVAL_MINUTES',
    description: 'How often retention goes through the ledger.',
    unit: 'minutes',
    expected: 'a number from 1 to 10080 (a week)',
    default: 60,
    read: readNumber,
  })
  @Min(1)
  @Max(10_080)
  intervalMinutes!: number;

  /** Rows that one step touches. */
  @Setting({
    key: 'ANGELIA_RETENTION_STEP_ROWS',
    description: 'Most rows that one step of retention touches, so that it never holds the ledger for long.',
    unit: 'rows',
    expected: 'a whole number from 10 to 10000',
    default: 500,
    read: readInteger,
  })
  @IsInt()
  @Min(10)
  @Max(10_000)
  stepRows!: number;
}

/** From when on health speaks up. */
export class HealthLimits {
  /** Milliseconds by which the event loop may be late. */
  @Setting({
    key: 'ANGELIA_EVENT_LOOP_DELAY_MS',
    description: 'Health names `event_loop_delay` when the process was later than this within the last minute.',
    unit: 'milliseconds',
    expected: 'a number from 20 to 60000',
    default: 250,
    read: readNumber,
  })
  @Min(20)
  @Max(60_000)
  eventLoopDelayMs!: number;

  /** Free bytes of the disk of the state folder. */
  @Setting({
    key: 'ANGELIA_DISK_LOW_BYTES',
    description: 'Health names `disk_low` when the disk of the state folder has fewer bytes left.',
    unit: 'bytes',
    expected: 'a whole number from 0 to 1099511627776 (1 TiB)',
    default: 512 * MIB,
    read: readInteger,
  })
  @IsInt()
  @Min(0)
  @Max(1024 * 1024 * MIB)
  diskLowBytes!: number;
}
