// SPDX-License-Identifier: Apache-2.0
import type { ErrorCode } from '../../../common/errors.js';
import type { DispatchClass } from '../dispatch-class.js';
import type { HostEffect, HostEffectResult, TurnEnd } from './host-effect-types.js';
import type { LedgerIdentity, OpenedLedger } from './opened-types.js';
import type {
  LedgerStatistics,
  Pause,
  ReceiptDetail,
  ReceiptQuery,
  ReceiptSummary,
  RemediationOrder,
  RemediationResult,
  RetentionResult,
  RetentionRules,
} from './operator-types.js';
import type { OutboxDispatch } from './outbox-types.js';
import type { AdmitResult, ClaimedReceipt, NewReceipt } from './receipt-types.js';

/**
 * The ledger (architecture, section 4). Every method but `listReceipts` is one atomic, durable step: when its promise resolves, the commit is on disk.
 * Steps that arrive while a commit runs share the next one (INB-13); a failing step never takes another one with it.
 * Every method rejects with `AngeliaError`: `ledger_closed` before `open()` and after `close()`, `ledger_write_failed` when the disk refuses,
 * `ledger_corrupt`, `internal` when the step itself is impossible (a dedupe key of another length): nothing of the step happened then.
 * One conformance suite (test/conformance/store) holds every implementation to this page.
 */
export interface LedgerStore {
  /**
   * Opens or creates the file, migrates it, checks integrity and durability, counts the epoch up, turns outbox rows that an earlier
   * process left `sent` into `uncertain` (sends) or back into `queued` (edits and deletes, which may be repeated). Called once.
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

  /** sent → uncertain | refused, or back to queued when the frame certainly never left or the row is an edit or a delete. */
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

  /**
   * A page of receipts, newest first. What no index narrows is looked for in several steps, so that no page holds the ledger for long; receipts
   * that change meanwhile may then be shown as they were or as they are.
   */
  listReceipts(query: ReceiptQuery): Promise<readonly ReceiptSummary[]>;

  /** One receipt; null when there is none. @param withContent shows text and display name */
  showReceipt(ingestSeq: number, withContent: boolean): Promise<ReceiptDetail | null>;

  /** Quarantined receipts of a lane, oldest first. */
  quarantinedOf(lane: string): Promise<readonly number[]>;

  /** Sets or clears a pause. @returns the pauses that hold now */
  setPause(pause: Pause, on: boolean, actor: string): Promise<readonly Pause[]>;

  /**
   * One step of retention (INB-14). Left alone whatever their age: open receipts, receipts with writes that are queued or sent, and those whose
   * task people may still see as running.
   */
  retain(rules: RetentionRules): Promise<RetentionResult>;

  /** One write and commit that proves the disk takes writes again. */
  probe(): Promise<void>;

  /** Figures for health. */
  statistics(): Promise<LedgerStatistics>;
}

export const LEDGER_STORE = Symbol('LEDGER_STORE');
