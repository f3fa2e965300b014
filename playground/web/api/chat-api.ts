// SPDX-License-Identifier: Apache-2.0
import { type ChatMessage, type ChatPage, type ChatSnapshot } from './wire.js';

/** Where the chat API lives; the page and the API always have one origin. */
export const API_ROOT = '/chat/api';

/** Messages of one page of history. */
export const PAGE_SIZE = 100;

/** What the server's codes mean to a person; anything else is told by its code. */
const SENTENCES: Readonly<Record<string, string>> = {
  body_too_large: 'This message is too long.',
  channel_unknown: 'This channel does not exist any more.',
  message_deleted: 'This message was deleted meanwhile.',
  not_a_member: 'Only the person of a direct message can write there.',
  not_the_author: 'Only its author can change a message.',
  unreachable: 'The chat server cannot be reached.',
};

/** The server refused a request, or could not be reached (`unreachable`). The text is for people. */
export class ChatApiError extends Error {
  /** @param code code of the server, or ours */
  constructor(readonly code: string) {
    super(SENTENCES[code] ?? `The chat server refused this (${code}).`);
    this.name = 'ChatApiError';
  }
}

/** The requests of the chat page. Every method throws {@link ChatApiError}. */
export class ChatApi {
  /** Agent, authors and channels. */
  snapshot(): Promise<ChatSnapshot> {
    return request('GET', '/state') as Promise<ChatSnapshot>;
  }

  /**
   * One page of a channel's history.
   * @param before id of the oldest known message; without it the newest page
   */
  page(channelId: string, before?: string): Promise<ChatPage> {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(before === undefined ? {} : { before }) });
    return request('GET', `/channels/${encodeURIComponent(channelId)}/messages?${query}`) as Promise<ChatPage>;
  }

  /** Says something in a channel. */
  async post(channelId: string, authorId: string, body: string): Promise<void> {
    await request('POST', `/channels/${encodeURIComponent(channelId)}/messages`, { author_id: authorId, body });
  }

  /** Replaces the text of an own message. */
  async edit(message: ChatMessage, body: string): Promise<void> {
    await request('PATCH', `/messages/${encodeURIComponent(message.id)}`, { author_id: message.author_id, body });
  }

  /** Deletes an own message. */
  async remove(message: ChatMessage): Promise<void> {
    const query = new URLSearchParams({ author_id: message.author_id });
    await request('DELETE', `/messages/${encodeURIComponent(message.id)}?${query}`);
  }
}

/** One request; its parsed answer. */
async function request(method: string, path: string, body?: object): Promise<unknown> {
  const response = await reach(`${API_ROOT}${path}`, {
    method,
    cache: 'no-store',
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await response.text();
  if (!response.ok) throw new ChatApiError(codeOf(text) ?? `HTTP ${response.status}`);
  return JSON.parse(text);
}

/** `fetch` whose network errors are ours. */
async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch {
    throw new ChatApiError('unreachable');
  }
}

/** The code in `{"error": code}`; undefined if the answer is not of the chat API. */
function codeOf(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}
