// SPDX-License-Identifier: Apache-2.0
import { type ChatMessage } from '../api/wire.js';

/** What a person can do with a message; one object for the life of the page. */
export interface MessageActions {
  beginEdit(message: ChatMessage): void;
  saveEdit(message: ChatMessage, body: string): void;
  cancelEdit(message: ChatMessage): void;
  askToDelete(message: ChatMessage): void;
  showAnswered(message: ChatMessage): void;
}
