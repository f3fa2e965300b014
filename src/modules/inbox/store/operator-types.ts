// SPDX-License-Identifier: Apache-2.0
import type { DispatchClass } from '../dispatch-class.js';
import type { OutboxKind, OutboxState } from './outbox-types.js';
import type { ReceiptState } from './receipt-types.js';

/** What the operator has paused: everything that comes in, everything that starts, or one lane. */
export type Pause = 'intake' | 'dispatch' | `lane:${string}`;

/** A decision whose reset of the Hermes session is still due. */
export interface DueReset {
  readonly remediationId: number;
  readonly ingestSeq: number;
  readonly lane: string;
  /** Requeued receipts wait again after the reset; null for a discarded one. */
  readonly requeued: { readonly dispatchClass: DispatchClass } | null;
}

/** A decision about one quarantined receipt (INB-5). */
export interface RemediationOrder {
  readonly action: 'discard' | 'requeue';
  /** Who decided, as the interface knows it. */
  readonly actor: string;
  /** Why, in the operator's words; at most 500 characters. */
  readonly reason: string;
  /** False: Hermes is away, the reset of its session is still due. */
  readonly sessionReset: boolean;
}

/** What a decision did; null when the receipt is not quarantined. */
export interface RemediationResult {
  readonly remediationId: number;
  readonly lane: string;
  readonly dispatchClass: DispatchClass;
}

/** Which receipts a page shows; every field narrows it. */
export interface ReceiptQuery {
  readonly state?: ReceiptState;
  readonly lane?: string;
  readonly dispatchClass?: DispatchClass;
  readonly messageId?: string;
  /** Only receipts that came in before this time, Unix ms. */
  readonly receivedBefore?: number;
  /** Only receipts with a smaller ingest number: the cursor of pages that go back in time. */
  readonly before?: number;
  /** 1..200 */
  readonly limit: number;
}

/** A receipt as an operator sees it; no content. */
export interface ReceiptSummary {
  readonly ingestSeq: number;
  readonly state: ReceiptState;
  readonly kind: string;
  readonly lane: string;
  readonly dispatchClass: DispatchClass;
  readonly channelId: string;
  readonly messageId: string;
  readonly authorId: string;
  readonly attempt: number;
  readonly sightings: number;
  readonly receivedAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly outcome: string | null;
  readonly errorCode: string | null;
}

/** One thing that happened to a receipt beside its ordinary way. */
export interface ReceiptHistoryEntry {
  /** Unix ms */
  readonly at: number;
  readonly event: 'released' | 'in_doubt' | 'quarantined' | 'discarded' | 'requeued' | 'session_reset';
  readonly detail: string | null;
  readonly actor: string | null;
  readonly reason: string | null;
}

/** A receipt with its history and its writes. */
export interface ReceiptDetail extends ReceiptSummary {
  readonly history: readonly ReceiptHistoryEntry[];
  readonly outbox: readonly {
    readonly id: number;
    readonly kind: OutboxKind;
    readonly state: OutboxState;
    readonly code: string | null;
  }[];
  /** Receipts of the lane that wait behind it while it blocks; else 0. */
  readonly blocks: number;
  /** Text and display name; only when asked for. */
  readonly content: { readonly authorName: string; readonly body: string; readonly sourceBody: string | null } | null;
}

/** What retention may remove (INB-14). Ages in ms. */
export interface RetentionRules {
  /** Bodies, contexts and outbox texts of terminal receipts older than this are emptied. */
  readonly bodiesAfterMs: number;
  /** Terminal rows older than this leave; their 16-byte keys stay. */
  readonly rowsAfterMs: number;
  /** Terminal rows beyond this count leave too, oldest first. */
  readonly maxTerminalRows: number;
  /** Keys for recognising duplicates and ids of own messages leave after this. */
  readonly dedupeHorizonMs: number;
  /** Most rows that one step touches, so that it never holds the ledger for long. */
  readonly limit: number;
}

/** What one step of retention removed. `more`: it stopped at its limit. */
export interface RetentionResult {
  readonly bodies: number;
  readonly rows: number;
  readonly keys: number;
  readonly more: boolean;
}

/** Figures for health. Ages in ms. */
export interface LedgerStatistics {
  readonly receipts: Readonly<Record<ReceiptState, number>>;
  readonly oldestOpen: Readonly<Partial<Record<ReceiptState, number>>>;
  readonly outbox: Readonly<Record<OutboxState, number>>;
  /** Open receipts by dispatch class. */
  readonly openByClass: Readonly<Record<DispatchClass, number>>;
  /** Age of the oldest open receipt of each class that has one. */
  readonly oldestByClass: Readonly<Partial<Record<DispatchClass, number>>>;
  readonly blockedLanes: number;
  /** Bytes of the write-ahead log: grows while another process reads the file for long (F-44). */
  readonly walBytes: number;
}
