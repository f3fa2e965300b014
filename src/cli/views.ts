// SPDX-License-Identifier: Apache-2.0
import type {
  DecisionAnswer,
  HealthAnswer,
  LaneAnswer,
  LanePage,
  PausesAnswer,
  ReceiptDetailAnswer,
  ReceiptPage,
} from '../modules/admin/index.js';
import { duration, facts, quoted, table, visible } from './text.js';

/** A page of receipts. */
export function receiptsText({ receipts, next_cursor }: ReceiptPage): string {
  if (receipts.length === 0) return 'No receipts.\n';
  const rows = receipts.map((receipt) => [
    receipt.ingest_seq,
    receipt.state,
    receipt.class,
    duration(receipt.age_seconds),
    receipt.lane,
    receipt.message_id,
    receipt.outcome,
  ]);
  return table(['SEQ', 'STATE', 'CLASS', 'AGE', 'LANE', 'MESSAGE', 'OUTCOME'], rows) + nextPage(next_cursor);
}

/** One receipt. */
export function receiptText(receipt: ReceiptDetailAnswer): string {
  const { history, outbox, content } = receipt;
  const sections = [
    facts([
      ['receipt', receipt.ingest_seq],
      ['state', receipt.state],
      ['class', receipt.class],
      ['outcome', receipt.outcome],
      ['error', receipt.error_code],
      ['lane', receipt.lane],
      ['blocks', `${String(receipt.blocks)} waiting`],
      ['kind', receipt.kind],
      ['channel', receipt.channel_id],
      ['message', receipt.message_id],
      ['author', receipt.author_id],
      ['received', `${receipt.received_at} (${duration(receipt.age_seconds)} ago)`],
      ['started', receipt.started_at],
      ['ended', receipt.ended_at],
      ['attempts', receipt.attempt],
      ['sightings', receipt.sightings],
    ]),
  ];
  if (history.length > 0) {
    const rows = history.map(({ at, event, detail, actor, reason }) => [at, event, detail, actor, reason]);
    sections.push(table(['AT', 'EVENT', 'DETAIL', 'ACTOR', 'REASON'], rows));
  }
  if (outbox.length > 0) {
    const rows = outbox.map(({ id, kind, state, code }) => [id, kind, state, code]);
    sections.push(table(['WRITE', 'KIND', 'STATE', 'CODE'], rows));
  }
  if (content !== null) {
    const source = content.source_body === null ? '' : `as it came:\n${quoted(content.source_body)}`;
    sections.push(`${visible(content.author_name)} wrote:\n${quoted(content.body)}${source}`);
  }
  return sections.join('\n');
}

/** What a decision did. */
export function decisionText({ ingest_seq, action, lane, session }: DecisionAnswer): string {
  const done = action === 'discard' ? 'discarded' : 'requeued';
  const after =
    session === 'reset'
      ? 'Its session is reset; the lane is open.'
      : 'Hermes is away: the lane opens when its session is reset, at the next attach.';
  return `Receipt ${String(ingest_seq)} of ${visible(lane)} is ${done}. ${after}\n`;
}

/** A page of lanes. */
export function lanesText({ lanes, next_cursor }: LanePage): string {
  if (lanes.length === 0) return 'No lanes.\n';
  const rows = lanes.map((lane) => [
    lane.lane,
    conditionOf(lane),
    lane.waiting,
    lane.head === null ? null : lane.head.ingest_seq,
    lane.head === null || lane.head.age_seconds === null ? null : duration(lane.head.age_seconds),
    lane.running.map(({ ingest_seq }) => ingest_seq).join(' ') || null,
    lane.blockers.map(({ ingest_seq, reason }) => `${String(ingest_seq)} ${reason}`).join(', ') || null,
  ]);
  return table(['LANE', 'CONDITION', 'WAITING', 'NEXT', 'AGE', 'RUNNING', 'BLOCKED BY'], rows) + nextPage(next_cursor);
}

/** What is paused. */
export function pausesText({ pauses }: PausesAnswer): string {
  return pauses.length === 0 ? 'Nothing is paused.\n' : `Paused: ${pauses.map(visible).join(', ')}\n`;
}

/** Readiness, the reasons first. */
export function statusText(health: HealthAnswer): string {
  const { status, reasons, gateway, hermes, ledger, lanes, pauses } = health;
  const told = reasons.map(({ name, severity, sentence, details }) => {
    const figures = Object.entries(details).map(([key, value]) => `${key}=${String(value)}`);
    return [severity, name, [sentence, ...figures].join(' ')];
  });
  const receipts = ledger === null ? 'unknown' : counts(ledger.receipts);
  const writes = ledger === null ? 'unknown' : counts(ledger.outbox);
  return [
    facts([
      ['status', status],
      ['chat server', gateway.reason === null ? gateway.state : `${gateway.state} (${gateway.reason})`],
      [
        'hermes',
        hermes.attached ? `attached, ${String(hermes.version)}, ${String(hermes.dispatches)} turns at once` : 'away',
      ],
      ['receipts', receipts],
      ['lanes', counts(lanes)],
      ['writes', writes],
      ['paused', pauses.length === 0 ? 'nothing' : pauses.join(', ')],
    ]),
    ...(told.length === 0 ? [] : [table(['SEVERITY', 'REASON', 'WHAT'], told)]),
  ].join('\n');
}

function counts(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, count]) => `${String(count)} ${name}`)
    .join(', ');
}

function conditionOf({ blockers, paused, held, running, waiting }: LaneAnswer): string {
  const names = [
    ...(blockers.length > 0 ? ['blocked'] : []),
    ...(paused ? ['paused'] : []),
    ...(held ? ['held'] : []),
    ...(running.length > 0 ? ['busy'] : []),
  ];
  if (names.length > 0) return names.join(' ');
  return waiting > 0 ? 'waiting' : 'idle';
}

function nextPage(cursor: string | number | null): string {
  return cursor === null ? '' : `next page: --cursor ${visible(cursor)}\n`;
}
