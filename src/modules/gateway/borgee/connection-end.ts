// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../../../common/errors.js';
import type { ChatServerState } from '../chat-server.js';
import { CLOSE_KEY_REFUSED } from './wire/index.js';

/** How one connection ended, or why it never came to be. */
export type ConnectionEnd =
  /** The server answered the upgrade with something else than 101. */
  | { readonly cause: 'http'; readonly status: number; readonly retryAfter: string | null }
  /** There is nothing to dial: `base_url` is no address that may be dialed. */
  | { readonly cause: 'config_invalid' }
  /** No TCP, no TLS, or closed before the upgrade was answered. `system`: name of the system's error, empty for none. */
  | { readonly cause: 'unreachable'; readonly system: string }
  /** The handshake took too long. */
  | { readonly cause: 'timeout' }
  /** Closed by the server, or torn down by the network (1006). */
  | { readonly cause: 'closed'; readonly code: number }
  /** Pongs were missed. */
  | { readonly cause: 'dead_peer' }
  /** The server sent a frame above `max_inbound_frame_bytes`; closed with 1009. */
  | { readonly cause: 'frame_too_large' }
  /** The server broke the WebSocket protocol. */
  | { readonly cause: 'frame_invalid' }
  /** `get_me` was refused by the server, for now. */
  | { readonly cause: 'identity_unknown' }
  /** More came before the identity was known than may wait for it; closed with 1001. */
  | { readonly cause: 'flooded' }
  /** The key belongs to somebody else, or the ledger does. */
  | { readonly cause: 'identity_refused'; readonly code: ErrorCode }
  /** The ledger could not be bound to the identity, for now. */
  | { readonly cause: 'ledger' }
  /** `agent_toggle` disable for the own id. */
  | { readonly cause: 'disabled' }
  /** The ledger has not moved for `intake_stall_seconds`; closed with 1001. */
  | { readonly cause: 'stalled' }
  /** Other settings, or `close()`. */
  | { readonly cause: 'own' };

/** An end that the client did not want itself. */
export type ForeignEnd = Exclude<ConnectionEnd, { readonly cause: 'own' }>;

/** What to wait for before the next dial. */
export type Wait = 'backoff' | 'longest' | 'slow' | 'probe' | 'store' | 'command';

/** What the client does about an end. */
export interface Reaction {
  readonly wait: Wait;
  /** State meanwhile; null: connecting or reconnecting. */
  readonly state: ChatServerState | null;
  readonly reason: ErrorCode | null;
  /** HTTP status or close code, if there is one. */
  readonly code: number | null;
}

/** Close codes that speak of a broken protocol; they may pass, but not soon (bpp 1.7). */
const PROTOCOL_CLOSES: ReadonlySet<number> = new Set([1002, 1003, 1007, 1008]);

const waitFor = (wait: Wait, reason: ErrorCode | null, code: number | null = null): Reaction => ({
  wait,
  state: null,
  reason,
  code,
});

/** Column `R` of the tables 1.7 and 1.8 of bpp, for the first dial and every later one (BPP-9). */
export function reactTo(end: ForeignEnd): Reaction {
  switch (end.cause) {
    case 'http':
      return reactToStatus(end.status);
    case 'closed':
      return reactToClose(end.code);
    case 'config_invalid':
      return { wait: 'command', state: 'misconfigured', reason: ErrorCode.ConfigInvalid, code: null };
    case 'unreachable':
    case 'timeout':
      return waitFor('backoff', ErrorCode.ServerUnreachable);
    case 'dead_peer':
      return waitFor('backoff', ErrorCode.ConnectionLost);
    case 'frame_too_large':
      return waitFor('backoff', ErrorCode.FrameTooLarge, 1009);
    case 'frame_invalid':
    case 'flooded':
      return waitFor('longest', ErrorCode.ProtocolError);
    case 'identity_unknown':
      return waitFor('longest', ErrorCode.ActionRefused);
    case 'identity_refused':
      return { wait: 'command', state: 'misconfigured', reason: end.code, code: null };
    case 'ledger':
      return waitFor('longest', ErrorCode.LedgerWriteFailed);
    case 'disabled':
      return { wait: 'probe', state: 'disabled', reason: ErrorCode.AgentDisabled, code: null };
    case 'stalled':
      return { wait: 'store', state: 'intake_paused', reason: ErrorCode.LedgerWriteFailed, code: 1001 };
  }
}

function reactToStatus(status: number): Reaction {
  if (status === 401 || status === 403) {
    return { wait: 'probe', state: 'auth_failed', reason: ErrorCode.CredentialRefused, code: status };
  }
  if (status >= 300 && status < 400) {
    return { wait: 'probe', state: 'misconfigured', reason: ErrorCode.RedirectRefused, code: status };
  }
  const passing = status === 408 || status === 425 || status === 429 || status >= 500;
  return waitFor(passing ? 'backoff' : 'slow', ErrorCode.ServerUnreachable, status);
}

function reactToClose(code: number): Reaction {
  if (code === CLOSE_KEY_REFUSED) return { wait: 'probe', state: 'disabled', reason: ErrorCode.AgentDisabled, code };
  if (PROTOCOL_CLOSES.has(code)) return waitFor('longest', ErrorCode.PeerProtocolClose, code);
  return waitFor('backoff', code === 1009 ? ErrorCode.FrameTooLarge : ErrorCode.ConnectionLost, code);
}

/**
 * Reads a `Retry-After` header.
 * @param value seconds or an HTTP date; null: none
 * @param now Unix ms
 * @returns ms from now, 0 for none or an unusable one, at most `maxMs`
 */
export function retryAfterMs(value: string | null, now: number, maxMs: number): number {
  if (value === null) return 0;
  const wait = /^\d+$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), maxMs);
}
