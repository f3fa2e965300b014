// SPDX-License-Identifier: Apache-2.0
import { AuditFacts } from './facts.js';
import { type Invariant, INVARIANTS, violationsOf } from './invariants.js';
import type { AuditRecords, Violation } from './records.js';
import { judge, type Verdict } from './verdict.js';

/** What an audit is about. */
export interface AuditScope {
  /** Messages that must be answered; default: all that were delivered. */
  readonly answered?: readonly string[];
  /** Invariants that this scenario breaks on purpose. */
  readonly without?: readonly Invariant[];
}

/** Result of an audit. It holds when nothing is lost, nothing repeated and no invariant broken. */
export interface AuditReport extends Verdict {
  readonly violations: readonly Violation[];
  readonly holds: boolean;
}

/** Judges a run by its three records. */
export function audit(records: AuditRecords, scope: AuditScope = {}): AuditReport {
  const facts = new AuditFacts(records);
  const verdict = judge(facts, scope.answered ?? [...facts.delivered.keys()]);
  const violations = violationsOf(
    facts,
    INVARIANTS.filter((invariant) => scope.without?.includes(invariant) !== true),
  );
  const holds = verdict.lost.length === 0 && verdict.repeated.length === 0 && violations.length === 0;
  return { ...verdict, violations, holds };
}
