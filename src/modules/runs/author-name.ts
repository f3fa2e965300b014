// SPDX-License-Identifier: Apache-2.0

/** Longest author name that is handed to Hermes, in code points. */
const MAX_LENGTH = 80;

/**
 * A display name that cannot forge a line or a header in the prompt: Hermes 0.18.2 writes `[<name>] ` before each text of a shared session
 * without escaping it (hermes-surface 4.2).
 * @param name as the chat server gave it
 * @param fallback used when nothing of the name is left
 */
export function safeAuthorName(name: string, fallback: string): string {
  const cleaned = name
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .replace(/\s+/gu, ' ')
    .trim();
  const short = Array.from(cleaned).slice(0, MAX_LENGTH).join('').trim();
  return short === '' ? fallback : short;
}
