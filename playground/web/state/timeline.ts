// SPDX-License-Identifier: Apache-2.0
import { type ChatMessage, type ChatPage } from '../api/wire.js';

/** What is known of one channel: an unbroken run of messages up to the newest, in the order of the server. */
export interface Timeline {
  readonly messages: readonly ChatMessage[];
  /** Older messages exist at the server. */
  readonly more: boolean;
  /** The newest page has come; before that, `messages` holds only what came live. */
  readonly loaded: boolean;
}

/** A channel of which nothing is known yet. */
export const UNKNOWN_TIMELINE: Timeline = { messages: [], more: true, loaded: false };

/** The message of an id, if it is known. Recent ones are found first. */
export function find(timeline: Timeline, id: string): ChatMessage | undefined {
  return timeline.messages.findLast((message) => message.id === id);
}

/** Adds a message that is new, or takes the newer version of a known one. Repeats change nothing. */
export function upsert(timeline: Timeline, message: ChatMessage): Timeline {
  const at = timeline.messages.findLastIndex((known) => known.id === message.id);
  const known = timeline.messages[at];
  if (known === undefined) return { ...timeline, messages: [...timeline.messages, message] };
  const winner = newerOf(known, message);
  return winner === known ? timeline : { ...timeline, messages: timeline.messages.with(at, winner) };
}

/** Takes the newer version of a message that is known; a change of one that was never loaded is not news. */
export function revise(timeline: Timeline, message: ChatMessage): Timeline {
  return find(timeline, message.id) === undefined ? timeline : upsert(timeline, message);
}

/** Puts an older page before what is known. Messages of the page that are known already stay once. */
export function prepend(timeline: Timeline, page: ChatPage): Timeline {
  const known = new Set(timeline.messages.map((message) => message.id));
  const older = page.messages.filter((message) => !known.has(message.id));
  return { ...timeline, messages: [...older, ...timeline.messages], more: page.more };
}

/**
 * Joins what was known with a run that the server has just told: the newest page and as many older ones as were read. If
 * the run reaches back to something known, the known messages before it stay; else there is a gap, and only the run
 * counts: what lies before it is read again when somebody scrolls there. Messages that came live while the run was on
 * its way stay at the end.
 * @param known timeline with live events applied up to now
 * @param run newest messages of the server
 * @param seen ids that were known when the run was asked for; others came live since
 */
export function rejoin(known: Timeline, run: ChatPage, seen: ReadonlySet<string>): Timeline {
  const byId = new Map(known.messages.map((message) => [message.id, message]));
  const inRun = new Set(run.messages.map((message) => message.id));
  const fresh = run.messages.map((message) => newerOf(byId.get(message.id) ?? message, message));
  const live = known.messages.filter((message) => !inRun.has(message.id) && !seen.has(message.id));
  const joint = known.messages.findIndex((message) => inRun.has(message.id));
  const older = joint < 0 ? [] : known.messages.slice(0, joint);
  return { messages: [...older, ...fresh, ...live], more: joint > 0 ? known.more : run.more, loaded: true };
}

/** The version of a message that counts: a deletion is final, a later edit wins, of two equal ones the first stays. */
function newerOf(known: ChatMessage, told: ChatMessage): ChatMessage {
  if (known.deleted !== told.deleted) return known.deleted ? known : told;
  if ((known.edited_at ?? 0) > (told.edited_at ?? 0)) return known;
  return known.body === told.body && known.edited_at === told.edited_at ? known : told;
}
