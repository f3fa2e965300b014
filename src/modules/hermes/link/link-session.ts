// SPDX-License-Identifier: Apache-2.0
import type { ClockTimer } from '../../../common/clock.js';
import type { CommandStream } from './command-stream.js';
import { PendingCommands } from './pending-commands.js';
import type { AttachReport } from './protocol.js';
import { sameText } from './proof.js';

/**
 * One accepted attach, from its answer to the end of its command stream:
 * `accepted` (waits for the stream, for a bounded time) → `open` (commands flow) → `ended`. An `accepted` one that is given up ends too.
 */
export class LinkSession {
  readonly pending = new PendingCommands();
  /** Null until the shim has opened it. */
  stream: CommandStream | null = null;
  /** Ends a session whose stream never comes. */
  openTimer: ClockTimer | null = null;

  /**
   * @param report what the shim brought
   * @param token proof of the session, which every later request carries
   * @param since Unix ms
   */
  constructor(
    readonly report: AttachReport,
    private readonly token: string,
    readonly since: number,
  ) {}

  /** @param authorization header of a request */
  isProvenBy(authorization: string | undefined): boolean {
    return authorization !== undefined && sameText(authorization, `Angelia ${this.token}`);
  }
}
