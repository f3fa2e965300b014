// SPDX-License-Identifier: Apache-2.0

/** The part of the address that names a channel. */
export function hashOf(channelId: string): string {
  return `#/${encodeURIComponent(channelId)}`;
}

/** The channel that an address names, or null. */
export function channelOf(hash: string): string | null {
  const name = /^#\/(?<name>[^/?#]+)$/u.exec(hash)?.groups?.['name'];
  if (name === undefined) return null;
  try {
    return decodeURIComponent(name);
  } catch {
    return null;
  }
}
