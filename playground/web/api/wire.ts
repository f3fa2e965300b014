// SPDX-License-Identifier: Apache-2.0
import type { AgentView, ChannelView, MessageView, PageView, StateView } from '../../chat-api/views.js';

/** What the chat API sends, by the names of this page. Times are milliseconds since 1970. */
export type ChatMessage = MessageView;
export type ChatChannel = ChannelView;
export type ChatAgent = AgentView;
export type ChatPage = PageView;
export type ChatSnapshot = StateView;
export type ChatAuthor = StateView['authors'][number];

/** An event of `GET /chat/api/live`. */
export type LiveEvent =
  | { readonly type: 'message' | 'edited' | 'deleted'; readonly message: ChatMessage }
  | { readonly type: 'agent'; readonly agent: ChatAgent };
