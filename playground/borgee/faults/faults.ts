// SPDX-License-Identifier: Apache-2.0
import type { ClosePoint, PlannedClose, ResultFault, ResultRule, UpgradeFault } from './types.js';

interface Planned<T> {
  readonly what: T;
  left: number;
  skip: number;
}

/** Planned disturbances of the playground (bpp 9 "Knobs"); what acts on a live connection stands in `AgentConnection`. */
export class Faults {
  /** False: no action is executed or answered any more, as if the server were deaf. */
  answering = true;
  private upgrades: Planned<UpgradeFault>[] = [];
  private results: Planned<ResultRule>[] = [];
  private closes: Planned<PlannedClose>[] = [];

  /** Disturbs the next upgrades. @param times how many; Infinity: until cleared */
  nextUpgrade(fault: UpgradeFault, times = 1): void {
    this.upgrades.push({ what: fault, left: times, skip: 0 });
  }

  /** Disturbs results. */
  nextResult(rule: ResultRule): void {
    this.results.push({ what: rule, left: rule.times ?? 1, skip: 0 });
  }

  /** Ends a connection at a point of its life. */
  closeAt(planned: PlannedClose): void {
    this.closes.push({ what: planned, left: planned.times ?? 1, skip: planned.after ?? 0 });
  }

  /** Takes all plans back and answers again. */
  clear(): void {
    this.answering = true;
    this.upgrades = [];
    this.results = [];
    this.closes = [];
  }

  /** The fault for this upgrade, used up by the call. */
  takeUpgrade(): UpgradeFault | null {
    return take(this.upgrades, () => true);
  }

  /** The fault for the result of this action, used up by the call. */
  takeResult(action: string): ResultFault | null {
    if (!this.answering) return { kind: 'ignore' };
    return take(this.results, (rule) => rule.action === undefined || rule.action === action)?.fault ?? null;
  }

  /** The code with which to close at this point, used up by the call. */
  takeClose(at: ClosePoint): number | null {
    return take(this.closes, (planned) => planned.at === at)?.code ?? null;
  }
}

function take<T>(plans: Planned<T>[], match: (what: T) => boolean): T | null {
  const index = plans.findIndex((plan) => match(plan.what));
  const plan = plans[index];
  if (plan === undefined) return null;
  if (plan.skip > 0) {
    plan.skip -= 1;
    return null;
  }
  plan.left -= 1;
  if (plan.left <= 0) plans.splice(index, 1);
  return plan.what;
}
