// SPDX-License-Identifier: Apache-2.0
import { IsBoolean, IsInt, IsString, Max, Min } from 'class-validator';
import { canonicalOrigin } from './origin.js';
import { readBoolean, readInteger, readNumber, readText } from './readers.js';
import { Setting } from './setting.js';
import { IsAbove } from './rules.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** The platform block of a Borgee server (bpp 6.2), after validation; read by `parseBorgeeSettings`. */
export class BorgeeSettings {
  /** Canonical HTTP(S) origin of the server: lower-case host, no default port, no trailing slash. */
  @Setting({
    key: 'base_url',
    description:
      'Origin of the Borgee server. `http` only together with `allow_insecure_loopback` and a loopback host.',
    expected: 'an HTTP(S) origin such as https://chat.example.com',
    read: (raw) => canonicalOrigin(raw).text,
  })
  @IsString()
  base_url!: string;

  /** Agent id; empty: asked from the server. */
  @Setting({
    key: 'agent_id',
    description:
      'Id of the agent. When set, a key that belongs to another agent is refused; when empty, the server is asked.',
    expected: 'text (quote an id that consists of digits)',
    default: '',
    read: readText,
  })
  @IsString()
  agent_id!: string;

  /** Allows http for `localhost`, 127.0.0.0/8 and ::1. */
  @Setting({
    key: 'allow_insecure_loopback',
    description: 'Allows `http` for `localhost`, 127.0.0.0/8 and ::1. The texts 1, true, yes and on count as true.',
    expected: 'true or false',
    default: false,
    read: readBoolean,
  })
  @IsBoolean()
  allow_insecure_loopback!: boolean;

  /** Turns at once over all lanes, 1..32. */
  @Setting({
    key: 'max_concurrent_dispatches',
    description:
      'Turns that run at once over all channels. What acts is the smaller of it and the worker threads of Hermes minus one.',
    unit: 'turns',
    expected: 'a whole number from 1 to 32',
    default: 4,
    read: readInteger,
  })
  @IsInt()
  @Min(1)
  @Max(32)
  max_concurrent_dispatches!: number;

  /** Seconds that a stop waits for running turns, above 0, at most 600. */
  @Setting({
    key: 'drain_timeout_seconds',
    description: 'How long an orderly stop waits for turns that run.',
    unit: 'seconds',
    expected: 'a number above 0, at most 600',
    default: 30,
    read: readNumber,
  })
  @IsAbove(0)
  @Max(600)
  drain_timeout_seconds!: number;

  /** Largest frame that is read, bytes. */
  @Setting({
    key: 'max_inbound_frame_bytes',
    description:
      'Largest frame that is read from the server. A larger one closes the connection with 1009; it is counted and the bridge reconnects.',
    unit: 'bytes',
    expected: 'a whole number from 65536 (64 KiB) to 268435456 (256 MiB)',
    default: 16 * MIB,
    read: readInteger,
  })
  @IsInt()
  @Min(64 * KIB)
  @Max(256 * MIB)
  max_inbound_frame_bytes!: number;

  /** Seconds between probes while the key is refused. */
  @Setting({
    key: 'auth_probe_interval_seconds',
    description:
      'After the server refused the key (401, 403, close 4004) it is asked again at this interval, and at SIGHUP.',
    unit: 'seconds',
    expected: 'a number from 1 to 86400',
    default: 300,
    read: readNumber,
  })
  @Min(1)
  @Max(86_400)
  auth_probe_interval_seconds!: number;

  /** Bytes read and not yet committed, beyond which reading pauses. */
  @Setting({
    key: 'intake_queue_max_bytes',
    description:
      'Bytes that were read from the server and are not yet committed. Beyond it reading pauses and health turns red.',
    unit: 'bytes',
    expected: 'a whole number from 65536 (64 KiB) to 4294967296 (4 GiB)',
    default: 64 * MIB,
    read: readInteger,
  })
  @IsInt()
  @Min(64 * KIB)
  @Max(4096 * MIB)
  intake_queue_max_bytes!: number;

  /** Seconds that the store may stay stalled at that bound before the connection is closed with 1001. */
  @Setting({
    key: 'intake_stall_seconds',
    description:
      'How long the ledger may stay stalled while reading pauses. Then the connection is closed with 1001; the bridge reconnects when a probe write succeeds.',
    unit: 'seconds',
    expected: 'a number from 0.1 to 3600',
    default: 30,
    read: readNumber,
  })
  @Min(0.1)
  @Max(3600)
  intake_stall_seconds!: number;
}
