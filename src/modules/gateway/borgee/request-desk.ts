// SPDX-License-Identifier: Apache-2.0
import type { Clock, ClockTimer } from '../../../common/clock.js';
import type { ClientOptions } from './client-options.js';
import type { Connection } from './connection.js';
import type { Counters } from './counters.js';
import { encodeFrame } from './encode.js';
import {
  answerRequest,
  REQUEST_BUSY,
  REQUEST_TOO_LARGE,
  type RequestAnswer,
  RESPONSE_TOO_LARGE,
} from './server-requests.js';
import { MAX_REQUEST_FRAME_BYTES, MAX_RESPONSE_FRAME_BYTES, type RequestFrame } from './wire/index.js';

/**
 * Answers the requests of one connection: one response each, on the same connection, within its time or not at all (bpp 4.7). A request holds its
 * place until its response has left, so that a server that does not read is told `server_request_busy` instead of filling memory.
 */
export class RequestDesk {
  private frames = 0;
  private bytes = 0;

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly counters: Counters,
    private readonly options: Pick<ClientOptions, 'requestQueue' | 'requestDeadlineMs'>,
  ) {}

  /** Takes a request. @param bytes size of its frame */
  take(frame: RequestFrame, bytes: number): void {
    if (bytes > MAX_REQUEST_FRAME_BYTES) return this.refuse(frame.id, REQUEST_TOO_LARGE);
    const { requestQueue } = this.options;
    if (this.frames >= requestQueue.frames || this.bytes + bytes > requestQueue.bytes) {
      return this.refuse(frame.id, REQUEST_BUSY);
    }
    this.frames += 1;
    this.bytes += bytes;
    this.respond(frame.id, answerRequest(frame.data), () => {
      this.frames -= 1;
      this.bytes -= bytes;
    });
  }

  private refuse(id: string, error: string): void {
    this.respond(id, { error }, () => undefined);
  }

  private respond(id: string, answer: RequestAnswer, release: () => void): void {
    const text = encodeResponse(id, answer);
    const timers: ClockTimer[] = [];
    const done = (): void => {
      for (const timer of timers) timer.cancel();
      release();
    };
    const queued = text === null ? null : this.connection.offer('reserved', text, { flushed: done, dropped: done });
    if (queued === null) {
      this.counters.add('replies_dropped');
      return release();
    }
    this.counters.add('error' in answer ? 'requests_refused' : 'requests_answered');
    const expire = (): void => {
      if (queued.withdraw()) release();
    };
    timers.push(this.clock.schedule(this.options.requestDeadlineMs, expire));
  }
}

/** @returns null when not even the refusal fits: its id alone is too large */
function encodeResponse(id: string, answer: RequestAnswer): string | null {
  const fits = (text: string): boolean => Buffer.byteLength(text) <= MAX_RESPONSE_FRAME_BYTES;
  const text = encodeFrame({ type: 'response', id, ...answer });
  if (fits(text)) return text;
  const refusal = encodeFrame({ type: 'response', id, error: RESPONSE_TOO_LARGE });
  return fits(refusal) ? refusal : null;
}
