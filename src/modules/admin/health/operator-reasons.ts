// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../../../common/errors.js';
import type { LaneView } from '../../inbox/index.js';
import { reason, redOf, type HealthReason } from './health-reason.js';

/** What waits for the operator, or because of the operator. */
export interface OperatorState {
  readonly lanes: readonly LaneView[];
  readonly pauses: readonly string[];
  readonly dueResets: number;
}

/** Reasons about lanes and pauses (INB-5, INB-6, OPS-5). */
export function operatorReasons({ lanes, pauses, dueResets }: OperatorState): HealthReason[] {
  const blocked = lanes.filter(({ block }) => block === 'quarantined' || block === 'in_doubt');
  const held = lanes.filter((lane) => lane.held);
  const paused = lanes.filter((lane) => lane.paused);
  const waiting = (some: readonly LaneView[]): number => some.reduce((sum, lane) => sum + lane.waiting, 0);
  const reasons: HealthReason[] = [];
  if (blocked.length > 0) {
    const sentence = 'Lanes wait for the operator: a turn of theirs may have run only in part.';
    reasons.push(reason('lanes_blocked', 'red', sentence, { lanes: blocked.length, waiting: waiting(blocked) }));
  }
  if (dueResets > 0) {
    const sentence = 'Decisions of the operator wait until Hermes has reset the sessions of their lanes.';
    reasons.push(reason('resets_due', 'red', sentence, { decisions: dueResets }));
  }
  if (held.length > 0) {
    const sentence = 'Messages that waited through an outage are held; resume their lanes or discard them.';
    reasons.push(reason('lanes_held', 'red', sentence, { lanes: held.length, waiting: waiting(held) }));
  }
  if (pauses.includes('intake')) reasons.push(redOf('intake_paused_by_operator', ErrorCode.IntakePaused));
  if (pauses.includes('dispatch')) {
    const details = { waiting: waiting(lanes) };
    reasons.push(
      reason('dispatch_paused', 'yellow', 'The operator has paused the dispatch; messages are stored.', details),
    );
  }
  if (paused.length > 0) {
    const details = { lanes: paused.length, waiting: waiting(paused) };
    reasons.push(
      reason('lanes_paused', 'yellow', 'The operator has paused lanes; their messages are stored.', details),
    );
  }
  return reasons;
}
