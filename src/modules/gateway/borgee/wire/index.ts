// SPDX-License-Identifier: Apache-2.0
export * from './actions.js';
export * from './from-client.js';
export * from './from-server.js';
export * from './limits.js';
export type { Checked, FrameProblem } from './validation.js';
export { isJsonObject, parseJson } from './validation.js';
