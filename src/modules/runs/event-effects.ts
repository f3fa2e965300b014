// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../../common/errors.js';
import type { ChatServer } from '../gateway/index.js';
import type { EndedEvent, ShimEvent } from '../hermes/index.js';
import type { HostEffect, TurnEnd } from '../inbox/index.js';
import { INTERRUPTED_NOTICE, modelFailedNotice, questionNotice } from './notices.js';

/**
 * What an event of the shim does to the ledger (docs/link.md, section 5).
 * @param chat cuts texts by the frame of its server
 * @param stopped a stop by a person cancelled the turn that ends
 */
export function effectOf(event: ShimEvent, chat: Pick<ChatServer, 'split'>, stopped: boolean): HostEffect {
  const { seq } = event;
  switch (event.type) {
    case 'started':
    case 'withdrawn':
      return { seq, kind: event.type, claim: event.admission };
    case 'send':
      return {
        seq,
        kind: 'send',
        claim: event.admission,
        handle: event.handle,
        replyTo: event.reply_to ?? null,
        parts: chat.split(event.chat_id, event.reply_to ?? null, event.text),
      };
    case 'edit':
      return {
        seq,
        kind: 'edit',
        claim: event.admission,
        handle: event.handle,
        parts: chat.split('', null, event.text),
      };
    case 'delete':
      return { seq, kind: 'delete', claim: event.admission, handle: event.handle };
    case 'question':
      return {
        seq,
        kind: 'question',
        claim: event.admission,
        questionId: `${event.admission}-${event.question}`,
        questionKind: event.kind,
        answered: event.answered,
        notice: [questionNotice(event.kind)],
      };
    case 'ended':
      return { seq, kind: 'end', claim: event.admission, end: turnEnd(event, stopped) };
    case 'result':
    case 'parked':
    case 'dropped':
    case 'stopping':
      return { seq, kind: 'none' };
  }
}

/**
 * How a turn's end in Hermes ends its receipt (HST-11, RUN-6, RUN-12).
 * @param stopped a person stopped it: Hermes has said so itself
 */
function turnEnd(event: EndedEvent, stopped: boolean): TurnEnd {
  switch (event.outcome) {
    case 'completed':
      return { to: 'completed', outcome: 'hermes_completed', errorCode: null, notice: null };
    case 'cancelled':
      return {
        to: 'failed',
        outcome: stopped ? 'hermes_stopped' : 'hermes_cancelled',
        errorCode: ErrorCode.TurnInterrupted,
        notice: stopped ? null : [INTERRUPTED_NOTICE],
      };
    case 'failed':
      return {
        to: 'failed',
        outcome: 'hermes_failed',
        errorCode: ErrorCode.ModelFailed,
        notice: [modelFailedNotice(event.error?.status ?? null)],
      };
    case 'withdrawn':
    case 'not_started':
      return { to: 'pending', outcome: event.outcome, disproved: event.outcome === 'not_started' };
  }
}
