// SPDX-License-Identifier: Apache-2.0
import { timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { SOCKET_PATH } from '../../src/modules/gateway/borgee/wire/index.js';
import type { UpgradeEntry } from '../record/index.js';
import type { UpgradeFault } from './faults/index.js';

/** Response header that announces normalized activity (bpp 1.2). */
export const VERSION_HEADER = 'x-borgee-agent-requests-version';

/** What to do with an upgrade request. */
export type UpgradeDecision =
  | { readonly kind: 'accept'; readonly versionHeader: readonly string[] }
  | { readonly kind: 'answer'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'close' }
  | { readonly kind: 'hang' };

/** State of the key in an upgrade request. */
export function authorizationOf(request: IncomingMessage, apiKey: string): UpgradeEntry['authorization'] {
  const header = request.headers.authorization;
  if (header === undefined) return 'absent';
  const given = Buffer.from(header);
  const right = Buffer.from(`Bearer ${apiKey}`);
  return given.length === right.length && timingSafeEqual(given, right) ? 'right' : 'wrong';
}

/**
 * Decides over an upgrade: a planned fault first, then the path, then the key (401).
 * @param takeFault the planned fault, asked only for the agent's socket
 */
export function decideUpgrade(
  request: IncomingMessage,
  authorization: UpgradeEntry['authorization'],
  takeFault: () => UpgradeFault | null,
): UpgradeDecision {
  const path = (request.url ?? '').split('?')[0];
  if (path !== SOCKET_PATH) return { kind: 'answer', status: 404, headers: {} };
  const fault = takeFault();
  if (fault?.kind === 'close' || fault?.kind === 'hang') return { kind: fault.kind };
  if (fault?.kind === 'redirect') return { kind: 'answer', status: 302, headers: { Location: fault.location } };
  if (fault?.kind === 'status') {
    const headers = fault.retryAfter === undefined ? {} : { 'Retry-After': fault.retryAfter };
    return { kind: 'answer', status: fault.status, headers };
  }
  if (authorization !== 'right') return { kind: 'answer', status: 401, headers: {} };
  return { kind: 'accept', versionHeader: fault?.kind === 'version-header' ? fault.values : [] };
}

/** Answers an upgrade with a plain HTTP response and closes. */
export function answerUpgrade(socket: Socket, status: number, headers: Readonly<Record<string, string>>): void {
  const lines = Object.entries({ ...headers, Connection: 'close', 'Content-Length': '0' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Status'}\r\n${head}\r\n`);
}

/** The line of the record. The key never stands in it. */
export function upgradeEntry(
  request: IncomingMessage,
  authorization: UpgradeEntry['authorization'],
  conn: number | null,
  status: number | null,
): UpgradeEntry {
  const headers = Object.entries(request.headers)
    .filter(([name]) => name !== 'authorization')
    .map(([name, value]): [string, string] => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]);
  return {
    kind: 'upgrade',
    conn,
    url: request.url ?? '',
    http_version: request.httpVersion,
    headers: Object.fromEntries(headers),
    authorization,
    status,
  };
}
