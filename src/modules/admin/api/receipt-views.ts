// SPDX-License-Identifier: Apache-2.0
import type { ReceiptDetail, ReceiptQuery, ReceiptSummary, Remediated } from '../../inbox/index.js';
import { isoTime } from './fields.js';
import type { DecisionAnswer, ReceiptAnswer, ReceiptDetailAnswer, ReceiptsQuery } from './receipts.dto.js';

const MINUTE_MS = 60_000;

/** The fields of an answer. */
type Plain<T> = { readonly [K in keyof T]: T[K] };

/** @returns the query of the ledger for the query of a request */
export function queryOf(query: ReceiptsQuery, now: number): ReceiptQuery {
  return {
    ...(query.state !== undefined && { state: query.state }),
    ...(query.lane !== undefined && { lane: query.lane }),
    ...(query.class !== undefined && { dispatchClass: query.class }),
    ...(query.message_id !== undefined && { messageId: query.message_id }),
    ...(query.older_than_minutes !== undefined && { receivedBefore: now - query.older_than_minutes * MINUTE_MS }),
    ...(query.cursor !== undefined && { before: query.cursor }),
    limit: query.limit,
  };
}

/** @returns a receipt as the interface shows it */
export function receiptAnswer(receipt: ReceiptSummary, now: number): Plain<ReceiptAnswer> {
  return {
    ingest_seq: receipt.ingestSeq,
    state: receipt.state,
    kind: receipt.kind,
    lane: receipt.lane,
    class: receipt.dispatchClass,
    channel_id: receipt.channelId,
    message_id: receipt.messageId,
    author_id: receipt.authorId,
    attempt: receipt.attempt,
    sightings: receipt.sightings,
    received_at: isoTime(receipt.receivedAt),
    age_seconds: ageSeconds(receipt.receivedAt, now),
    started_at: receipt.startedAt === null ? null : isoTime(receipt.startedAt),
    ended_at: receipt.endedAt === null ? null : isoTime(receipt.endedAt),
    outcome: receipt.outcome,
    error_code: receipt.errorCode,
  };
}

/** @returns a receipt with everything about it */
export function receiptDetail(receipt: ReceiptDetail, now: number): ReceiptDetailAnswer {
  const { content } = receipt;
  return {
    ...receiptAnswer(receipt, now),
    history: receipt.history.map(({ at, ...entry }) => ({ at: isoTime(at), ...entry })),
    outbox: receipt.outbox,
    blocks: receipt.blocks,
    content:
      content === null
        ? null
        : { author_name: content.authorName, body: content.body, source_body: content.sourceBody },
  };
}

/** @returns what a decision did */
export function decisionAnswer({ ingestSeq, lane, action, sessionReset }: Remediated): DecisionAnswer {
  return { ingest_seq: ingestSeq, lane, action, session: sessionReset ? 'reset' : 'reset_pending' };
}

/** @returns whole seconds since a time; a clock that went back counts as none */
export function ageSeconds(at: number, now: number): number {
  return Math.max(0, Math.floor((now - at) / 1000));
}
