// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import type { AdmitResult, NewReceipt, ReceiptState } from '../receipt-types.js';
import { CHANNEL_TYPE_CODES, DISPATCH_CLASS_CODES, RECEIPT_STATE_CODES, receiptStateOf } from './codes.js';

/** Outcome of a receipt that shows a message of this agent itself (BPP-5). */
const ECHO_OUTCOME = 'ignored_outbound_echo';

interface Known {
  readonly ingestSeq: number;
  readonly state: number;
  readonly outcome: string | null;
  readonly evidence: Buffer;
}

/** A receipt that retention removed. */
type Seen = Omit<Known, 'outcome' | 'evidence'>;

/** Admission: the one statement that has to be cheap (INB-1, INB-15). */
export class Receipts {
  private readonly insert: Database.Statement;
  private readonly known: Database.Statement<[Buffer], Known>;
  private readonly seen: Database.Statement<[Buffer], Seen>;
  private readonly sight: Database.Statement;
  private readonly isOutbound: Database.Statement;

  /** @param now Unix ms of the batch */
  constructor(
    db: Database.Database,
    private readonly now: () => number,
  ) {
    this.insert = db.prepare(
      `INSERT INTO receipts (dedupe_key, evidence, state, kind, lane, channel_id, channel_type, message_id, author_id, author_name,
         context, source_created_at, received_at, ended_at, outcome, dispatch_class, body, source_body)
       SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM seen_keys WHERE dedupe_key = ?)
       ON CONFLICT (dedupe_key) DO NOTHING`,
    );
    this.known = db.prepare(
      'SELECT ingest_seq AS ingestSeq, state, outcome, evidence FROM receipts WHERE dedupe_key = ?',
    );
    this.seen = db.prepare('SELECT ingest_seq AS ingestSeq, state FROM seen_keys WHERE dedupe_key = ?');
    this.sight = db.prepare('UPDATE receipts SET sightings = sightings + 1, evidence = ? WHERE ingest_seq = ?');
    this.isOutbound = db.prepare('SELECT 1 FROM outbound_ids WHERE message_id = ?');
  }

  /** Stores one event, or recognises it. Another form of a known one is counted as a sighting and never runs. */
  admit(receipt: NewReceipt): AdmitResult {
    const { state, outcome } = this.entryOf(receipt);
    const inserted = this.insert.run(
      receipt.dedupeKey,
      receipt.evidence,
      RECEIPT_STATE_CODES[state],
      receipt.kind,
      receipt.lane,
      receipt.channelId,
      CHANNEL_TYPE_CODES[receipt.channelType],
      receipt.messageId,
      receipt.authorId,
      receipt.authorName,
      receipt.context === null ? null : JSON.stringify(receipt.context),
      receipt.sourceCreatedAt,
      receipt.receivedAt,
      state === 'pending' ? null : this.now(),
      outcome,
      DISPATCH_CLASS_CODES[receipt.dispatchClass],
      receipt.body,
      receipt.sourceBody,
      receipt.dedupeKey,
    );
    if (inserted.changes === 0) return this.recognise(receipt);
    return { ingestSeq: Number(inserted.lastInsertRowid), duplicate: false, state, outcome };
  }

  /** State and outcome at the insert. */
  private entryOf(receipt: NewReceipt): { readonly state: ReceiptState; readonly outcome: string | null } {
    if (receipt.terminal !== null) return receipt.terminal;
    if (receipt.checkEcho && this.isOutbound.get(receipt.messageId) !== undefined) {
      return { state: 'completed', outcome: ECHO_OUTCOME };
    }
    return { state: 'pending', outcome: null };
  }

  private recognise(receipt: NewReceipt): AdmitResult {
    const known = this.known.get(receipt.dedupeKey);
    if (known === undefined) return this.recogniseRemoved(receipt);
    if (!known.evidence.equals(receipt.evidence)) this.sight.run(receipt.evidence, known.ingestSeq);
    return {
      ingestSeq: known.ingestSeq,
      duplicate: true,
      state: receiptStateOf(known.state),
      outcome: known.outcome,
    };
  }

  /** Its row has left; how it ended is all that is known. */
  private recogniseRemoved(receipt: NewReceipt): AdmitResult {
    const seen = this.seen.get(receipt.dedupeKey);
    if (seen === undefined) throw new RangeError('the insert met a conflict that no row explains');
    return { ingestSeq: seen.ingestSeq, duplicate: true, state: receiptStateOf(seen.state), outcome: null };
  }
}
