// SPDX-License-Identifier: Apache-2.0
import { describeAdmission } from './admission.js';
import { describeBatches } from './batches.js';
import { describeClaims } from './claims.js';
import { describeClassification } from './classification.js';
import { describeFiles } from './files.js';
import { describeHostEffects } from './host-effects.js';
import { describeLife } from './life.js';
import { describeListing } from './listing.js';
import { describeOutbox } from './outbox.js';
import { describePauses } from './pauses.js';
import { describeQuestions } from './questions.js';
import { describeReceiptModel } from './receipt-model.js';
import { describeRemediation } from './remediation.js';
import { describeRetention } from './retention.js';
import type { MakeStore } from './store-world.js';

/** How much of the random part is run. */
export interface ConformanceEffort {
  /** Sequences of the model test. */
  readonly modelRuns: number;
}

/**
 * Holds an implementation to the page of `LedgerStore`.
 * @param name of the implementation
 * @param make makes it, closed
 */
export function describeLedgerStore(name: string, make: MakeStore, effort: ConformanceEffort): void {
  describe(name, () => {
    describe('opening and closing', () => describeLife(make));
    describe('files', () => describeFiles(make));
    describe('admission', () => describeAdmission(make));
    describe('claims', () => describeClaims(make));
    describe('classes', () => describeClassification(make));
    describe('events of Hermes', () => describeHostEffects(make));
    describe('questions', () => describeQuestions(make));
    describe('outbox', () => describeOutbox(make));
    describe('remediation', () => describeRemediation(make));
    describe('pauses', () => describePauses(make));
    describe('listing', () => describeListing(make));
    describe('retention', () => describeRetention(make));
    describe('batches', () => describeBatches(make));
    describe('model', () => describeReceiptModel(make, effort.modelRuns));
  });
}
