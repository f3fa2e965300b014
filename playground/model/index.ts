// SPDX-License-Identifier: Apache-2.0
export type { ModelMessage } from './messages.js';
export * from './scripted-model.js';
export type { ModelStep, ToolCall } from './steps.js';
