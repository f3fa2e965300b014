// SPDX-License-Identifier: Apache-2.0
export type { RecordedViolation } from './agent-gateway.js';
export * from './borgee-playground.js';
export type { BurstOptions } from './burst.js';
export type { AgentConnection, AnyFrame } from './connection/agent-connection.js';
export * from './faults/types.js';
export type * from './options.js';
export { STRICT_CHECKS, type StrictCheck, type Violation } from './strict/checks.js';
export * from './world/index.js';
