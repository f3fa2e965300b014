// SPDX-License-Identifier: Apache-2.0
export { DEMO_WORDS } from './default-answers.js';
export type { ModelMessage } from './messages.js';
export * from './scripted-model.js';
export type { ModelStep, ToolCall } from './steps.js';
