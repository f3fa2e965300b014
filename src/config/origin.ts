// SPDX-License-Identifier: Apache-2.0
import { BlockList, isIP, isIPv4 } from 'node:net';
import { UnreadableValue } from './setting.js';

const HIGHEST_PORT = 65_535;
const SHAPE = /^(https?):\/\/([^\s/?#\\]*)(.*)$/is;
const HOST_AND_PORT = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d+))?$/i;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** An HTTP(S) origin in its one spelling. */
export interface Origin {
  readonly scheme: 'http' | 'https';
  /** Lower-case host; an IPv6 address in brackets and in its shortest form. */
  readonly host: string;
  /** `scheme://host`, and `:port` unless it is the default one. */
  readonly text: string;
}

/** True for an IP literal (without brackets) of this machine's loopback: 127.0.0.0/8 and ::1, nothing else (bpp 1.1 R). */
export function isLoopbackAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  return LOOPBACK.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** True for `localhost` and loopback literals. Names are never resolved, so `127.0.0.1.example` is none. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || isLoopbackAddress(host.replace(/^\[|\]$/g, ''));
}

/**
 * Brings a base URL into its canonical form: blanks trimmed, lower case, no default port, no trailing slash (bpp 1.1).
 * @throws UnreadableValue with the rule that is broken: scheme, credentials or host, path or query or fragment
 */
export function canonicalOrigin(raw: unknown): Origin {
  const shape = typeof raw === 'string' ? SHAPE.exec(raw.trim()) : null;
  if (shape === null) throw new UnreadableValue('a URL that begins with https:// (or http:// for loopback)');
  const [, scheme = '', authority = '', rest = ''] = shape;
  if (authority.includes('@')) throw new UnreadableValue('a URL without user name and password');
  if (rest !== '' && rest !== '/') throw new UnreadableValue('a URL without path, query and fragment');
  const parts = HOST_AND_PORT.exec(authority);
  if (parts?.[1] === undefined)
    throw new UnreadableValue('a URL with a host (non-ASCII names in punycode) and an optional port');
  const host = canonicalHost(parts[1].toLowerCase());
  const lowerScheme = scheme.toLowerCase() === 'https' ? 'https' : 'http';
  return { scheme: lowerScheme, host, text: `${lowerScheme}://${host}${portSuffix(parts[2], lowerScheme)}` };
}

function canonicalHost(host: string): string {
  if (!host.startsWith('[')) {
    // A host that the URL standard reads as another one (127.1, 0x7f000001) is refused rather than guessed.
    if (URL.parse(`https://${host}/`)?.hostname !== host)
      throw new UnreadableValue('a URL with a host name or a full IP address');
    return host;
  }
  if (isIP(host.slice(1, -1)) !== 6) throw new UnreadableValue('a URL with a valid IPv6 address in brackets');
  return new URL(`https://${host}/`).hostname;
}

function portSuffix(written: string | undefined, scheme: Origin['scheme']): string {
  if (written === undefined) return '';
  const port = Number(written);
  if (port < 1 || port > HIGHEST_PORT) throw new UnreadableValue('a URL with a port from 1 to 65535');
  return port === (scheme === 'https' ? 443 : 80) ? '' : `:${String(port)}`;
}
