// SPDX-License-Identifier: Apache-2.0
import { chmodSync, copyFileSync, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { LedgerRecord, OutboxRow, ReceiptRow, ReceiptStateName } from './records.js';

/** Names of the codes in the ledger, by their number (docs/ledger.md). */
const RECEIPT_STATES: readonly ReceiptStateName[] = [
  'pending',
  'processing',
  'in_doubt',
  'quarantined',
  'completed',
  'failed',
];
const OUTBOX_STATES = ['queued', 'sent', 'confirmed', 'uncertain', 'refused'] as const;
const OUTBOX_KINDS = ['send', 'edit', 'delete'] as const;

/**
 * Copies the ledger of a bridge that has ended into one file without a write-ahead log. The ledger itself is only read: opening a live
 * one would drop its locks.
 * @param from the ledger
 * @param to the copy, mode 0600; replaced when it exists
 */
export function copyLedger(from: string, to: string): void {
  for (const suffix of ['', '-wal']) {
    if (!existsSync(from + suffix)) continue;
    copyFileSync(from + suffix, to + suffix);
    chmodSync(to + suffix, 0o600);
  }
  const copy = new DatabaseSync(to);
  try {
    copy.exec('PRAGMA journal_mode = DELETE');
  } finally {
    copy.close();
  }
}

/**
 * Reads the rows that the auditor judges.
 * @param file a copy of a ledger
 * @throws Error when it is no ledger or holds a code that is not known
 */
export function readLedger(file: string): LedgerRecord {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const receipts = database.prepare('SELECT * FROM receipts ORDER BY ingest_seq').all();
    const outbox = database.prepare('SELECT * FROM outbox ORDER BY id').all();
    return { receipts: receipts.map(receiptRow), outbox: outbox.map(outboxRow) };
  } finally {
    database.close();
  }
}

/** A row as SQLite gives it. */
type Row = Readonly<Record<string, unknown>>;

function receiptRow(row: Row): ReceiptRow {
  return {
    ingestSeq: integer(row, 'ingest_seq'),
    messageId: text(row, 'message_id') ?? '',
    channelId: text(row, 'channel_id') ?? '',
    lane: text(row, 'lane') ?? '',
    ordinary: integer(row, 'dispatch_class') === 0,
    state: named(RECEIPT_STATES, row, 'state'),
    outcome: text(row, 'outcome'),
    attempt: integer(row, 'attempt'),
    receivedAt: integer(row, 'received_at'),
    startedAt: optionalInteger(row, 'started_at'),
    endedAt: optionalInteger(row, 'ended_at'),
  };
}

function outboxRow(row: Row): OutboxRow {
  return {
    id: integer(row, 'id'),
    ingestSeq: integer(row, 'ingest_seq'),
    kind: named(OUTBOX_KINDS, row, 'kind'),
    state: named(OUTBOX_STATES, row, 'state'),
    code: text(row, 'code'),
    messageId: text(row, 'message_id'),
  };
}

function text(row: Row, column: string): string | null {
  const value = row[column];
  if (value === null || typeof value === 'string') return value;
  throw new Error(`The ledger's column ${column} holds no text.`);
}

function integer(row: Row, column: string): number {
  const value = optionalInteger(row, column);
  if (value === null) throw new Error(`The ledger's column ${column} is empty.`);
  return value;
}

function optionalInteger(row: Row, column: string): number | null {
  const value = row[column];
  if (value === null || typeof value === 'number') return value;
  throw new Error(`The ledger's column ${column} holds no number.`);
}

function named<T extends string>(names: readonly T[], row: Row, column: string): T {
  const name = names[integer(row, column)];
  if (name === undefined) throw new Error(`The ledger's column ${column} holds a code that is not known.`);
  return name;
}
