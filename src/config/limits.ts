// SPDX-License-Identifier: Apache-2.0
import { IsInt, Max, Min } from 'class-validator';
import { readInteger, readNumber } from './readers.js';
import { Setting } from './setting.js';

const MIB = 1024 * 1024;

/** Limits of the link between bridge and shim (docs/link.md). */
export class LinkLimits {
  /** Largest body of a request of the shim, bytes. */
  @Setting({
    key: 'ANGELIA_LINK_MAX_BODY_BYTES',
    description:
      'Largest request of the shim. It must hold an attach that hands over a spool, so keep it well above `queue_max_bytes`.',
    unit: 'bytes',
    expected: 'a whole number from 1048576 (1 MiB) to 2147483647',
    default: 64 * MIB,
    read: readInteger,
  })
  @IsInt()
  @Min(MIB)
  @Max(2_147_483_647)
  maxBodyBytes!: number;

  /** Seconds for which a nonce of the bridge serves an attach. */
  @Setting({
    key: 'ANGELIA_LINK_NONCE_SECONDS',
    description: 'How long a nonce that the bridge gave serves an attach.',
    unit: 'seconds',
    expected: 'a number from 1 to 300',
    default: 10,
    read: readNumber,
  })
  @Min(1)
  @Max(300)
  nonceSeconds!: number;

  /** Seconds between lines of the command stream while nothing else is written. */
  @Setting({
    key: 'ANGELIA_LINK_ALIVE_SECONDS',
    description: 'Interval of the sign of life on the command stream; the shim gives up after 15 seconds of silence.',
    unit: 'seconds',
    expected: 'a number from 0.1 to 10',
    default: 5,
    read: readNumber,
  })
  @Min(0.1)
  @Max(10)
  aliveSeconds!: number;
}

/** Limits of the ledger. */
export class LedgerLimits {
  /** Milliseconds that a statement waits for another process that holds the file. */
  @Setting({
    key: 'ANGELIA_LEDGER_BUSY_TIMEOUT_MS',
    description:
      'How long one attempt to commit waits for another process that holds the write lock of the ledger. Intake goes on meanwhile.',
    unit: 'milliseconds',
    expected: 'a whole number from 0 to 600000',
    default: 5_000,
    read: readInteger,
  })
  @IsInt()
  @Min(0)
  @Max(600_000)
  busyTimeoutMs!: number;

  /** Milliseconds after which a commit that never got the lock is given up. */
  @Setting({
    key: 'ANGELIA_LEDGER_WRITE_STALL_MS',
    description:
      'After how long a commit that never got the write lock is given up. Its messages stay in the intake queue and are tried again; health turns red.',
    unit: 'milliseconds',
    expected: 'a whole number from 100 to 3600000',
    default: 15_000,
    read: readInteger,
  })
  @IsInt()
  @Min(100)
  @Max(3_600_000)
  writeStallMs!: number;

  /** Bytes to which the write-ahead log is cut after a checkpoint. */
  @Setting({
    key: 'ANGELIA_LEDGER_WAL_MAX_BYTES',
    description: 'Size to which the write-ahead log of the ledger is cut after a checkpoint.',
    unit: 'bytes',
    expected: 'a whole number from 1048576 (1 MiB) to 17179869184 (16 GiB)',
    default: 64 * MIB,
    read: readInteger,
  })
  @IsInt()
  @Min(MIB)
  @Max(16_384 * MIB)
  walMaxBytes!: number;
}
