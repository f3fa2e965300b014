// SPDX-License-Identifier: Apache-2.0
import type { Clock, ClockTimer } from '../../../common/clock.js';
import { ErrorCode } from '../../../common/errors.js';
import { SendError, type SendOutcome } from '../chat-server.js';
import type { ClientOptions } from './client-options.js';
import type { Counters } from './counters.js';
import { actionFrame, encodeFrame } from './encode.js';
import type { FrameWriter, QueuedFrame } from './frame-writer.js';
import {
  checkActionResult,
  type FrameProblem,
  MAX_CLIENT_FRAME_BYTES,
  type PermissionDeniedFrame,
  type SemanticActionResultFrame,
} from './wire/index.js';

/** Code that stands for a `permission_denied` frame in place of a result (bpp 4.1). */
export const PERMISSION_DENIED = 'bpp.permission_denied';

interface Pending {
  frame: QueuedFrame | null;
  written: boolean;
  timer: ClockTimer | null;
  readonly resolve: (payload: unknown) => void;
  readonly reject: (error: SendError) => void;
}

/**
 * The actions of one connection, matched with their results by nonce alone (bpp 4.1). Every action is settled once: by its result, by a
 * refusal, by its deadline or by the end of the connection; the error says whether the frame may have been seen.
 */
export class ActionChannel {
  private readonly pending = new Map<string, Pending>();
  private readonly idleWaiters: (() => void)[] = [];
  private suspended = false;
  private stopped = false;

  constructor(
    private readonly writer: FrameWriter,
    private readonly clock: Clock,
    private readonly counters: Counters,
    private readonly options: Pick<ClientOptions, 'actionDeadlineMs' | 'maxPendingActions'>,
  ) {}

  /**
   * Sends an action and waits for its result.
   * @param agentId own id, empty while unknown
   * @returns the decoded payload, null when it was empty
   * @throws SendError
   */
  perform(agentId: string, action: string, payload: object): Promise<unknown> {
    if (this.stopped) return Promise.reject(new SendError('not_sent', ErrorCode.NotOnline));
    if (this.pending.size >= this.options.maxPendingActions) {
      return Promise.reject(new SendError('not_sent', ErrorCode.ActionCapacity));
    }
    const frame = actionFrame(agentId, action, payload);
    const text = encodeFrame(frame);
    if (Buffer.byteLength(text) > MAX_CLIENT_FRAME_BYTES) {
      return Promise.reject(new SendError('refused', ErrorCode.FrameTooLarge));
    }
    return new Promise((resolve, reject) => {
      const pending: Pending = { frame: null, written: false, timer: null, resolve, reject };
      this.pending.set(frame.nonce, pending);
      this.arm(frame.nonce, pending);
      pending.frame = this.writer.offer('regular', text, {
        written: () => {
          pending.written = true;
          this.counters.add('actions_sent');
        },
      });
      if (pending.frame === null) this.fail(frame.nonce, 'not_sent', ErrorCode.ActionCapacity);
    });
  }

  /**
   * Takes a result; one with an unknown nonce is late or foreign and is ignored.
   * @returns what was wrong with the result of a known nonce, else null
   */
  settle(frame: SemanticActionResultFrame): FrameProblem | null {
    const pending = this.take(frame.nonce);
    if (pending === undefined) {
      this.counters.add('late_results');
      return null;
    }
    const checked = checkActionResult(frame);
    if (!checked.ok) {
      this.counters.add('actions_uncertain');
      pending.reject(new SendError('uncertain', ErrorCode.ProtocolError));
      return checked.problem;
    }
    if (checked.value.status === 'ok') {
      this.counters.add('actions_confirmed');
      pending.resolve(checked.value.payload);
    } else this.refuse(pending, checked.value.error);
    return null;
  }

  /** Takes a refusal in place of a result. */
  deny(frame: PermissionDeniedFrame): void {
    const pending = this.take(frame.request_id);
    if (pending === undefined) this.counters.add('late_results');
    else this.refuse(pending, PERMISSION_DENIED);
  }

  /** Resolves when no action waits for its result. */
  whenIdle(): Promise<void> {
    if (this.pending.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.idleWaiters.push(resolve));
  }

  /** Reading is paused: results cannot come, so no deadline runs. */
  suspend(): void {
    this.suspended = true;
    for (const pending of this.pending.values()) pending.timer?.cancel();
  }

  /** Reading goes on: every deadline begins anew. */
  resume(): void {
    this.suspended = false;
    for (const [nonce, pending] of this.pending) this.arm(nonce, pending);
  }

  /** The connection has ended. */
  stop(): void {
    this.stopped = true;
    for (const [nonce, pending] of [...this.pending]) {
      this.fail(nonce, pending.written ? 'uncertain' : 'not_sent', ErrorCode.ConnectionLost);
    }
  }

  private arm(nonce: string, pending: Pending): void {
    if (this.suspended) return;
    pending.timer = this.clock.schedule(this.options.actionDeadlineMs, () => {
      const withdrawn = pending.frame?.withdraw() ?? false;
      this.fail(nonce, withdrawn ? 'not_sent' : 'uncertain', ErrorCode.ActionTimeout);
    });
  }

  private take(nonce: string): Pending | undefined {
    const pending = this.pending.get(nonce);
    pending?.timer?.cancel();
    this.pending.delete(nonce);
    if (this.pending.size === 0) for (const resolve of this.idleWaiters.splice(0)) resolve();
    return pending;
  }

  private fail(nonce: string, outcome: SendOutcome, code: ErrorCode): void {
    if (outcome === 'uncertain') this.counters.add('actions_uncertain');
    this.take(nonce)?.reject(new SendError(outcome, code));
  }

  private refuse(pending: Pending, serverCode: string): void {
    this.counters.add('actions_refused');
    pending.reject(new SendError('refused', ErrorCode.ActionRefused, serverCode));
  }
}
