// SPDX-License-Identifier: Apache-2.0
export { BridgeLocks, officialLockIdentities } from './bridge-locks.js';
export { InboxModule } from './inbox.module.js';
export type { LaneBlock } from './lane.js';
export { Recovery, type Reconciliation, type SessionControl } from './recovery.js';
export { Scheduler, type RunningClaim, type TurnRunner } from './scheduler.js';
export { slashCommand } from './slash-command.js';
export * from './store/index.js';
