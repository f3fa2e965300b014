// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import type { LaneSnapshot, Leftover, OpenTask, WaitingReceipt } from '../opened-types.js';
import type { ReceiptState } from '../receipt-types.js';
import { dispatchClassOf, OPEN_RECEIPT, RECEIPT_STATE_CODES, receiptStateOf } from './codes.js';

interface LeftoverRow extends Omit<Leftover, 'state' | 'dispatchClass'> {
  readonly lane: string;
  readonly state: number;
  readonly dispatchClass: number;
}

interface OpenLane extends LaneSnapshot {
  readonly pending: WaitingReceipt[];
  readonly leftovers: Leftover[];
}

/**
 * What an earlier process left open: read once, at the start. `ORDER BY +column` keeps SQLite from walking through the whole history in the
 * order of its key, where a partial index holds the few rows that are asked for.
 */
export class Snapshot {
  constructor(private readonly db: Database.Database) {}

  /** Lanes with open receipts, ordered by their oldest one. */
  lanes(): LaneSnapshot[] {
    const lanes = new Map<string, OpenLane>();
    const laneOf = (lane: string): OpenLane => {
      const found = lanes.get(lane) ?? { lane, pending: [], leftovers: [] };
      lanes.set(lane, found);
      return found;
    };
    for (const [lane, ingestSeq, code] of this.pending()) {
      laneOf(lane).pending.push({ ingestSeq, dispatchClass: dispatchClassOf(code) });
    }
    for (const { lane, ...leftover } of this.leftovers()) {
      laneOf(lane).leftovers.push({
        ...leftover,
        state: leftoverState(receiptStateOf(leftover.state)),
        dispatchClass: dispatchClassOf(leftover.dispatchClass),
      });
    }
    const oldest = ({ pending, leftovers }: LaneSnapshot): number =>
      Math.min(pending[0]?.ingestSeq ?? Infinity, leftovers[0]?.ingestSeq ?? Infinity);
    return [...lanes.values()].sort((a, b) => oldest(a) - oldest(b));
  }

  /** Terminal and quarantined receipts whose task people may still see as running, oldest first. */
  openTasks(): OpenTask[] {
    return this.db
      .prepare<[], Omit<OpenTask, 'state'> & { readonly state: number }>(
        `SELECT ingest_seq AS ingestSeq, claim, channel_id AS channelId, task_opened_at AS startedAt, state, outcome FROM receipts
         WHERE task_opened_at IS NOT NULL AND +state >= ${RECEIPT_STATE_CODES.quarantined}
         ORDER BY +ingest_seq`,
      )
      .all()
      .map((row) => ({ ...row, state: row.state === RECEIPT_STATE_CODES.completed ? 'completed' : 'failed' }));
  }

  /** In ingest order. The index gives them class by class, each in that order, so that the sort only has to merge. */
  private pending(): [lane: string, ingestSeq: number, dispatchClass: number][] {
    return this.db
      .prepare<[], [string, number, number]>(
        `SELECT lane, ingest_seq, dispatch_class FROM receipts WHERE state = ${RECEIPT_STATE_CODES.pending} ORDER BY dispatch_class`,
      )
      .raw()
      .all()
      .sort(([, a], [, b]) => a - b);
  }

  private leftovers(): LeftoverRow[] {
    return this.db
      .prepare<[], LeftoverRow>(
        `SELECT lane, ingest_seq AS ingestSeq, dispatch_class AS dispatchClass, state, iif(state = ${RECEIPT_STATE_CODES.quarantined}, NULL, claim) AS claim,
           started_at AS startedAt, message_id AS messageId, channel_id AS channelId
         FROM receipts WHERE ${OPEN_RECEIPT} AND state <> ${RECEIPT_STATE_CODES.pending} ORDER BY +ingest_seq`,
      )
      .all();
  }
}

function leftoverState(state: ReceiptState): Leftover['state'] {
  if (state === 'processing' || state === 'in_doubt' || state === 'quarantined') return state;
  throw new RangeError(`a ${state} receipt is no leftover`);
}
