// SPDX-License-Identifier: Apache-2.0
import type { ErrorCode } from '../../../common/errors.js';
import type { OutboxTicket } from './outbox-types.js';
import type { ReceiptState } from './receipt-types.js';

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
