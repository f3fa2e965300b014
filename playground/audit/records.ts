// SPDX-License-Identifier: Apache-2.0

/**
 * What the auditor reads: three records that nobody who is judged can bend together. The chat server's and the model's are written by
 * the playground, the ledger's rows are the bridge's own word. Times are Unix milliseconds of one machine.
 */
export interface AuditRecords {
  readonly chat: readonly ChatEvent[];
  readonly model: readonly ModelRequest[];
  readonly ledger: LedgerRecord;
}

/** What the chat server saw and did, in its order. */
export type ChatEvent =
  | DeliveredEvent
  | DroppedEvent
  | ClosedEvent
  | PostedEvent
  | EditedEvent
  | DeletedEvent
  | TaskStartedEvent
  | TaskFinishedEvent;

/** A message of a person was written to the agent's socket. */
export interface DeliveredEvent {
  readonly type: 'delivered';
  readonly at: number;
  /** Number of the connection. */
  readonly connection: number;
  readonly messageId: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly text: string;
}

/** A message of a person that the server threw away instead of writing it. */
export interface DroppedEvent {
  readonly type: 'dropped';
  readonly at: number;
  readonly messageId: string;
}

/** A connection of the agent ended. */
export interface ClosedEvent {
  readonly type: 'closed';
  readonly at: number;
  readonly connection: number;
}

/** The agent posted a message and the server took it. */
export interface PostedEvent {
  readonly type: 'posted';
  readonly at: number;
  readonly messageId: string;
  readonly channelId: string;
  readonly replyTo: string | null;
  readonly text: string;
}

/** The agent changed a message of its own. */
export interface EditedEvent {
  readonly type: 'edited';
  readonly at: number;
  readonly messageId: string;
  readonly text: string;
}

/** The agent deleted a message of its own. */
export interface DeletedEvent {
  readonly type: 'deleted';
  readonly at: number;
  readonly messageId: string;
}

export interface TaskStartedEvent {
  readonly type: 'task_started';
  readonly at: number;
  readonly taskId: string;
  readonly channelId: string;
}

export interface TaskFinishedEvent {
  readonly type: 'task_finished';
  readonly at: number;
  readonly taskId: string;
  readonly channelId: string;
  readonly outcome: string;
}

/** A request at the model that belongs to a turn; titles, probes and lists are left out. */
export interface ModelRequest {
  readonly at: number;
  /** The whole system message: it holds the turn's unique prompt and so tells turns apart. */
  readonly system: string;
  /** Text of the newest user message. */
  readonly userText: string;
  /** It asks for an answer to the user's text; false: it brings the result of a tool. */
  readonly first: boolean;
  /** The model answered it without an error, to its end, and said something: Hermes asks again after an empty answer. */
  readonly answered: boolean;
  /** Text that the model answered, whole; empty for a tool call, an error or when it was not recorded. */
  readonly reply: string;
}

/** States of a receipt, as the ledger writes them. */
export type ReceiptStateName = 'pending' | 'processing' | 'in_doubt' | 'quarantined' | 'completed' | 'failed';

/** One receipt. */
export interface ReceiptRow {
  readonly ingestSeq: number;
  readonly messageId: string;
  readonly channelId: string;
  readonly lane: string;
  /** False for control work, which may bypass the line of its lane. */
  readonly ordinary: boolean;
  readonly state: ReceiptStateName;
  readonly outcome: string | null;
  /** Number of claims so far. */
  readonly attempt: number;
  readonly receivedAt: number;
  readonly startedAt: number | null;
  /** Time of the terminal commit. */
  readonly endedAt: number | null;
}

/** One row of the outbox. */
export interface OutboxRow {
  readonly id: number;
  readonly ingestSeq: number;
  readonly kind: string;
  readonly state: string;
  /** Why it is uncertain or refused; null for a refused row: it was withdrawn before it was written. */
  readonly code: string | null;
  readonly messageId: string | null;
}

/** The ledger after the bridge has ended. */
export interface LedgerRecord {
  readonly receipts: readonly ReceiptRow[];
  readonly outbox: readonly OutboxRow[];
}

/** Something that must not be. */
export interface Violation {
  /** Name of the invariant. */
  readonly invariant: string;
  /** Ids and numbers, for people. */
  readonly what: string;
}
