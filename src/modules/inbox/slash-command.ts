// SPDX-License-Identifier: Apache-2.0

/**
 * The command that a text names, as Hermes reads it (bpp 6.6).
 * @returns the first word after `/`, up to `@`, in lower case; null for other texts and for paths
 */
export function slashCommand(text: string): string | null {
  if (!text.startsWith('/')) return null;
  const word = /^\/(\S*)/.exec(text)?.[1] ?? '';
  const name = (word.split('@')[0] ?? '').toLowerCase();
  return name === '' || name.includes('/') ? null : name;
}
