// SPDX-License-Identifier: Apache-2.0
import { IsInt, IsString, Max, Min } from 'class-validator';
import { readAbsolutePath, readInteger, readNumber } from './readers.js';
import { Setting } from './setting.js';

const MIB = 1024 * 1024;

/** Keys of the platform block that the shim reads itself; the bridge checks them at attach, so that a wrong one is named. */
export class ShimSettings {
  @Setting({
    key: 'link_file',
    description:
      'Link file of a bridge that runs as its own user; the same path as the ANGELIA_LINK_FILE of the service.',
    expected: 'an absolute path',
    defaultText: '`<HERMES_HOME>/angelia/link.json`',
    read: readAbsolutePath,
  })
  @IsString()
  link_file?: string;

  @Setting({
    key: 'start_hold_seconds',
    description:
      'How long a turn waits at the start barrier for the bridge to commit its start. Then it is interrupted before it reaches the model.',
    unit: 'seconds',
    expected: 'a number from 0.1 to 86400',
    default: 300,
    read: readNumber,
  })
  @Min(0.1)
  @Max(86_400)
  start_hold_seconds!: number;

  @Setting({
    key: 'queue_max_bytes',
    description: 'Bytes of unacknowledged events that the shim keeps. Beyond it `send` and `edit_message` wait.',
    unit: 'bytes',
    expected: 'a whole number from 1048576 (1 MiB) to 1073741824 (1 GiB)',
    default: 32 * MIB,
    read: readInteger,
  })
  @IsInt()
  @Min(MIB)
  @Max(1024 * MIB)
  queue_max_bytes!: number;
}
