// SPDX-License-Identifier: Apache-2.0
export { BridgeLocks, officialLockIdentities } from './bridge-locks.js';
export { Classifier } from './classifier.js';
export type { DispatchClass } from './dispatch-class.js';
export { InboxModule } from './inbox.module.js';
export type { LaneBlock, WorkKind } from './lane.js';
export { OutageHold } from './outage-hold.js';
export { Pauses } from './pauses.js';
export { Recovery, type Reconciliation, type SessionControl } from './recovery.js';
export { Remediation, type Decision, type Remediated } from './remediation.js';
export { Retention } from './retention.js';
export { Scheduler, type LaneView, type RunningClaim, type TurnRunner } from './scheduler.js';
export { slashCommand } from './slash-command.js';
export * from './store/index.js';
