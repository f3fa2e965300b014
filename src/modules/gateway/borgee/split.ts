// SPDX-License-Identifier: Apache-2.0

import { actionFrame, encodeFrame } from './encode.js';
import { MAX_CLIENT_FRAME_BYTES } from './wire/index.js';

/** Length of the longest message id that is reckoned with, characters: a piece must fit into the frame of its edit as well. */
const MESSAGE_ID_LENGTH = 64;
/** Smallest budget, bytes; less is left only beside ids that fit into no frame at all. */
const MIN_BUDGET = 1_024;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Bytes that one code point takes inside a frame: JSON in a string of JSON (bpp 4.4). Quotes and backslashes cost 4, control characters
 * and lone halves of a pair up to 7.
 */
function costOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x7f && code !== 0x22 && code !== 0x5c) return 1;
  if (code > 0x7e && (code < 0xd800 || code > 0xdfff)) return Buffer.byteLength(character);
  return Buffer.byteLength(JSON.stringify(JSON.stringify(character).slice(1, -1))) - 2;
}

/** Bytes that a text takes inside a frame. */
export function textCost(text: string): number {
  let cost = 0;
  for (const character of text) cost += costOf(character);
  return cost;
}

/**
 * Cuts a text at grapheme edges so that no piece costs more than the budget (bpp 4.4). A grapheme that is larger than a whole piece is cut at
 * a code point; every piece has at least one code point, so the cut always ends (whatever the budget).
 * @param budget bytes inside the frame
 * @returns at least one piece; the pieces joined are the text
 */
export function splitText(text: string, budget: number): string[] {
  const pieces: string[] = [];
  const segments = graphemes.segment(text);
  let start = 0;
  while (start < text.length) {
    const limit = reach(text, start, budget);
    const edge = limit === text.length ? limit : (segments.containing(limit)?.index ?? limit);
    const end = edge > start ? edge : limit;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces.length === 0 ? [''] : pieces;
}

/** End of the longest run of code points within the budget, in code units; at least one code point. */
function reach(text: string, start: number, budget: number): number {
  let at = start;
  let left = budget;
  while (at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    left -= costOf(character);
    if (left < 0 && at > start) return at;
    at += character.length;
  }
  return at;
}

/**
 * Bytes that the text of one message may cost inside its frame, sent or edited.
 * @param agentId own id
 */
export function messageBudget(agentId: string, channelId: string, replyToId: string | null): number {
  const sizeOf = (action: string, payload: object): number =>
    Buffer.byteLength(encodeFrame(actionFrame(agentId, action, payload)));
  const send = sizeOf('send_message', { channel_id: channelId, content: '', reply_to_id: replyToId });
  const edit = sizeOf('edit_message', { message_id: 'm'.repeat(MESSAGE_ID_LENGTH), content: '' });
  return Math.max(MAX_CLIENT_FRAME_BYTES - Math.max(send, edit), MIN_BUDGET);
}
