// SPDX-License-Identifier: Apache-2.0
export * from './chat-api.js';
export type { AgentView, ChannelView, MessageView, PageView, StateView } from './views.js';
