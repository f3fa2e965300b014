// SPDX-License-Identifier: Apache-2.0
import type { ErrorCode } from '../../../common/errors.js';
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

/** Kinds of an outbox row. */
export type OutboxKind = 'send' | 'edit' | 'delete';

/**
 * States of an outbox row: queued → sent → confirmed | uncertain | refused; sent → queued only when the frame certainly never left.
 * `uncertain` is final here and shown in health.
 */
export type OutboxState = 'queued' | 'sent' | 'confirmed' | 'uncertain' | 'refused';

/** What the sender needs to keep rows in order without holding their texts. */
export interface OutboxTicket {
  readonly id: number;
  readonly channelId: string;
  readonly ingestSeq: number;
}

/** A row that is about to be written, committed as `sent`. */
export interface OutboxDispatch {
  readonly id: number;
  readonly kind: OutboxKind;
  readonly channelId: string;
  readonly replyTo: string | null;
  readonly content: string;
  /** Edit and delete: the server's id of the message to change; null when its send was never confirmed. */
  readonly targetMessageId: string | null;
}

/** Effect of one event of the shim (or of the bridge's own decision) on the ledger. `seq` is the event's number. */
export type HostEffect =
  | { readonly seq: number; readonly kind: 'none' }
  | { readonly seq: number; readonly kind: 'started'; readonly claim: string }
  | { readonly seq: number; readonly kind: 'withdrawn'; readonly claim: string }
  | {
      readonly seq: number;
      readonly kind: 'send';
      readonly claim: string;
      readonly handle: string;
      readonly replyTo: string | null;
      readonly parts: readonly string[];
    }
  | {
      readonly seq: number;
      readonly kind: 'edit';
      readonly claim: string;
      readonly handle: string;
      readonly parts: readonly string[];
    }
  | { readonly seq: number; readonly kind: 'delete'; readonly claim: string; readonly handle: string }
  | {
      readonly seq: number;
      readonly kind: 'question';
      readonly claim: string;
      readonly questionId: string;
      readonly questionKind: string;
      /** The shim has answered Hermes already. */
      readonly answered: boolean;
      /** One text of ours for the channel, said once per claim and kind. */
      readonly notice: readonly string[];
    }
  | {
      readonly seq: number;
      readonly kind: 'end';
      readonly claim: string;
      readonly end: TurnEnd;
    };

/** How a claim ends. A `notice` is one text of ours, queued for the channel in the same commit. */
export type TurnEnd =
  | {
      readonly to: 'completed' | 'failed';
      readonly outcome: string;
      readonly errorCode: ErrorCode | null;
      /** Its parts; it replies to the receipt's message. */
      readonly notice: readonly string[] | null;
    }
  /**
   * Back to pending: only while `started` is not committed or was withdrawn, or with `disproved`: the shim said that it never took the turn,
   * so that a committed start counts as not started.
   */
  | { readonly to: 'pending'; readonly outcome: string; readonly disproved: boolean };

/** What an effect did. */
export interface HostEffectResult {
  readonly seq: number;
  /**
   * `applied`: done; `repeated`: at or below the watermark, done before; `stale`: the claim is not in processing any more, nothing done
   * (for `send`, `edit`, `delete`: stored all the same when the receipt exists, since Hermes did produce it).
   */
  readonly status: 'applied' | 'repeated' | 'stale';
  /** For `started`, also when repeated: the claim is processing and its start is committed. */
  readonly go: boolean;
  /** For `started` with `go`: what the announcement of the task needs. */
  readonly started: {
    readonly ingestSeq: number;
    readonly messageId: string;
    readonly channelId: string;
    /** Unix ms of the commit */
    readonly startedAt: number;
  } | null;
  /** For `end` with `applied`: the receipt's new state. */
  readonly ended: {
    readonly ingestSeq: number;
    readonly messageId: string;
    readonly lane: string;
    readonly state: ReceiptState;
  } | null;
  /** Outbox rows that were added; rows that were only changed keep their place and are not listed. */
  readonly queued: readonly OutboxTicket[];
}

/** Figures for health. Ages in ms. */
export interface LedgerStatistics {
  readonly receipts: Readonly<Record<ReceiptState, number>>;
  readonly oldestOpen: Readonly<Partial<Record<ReceiptState, number>>>;
  readonly outbox: Readonly<Record<OutboxState, number>>;
  /** Open receipts by dispatch class. */
  readonly openByClass: Readonly<Record<DispatchClass, number>>;
  readonly blockedLanes: number;
  /** Bytes of the write-ahead log: grows while another process reads the file for long (F-44). */
  readonly walBytes: number;
}

/**
 * The ledger (architecture, section 4). Every method is one atomic, durable step: when its promise resolves, the commit is on disk.
 * Steps that arrive while a commit runs share the next one (INB-13); a failing step never takes another one with it.
 * Every method rejects with `AngeliaError`: `ledger_closed` before `open()` and after `close()`, `ledger_write_failed` when the disk refuses,
 * `ledger_corrupt`, `internal` when the step itself is impossible (a dedupe key of another length): nothing of the step happened then.
 * One conformance suite (test/conformance/store) holds every implementation to this page.
 */
