// SPDX-License-Identifier: Apache-2.0
import { type ChatMessage } from '../api/wire.js';

/** Rows that a channel opens with, that one step adds, and that are drawn at most. */
export const OPENING_ROWS = 80;
export const STEP_ROWS = 60;
export const MAX_ROWS = 240;

/**
 * The part of a timeline that is drawn, by ids, so that messages before and behind it may come without moving it.
 * `last` null follows the newest message.
 */
export interface TimelineWindow {
  readonly first: string | null;
  readonly last: string | null;
}

/** A window at the newest messages. */
export const LATEST: TimelineWindow = { first: null, last: null };

/** Bounds of a window as indexes, end exclusive. Ids that are gone lead back to the newest messages. */
export function boundsOf(messages: readonly ChatMessage[], window: TimelineWindow): [start: number, end: number] {
  const last = window.last === null ? -1 : messages.findLastIndex((message) => message.id === window.last);
  const end = last < 0 ? messages.length : last + 1;
  const first = window.first === null ? -1 : messages.findLastIndex((message) => message.id === window.first);
  return [first < 0 || first >= end ? Math.max(0, end - OPENING_ROWS) : first, end];
}

/** The window one step upwards; rows at its lower end leave when it would be too large. */
export function upwards(messages: readonly ChatMessage[], window: TimelineWindow): TimelineWindow {
  const [start, end] = boundsOf(messages, window);
  const first = Math.max(0, start - STEP_ROWS);
  return windowOf(messages, first, Math.min(end, first + MAX_ROWS));
}

/** The window one step downwards; rows at its upper end leave when it would be too large. */
export function downwards(messages: readonly ChatMessage[], window: TimelineWindow): TimelineWindow {
  const [start, end] = boundsOf(messages, window);
  const last = Math.min(messages.length, end + STEP_ROWS);
  return windowOf(messages, Math.max(start, last - MAX_ROWS), last);
}

/** A window around one message, which is in its middle where that is possible. */
export function around(messages: readonly ChatMessage[], index: number): TimelineWindow {
  const start = Math.max(0, index - OPENING_ROWS / 2);
  return windowOf(messages, start, Math.min(messages.length, start + OPENING_ROWS));
}

/** Names the ends of a window, so that it stays where it is when messages come; gone ends lead to the newest. */
export function settled(messages: readonly ChatMessage[], window: TimelineWindow): TimelineWindow {
  return windowOf(messages, ...boundsOf(messages, window));
}

/** The window for somebody who reads the newest messages: cut back to them when it has become too large. */
export function trimmed(messages: readonly ChatMessage[], window: TimelineWindow): TimelineWindow {
  const [start, end] = boundsOf(messages, window);
  return end - start > MAX_ROWS ? settled(messages, LATEST) : window;
}

/** The window of two indexes, end exclusive. */
function windowOf(messages: readonly ChatMessage[], start: number, end: number): TimelineWindow {
  return {
    first: messages[start]?.id ?? null,
    last: end >= messages.length ? null : (messages[end - 1]?.id ?? null),
  };
}
