// SPDX-License-Identifier: Apache-2.0
import type { DispatchClass } from '../dispatch-class.js';

/** States of a receipt; the legal moves stand in `receipt-state.ts` and are drawn in docs/ledger.md (INB-2). */
export type ReceiptState = 'pending' | 'processing' | 'in_doubt' | 'quarantined' | 'completed' | 'failed';

/** States in which a receipt is still somebody's business. */
export const OPEN_STATES = [
  'pending',
  'processing',
  'in_doubt',
  'quarantined',
] as const satisfies readonly ReceiptState[];

/** Where a conversation stands (BPP-11). */
export interface ReceiptContext {
  readonly guildId: string | null;
  readonly topLevelChannelId: string | null;
  readonly threadId: string | null;
  readonly taskId: string | null;
}

/** A receipt as the intake hands it over. */
export interface NewReceipt {
  /** 16 bytes, the only unique key (INB-15). */
  readonly dedupeKey: Buffer;
  /** 16 bytes of the payload's hash: evidence when the same message comes again in another form. */
  readonly evidence: Buffer;
  readonly kind: string;
  /** Session key of Hermes; turns of one lane run one after another. */
  readonly lane: string;
  readonly channelId: string;
  readonly channelType: 'dm' | 'channel';
  readonly messageId: string;
  readonly authorId: string;
  readonly authorName: string;
  /** The text that runs. */
  readonly body: string;
  /** The text as it came, when it differs from the body (a `/queue` that lost its prefix); else null. */
  readonly sourceBody: string | null;
  readonly dispatchClass: DispatchClass;
  readonly context: ReceiptContext | null;
  /** Unix ms as the server says. */
  readonly sourceCreatedAt: number;
  /** Unix ms */
  readonly receivedAt: number;
  /** Null: pending. Else terminal from the insert on, with its outcome. */
  readonly terminal: { readonly state: 'completed' | 'failed'; readonly outcome: string } | null;
  /** Asks for the echo check: a message id among the outbound ids makes the receipt completed / ignored_outbound_echo. */
  readonly checkEcho: boolean;
}

export interface AdmitResult {
  readonly ingestSeq: number;
  /** The dedupe key was there before: nothing new was stored. Another form of the message is counted as a sighting, but never runs. */
  readonly duplicate: boolean;
  readonly state: ReceiptState;
  /** Null as well when the receipt was removed by retention. */
  readonly outcome: string | null;
}

/** A receipt with everything that a turn needs. */
export interface ClaimedReceipt {
  readonly ingestSeq: number;
  readonly claim: string;
  /** 1 for the first claim. */
  readonly attempt: number;
  /** It was released before, so that Hermes may hold an unfinished exchange of it. */
  readonly released: boolean;
  readonly lane: string;
  readonly channelId: string;
  readonly channelType: 'dm' | 'channel';
  readonly messageId: string;
  readonly authorId: string;
  readonly authorName: string;
  readonly body: string;
  readonly dispatchClass: DispatchClass;
  readonly context: ReceiptContext | null;
  readonly sourceCreatedAt: number;
  readonly receivedAt: number;
  /** Unix ms of the `started` commit, else null. */
  readonly startedAt: number | null;
}
