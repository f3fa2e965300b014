// SPDX-License-Identifier: Apache-2.0
import { CreateLedger1795996800000 } from './1795996800000-create-ledger.js';
import { AddClassesAndRemediation1796083200000 } from './1796083200000-add-classes-and-remediation.js';

/** Every schema change, oldest first. A released one is never edited; a change is a new class. */
export const LEDGER_MIGRATIONS = [CreateLedger1795996800000, AddClassesAndRemediation1796083200000];
