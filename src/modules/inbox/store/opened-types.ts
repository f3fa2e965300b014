// SPDX-License-Identifier: Apache-2.0
import type { DispatchClass } from '../dispatch-class.js';
import type { DueReset, Pause } from './operator-types.js';
import type { OutboxTicket } from './outbox-types.js';

/** A receipt that waits in its lane. */
export interface WaitingReceipt {
  readonly ingestSeq: number;
  readonly dispatchClass: DispatchClass;
}

/** Open receipts of a lane, at the start of the process. */
export interface LaneSnapshot {
  readonly lane: string;
  /** Receipts that are pending, ascending by ingest number. */
  readonly pending: readonly WaitingReceipt[];
  /** Receipts that are processing, in doubt or quarantined. */
  readonly leftovers: readonly Leftover[];
}

/** A receipt that an earlier process left claimed or blocked. */
export interface Leftover {
  readonly ingestSeq: number;
  readonly dispatchClass: DispatchClass;
  readonly state: 'processing' | 'in_doubt' | 'quarantined';
  /** Token of the claim; null for a quarantined receipt. */
  readonly claim: string | null;
  readonly startedAt: number | null;
  readonly messageId: string;
  readonly channelId: string;
}

/** What the ledger belongs to. */
export interface LedgerIdentity {
  readonly origin: string;
  readonly agentId: string;
}

/** State of the ledger after `open()`. */
export interface OpenedLedger {
  /** Counted up by this open: every command to Hermes carries it. */
  readonly epoch: number;
  readonly identity: LedgerIdentity | null;
  /** The settings that were kept last (JSON), or null. */
  readonly settings: string | null;
  readonly lanes: readonly LaneSnapshot[];
  /** Outbox rows that still wait for their first write, oldest first. */
  readonly queued: readonly OutboxTicket[];
  /** Terminal and quarantined receipts whose task people still see as running. */
  readonly openTasks: readonly OpenTask[];
  /** The command table that was kept last (JSON with its Hermes version), or null (D-12). */
  readonly commands: string | null;
  /** Pauses of the operator that hold over restarts (OPS-5). */
  readonly pauses: readonly Pause[];
  /** Decisions of the operator whose session reset is still due; their lanes stay blocked until it is done (INB-5). */
  readonly resets: readonly DueReset[];
}

/** A task that was announced and whose end may not have reached the chat server. */
export interface OpenTask {
  readonly ingestSeq: number;
  readonly claim: string;
  readonly channelId: string;
  readonly startedAt: number;
  /** A quarantined receipt is told as failed: nobody will ever finish that turn. */
  readonly state: 'completed' | 'failed';
  readonly outcome: string;
}
