// SPDX-License-Identifier: Apache-2.0
import type Database from 'better-sqlite3';
import type { OpenedLedger } from '../opened-types.js';
import type { LedgerSteps } from '../steps.js';
import { packAdmitResult, unpackReceipt, type WireStep } from '../wire.js';
import type { BatchStep } from './batch.js';
import { Claims } from './claims.js';
import { Classification } from './classification.js';
import { HostEffects } from './host-effects.js';
import { Listing } from './listing.js';
import { Meta } from './meta.js';
import { Outbox } from './outbox.js';
import { OutboxTexts } from './outbox-texts.js';
import { Pauses } from './pauses.js';
import { Questions } from './questions.js';
import { ReceiptHistory } from './receipt-history.js';
import { Receipts } from './receipts.js';
import { Remediations } from './remediations.js';
import { Retention } from './retention.js';
import { Snapshot } from './snapshot.js';
import { Statistics } from './statistics.js';

/** All statements of one connection. Everything here runs inside a transaction that `BatchRunner` begins and ends. */
export class PreparedLedger {
  private readonly steps: LedgerSteps;
  private readonly begin: () => OpenedLedger;

  /**
   * @param now Unix ms of the batch
   * @param walBytes bytes of the write-ahead log
   */
  constructor(db: Database.Database, now: () => number, walBytes: () => number) {
    const meta = new Meta(db);
    const receipts = new Receipts(db, now);
    const questions = new Questions(db, now);
    const history = new ReceiptHistory(db, now);
    const claims = new Claims(db, questions, history, now);
    const outbox = new Outbox(db, now);
    const effects = new HostEffects(db, claims, new OutboxTexts(db, now), questions, now);
    const classification = new Classification(db);
    const remediations = new Remediations(db, history, now);
    const pauses = new Pauses(db, now);
    const listing = new Listing(db, history);
    const retention = new Retention(db, now);
    const statistics = new Statistics(db, now, walBytes);
    this.begin = () => {
      outbox.doubtLeftovers();
      const snapshot = new Snapshot(db);
      return {
        ...meta.beginEpoch(),
        lanes: snapshot.lanes(),
        queued: outbox.queued(),
        openTasks: snapshot.openTasks(),
        pauses: pauses.current(),
        resets: remediations.due(),
      };
    };
    this.steps = {
      bindIdentity: (identity) => meta.bindIdentity(identity),
      keepSettings: (settings) => meta.keepSettings(settings),
      keepCommands: (commands) => meta.keepCommands(commands),
      admit: (receipt) => receipts.admit(receipt),
      claim: (ingestSeq, claim) => claims.claim(ingestSeq, claim),
      markStarted: (claim) => effects.markStarted(claim),
      findClaimed: (claim) => claims.findClaimed(claim),
      endClaim: (claim, end) => effects.endClaim(claim, end),
      markInDoubt: (claim) => claims.markInDoubt(claim),
      quarantine: (claim, outcome) => claims.quarantine(claim, outcome),
      watermark: (instance) => effects.watermark(instance),
      applyHostEffects: (instance, throughSeq, applied) => effects.apply(instance, throughSeq, applied),
      takeOutbox: (id) => outbox.take(id),
      confirmOutbox: (id, messageId) => outbox.confirm(id, messageId),
      settleOutbox: (id, state, code) => outbox.settle(id, state, code),
      rememberOutbound: (messageId, channelId) => outbox.rememberOutbound(messageId, channelId),
      closeTask: (ingestSeq) => claims.closeTask(ingestSeq),
      unclassified: (limit) => classification.unclassified(limit),
      reclassify: (rows) => classification.reclassify(rows),
      lanesWithQuestions: () => questions.lanes(),
      closeQuestions: (livingInstance) => questions.closeOthers(livingInstance),
      remediate: (ingestSeq, order) => remediations.remediate(ingestSeq, order),
      confirmReset: (remediationId) => remediations.confirmReset(remediationId),
      scanReceipts: (query) => listing.scan(query),
      showReceipt: (ingestSeq, withContent) => listing.show(ingestSeq, withContent),
      quarantinedOf: (lane) => listing.quarantinedOf(lane),
      setPause: (pause, on, actor) => pauses.set(pause, on, actor),
      retain: (rules) => retention.step(rules),
      probe: () => meta.probe(),
      statistics: () => statistics.read(),
    };
  }

  /** The first step of a process: counts the epoch up and reads what the one before left open. */
  beginEpoch(): OpenedLedger {
    return this.begin();
  }

  /** A step as it came over the wire, ready to run; its value is packed. */
  bind([name, args]: WireStep): BatchStep {
    if (name === 'admit') return () => packAdmitResult(this.steps.admit(unpackReceipt(args)));
    const run = this.steps[name] as (...args: readonly unknown[]) => unknown;
    return () => run(...args);
  }
}