export interface LedgerStore {
  /**
   * Opens or creates the file, migrates it, checks integrity and durability, counts the epoch up, turns outbox rows that an earlier
   * process left `sent` into `uncertain`. Called once.
   * @throws AngeliaError `ledger_mode`, `ledger_corrupt`, `ledger_too_new`, `ledger_not_durable`, `ledger_write_failed`
   */
  open(): Promise<OpenedLedger>;

  /** Settles everything submitted, then closes. Idempotent; never rejects (INB-9). */
  close(): Promise<void>;

  /** Binds the ledger to its owner. @throws AngeliaError `ledger_identity_mismatch` naming both when it belongs to another */
  bindIdentity(identity: LedgerIdentity): Promise<void>;

  /** Keeps the last effective settings (JSON without secrets). */
  keepSettings(settings: string): Promise<void>;

  /** Stores one event (INB-1, INB-15, BPP-5). */
  admit(receipt: NewReceipt): Promise<AdmitResult>;

  /**
   * pending → processing under a new claim token (INB-2).
   * @returns null when the receipt is not pending
   */
  claim(ingestSeq: number, claim: string): Promise<ClaimedReceipt | null>;

  /**
   * Commits `started` for a claim before its handover: slash commands, which never pass the start barrier.
   * @returns false when the claim is not in processing
   */
  markStarted(claim: string): Promise<boolean>;

  /** Reads the receipt of a claim that is in processing; null when it is not. */
  findClaimed(claim: string): Promise<ClaimedReceipt | null>;

  /** processing → completed | failed | pending by the bridge's own decision; `seq` is ignored. */
  endClaim(claim: string, end: TurnEnd): Promise<HostEffectResult>;

  /** processing → in_doubt: started, and the Hermes process is gone or no longer knows it. @returns false when the claim is not in processing */
  markInDoubt(claim: string): Promise<boolean>;

  /** in_doubt → quarantined. @returns false when the claim is not in doubt */
  quarantine(claim: string, outcome: string): Promise<boolean>;

  /** Number of the last committed event of a Hermes process; 0 for an unknown one. */
  watermark(instance: string): Promise<number>;

  /** Commits the effects of events of one Hermes process together with the watermark (`throughSeq`), in one transaction. */
  applyHostEffects(
    instance: string,
    throughSeq: number,
    effects: readonly HostEffect[],
  ): Promise<readonly HostEffectResult[]>;

  /** queued → sent, committed before the first write; null when the row is no longer queued. */
  takeOutbox(id: number): Promise<OutboxDispatch | null>;

  /**
   * sent → confirmed; a send stores the server's id in the same commit, for the echo filter (BPP-5).
   * @param messageId the server's id of a send, null for edits and deletes
   */
  confirmOutbox(id: number, messageId: string | null): Promise<void>;

  /** sent → uncertain | refused, or back to queued when the frame certainly never left. */
  settleOutbox(id: number, state: 'uncertain' | 'refused' | 'queued', code: ErrorCode): Promise<void>;

  /** Keeps the id of a message that the gateway sent by itself (bpp 3.6). */
  rememberOutbound(messageId: string, channelId: string): Promise<void>;

  /** The end of the receipt's task certainly reached the chat server. */
  closeTask(ingestSeq: number): Promise<void>;

  /** Keeps the command table of a Hermes version (JSON). */
  keepCommands(commands: string): Promise<void>;

  /** Pending receipts whose class is not known yet, oldest first. */
  unclassified(
    limit: number,
  ): Promise<readonly { readonly ingestSeq: number; readonly lane: string; readonly body: string }[]>;

  /** Gives receipts their class, and with it their body; those that are no longer pending and unclassified are left alone. */
  reclassify(
    rows: readonly { readonly ingestSeq: number; readonly dispatchClass: DispatchClass; readonly body: string }[],
  ): Promise<void>;

  /** Lanes in which a question of Hermes is open. */
  lanesWithQuestions(): Promise<readonly string[]>;

  /** Closes the open questions of Hermes processes other than this one: they died with it. @returns how many */
  closeQuestions(livingInstance: string): Promise<number>;

  /** quarantined → failed | pending by the operator, with its audit row; null when the receipt is not quarantined (INB-5). */
  remediate(ingestSeq: number, order: RemediationOrder): Promise<RemediationResult | null>;

  /** The session of a decision has been reset. */
  confirmReset(remediationId: number): Promise<void>;

  /** A page of receipts, newest first. */
  listReceipts(query: ReceiptQuery): Promise<readonly ReceiptSummary[]>;

  /** One receipt; null when there is none. @param withContent shows text and display name */
  showReceipt(ingestSeq: number, withContent: boolean): Promise<ReceiptDetail | null>;

  /** Quarantined receipts of a lane, oldest first. */
  quarantinedOf(lane: string): Promise<readonly number[]>;

  /** Sets or clears a pause. @returns the pauses that hold now */
  setPause(pause: Pause, on: boolean, actor: string): Promise<readonly Pause[]>;

  /** One step of retention (INB-14). Open receipts and their rows are never touched. */
  retain(rules: RetentionRules): Promise<RetentionResult>;

  /** One write and commit that proves the disk takes writes again. */
  probe(): Promise<void>;

  /** Figures for health. */
  statistics(): Promise<LedgerStatistics>;
}
export const LEDGER_STORE = Symbol('LEDGER_STORE');
