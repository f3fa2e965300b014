// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../../../common/errors.js';
import { type ForeignEnd, reactTo, retryAfterMs } from './connection-end.js';

const http = (status: number): ForeignEnd => ({ cause: 'http', status, retryAfter: null });
const closed = (code: number): ForeignEnd => ({ cause: 'closed', code });

describe('[BPP-9] what follows an end (bpp 1.7 and 1.8, column R)', () => {
  it.each([1000, 1001, 1005, 1006, 1010, 1011, 1012, 1013, 3000, 3999, 4000, 4003, 4005, 4999])(
    'close %d: reconnect',
    (code) => {
      expect(reactTo(closed(code))).toEqual({ wait: 'backoff', state: null, reason: ErrorCode.ConnectionLost, code });
    },
  );

  it('close 1009: reconnect, and say why', () => {
    expect(reactTo(closed(1009))).toEqual({
      wait: 'backoff',
      state: null,
      reason: ErrorCode.FrameTooLarge,
      code: 1009,
    });
  });

  it.each([1002, 1003, 1007, 1008])('close %d: reconnect with the longest backoff', (code) => {
    expect(reactTo(closed(code))).toEqual({ wait: 'longest', state: null, reason: ErrorCode.PeerProtocolClose, code });
  });

  it('close 4004: key refused or agent disabled, asked again by probes', () => {
    expect(reactTo(closed(4004))).toEqual({
      wait: 'probe',
      state: 'disabled',
      reason: ErrorCode.AgentDisabled,
      code: 4004,
    });
  });

  it.each([401, 403])('HTTP %d: key refused, asked again by probes', (code) => {
    expect(reactTo(http(code))).toEqual({
      wait: 'probe',
      state: 'auth_failed',
      reason: ErrorCode.CredentialRefused,
      code,
    });
  });

  it.each([301, 302, 307, 308])('HTTP %d: wrong configuration', (code) => {
    expect(reactTo(http(code))).toMatchObject({ state: 'misconfigured', reason: ErrorCode.RedirectRefused, code });
  });

  it.each([429, 500, 502, 503, 504])('HTTP %d: retry', (code) => {
    expect(reactTo(http(code))).toEqual({ wait: 'backoff', state: null, reason: ErrorCode.ServerUnreachable, code });
  });

  it.each([404, 400, 426, 200])('HTTP %d: retry slowly', (code) => {
    expect(reactTo(http(code))).toEqual({ wait: 'slow', state: null, reason: ErrorCode.ServerUnreachable, code });
  });

  it.each<[ForeignEnd, string, string | null, ErrorCode | null]>([
    [{ cause: 'unreachable', system: 'ECONNREFUSED' }, 'backoff', null, ErrorCode.ServerUnreachable],
    [{ cause: 'timeout' }, 'backoff', null, ErrorCode.ServerUnreachable],
    [{ cause: 'dead_peer' }, 'backoff', null, ErrorCode.ConnectionLost],
    [{ cause: 'frame_too_large' }, 'backoff', null, ErrorCode.FrameTooLarge],
    [{ cause: 'frame_invalid' }, 'longest', null, ErrorCode.ProtocolError],
    [{ cause: 'identity_unknown' }, 'longest', null, ErrorCode.ActionRefused],
    [
      { cause: 'identity_refused', code: ErrorCode.LedgerIdentityMismatch },
      'command',
      'misconfigured',
      ErrorCode.LedgerIdentityMismatch,
    ],
    [{ cause: 'config_invalid' }, 'command', 'misconfigured', ErrorCode.ConfigInvalid],
    [{ cause: 'ledger' }, 'longest', null, ErrorCode.LedgerWriteFailed],
    [{ cause: 'disabled' }, 'probe', 'disabled', ErrorCode.AgentDisabled],
    [{ cause: 'stalled' }, 'store', 'intake_paused', ErrorCode.LedgerWriteFailed],
    [{ cause: 'flooded' }, 'longest', null, ErrorCode.ProtocolError],
  ])('%j', (end, wait, state, reason) => {
    expect(reactTo(end)).toMatchObject({ wait, state, reason });
  });
});

describe('[BPP-9] Retry-After', () => {
  const NOW = Date.parse('2026-06-01T12:00:00Z');

  it.each([
    [null, 0],
    ['7', 7_000],
    [' 120 ', 120_000],
    ['99999999', 3_600_000],
    ['Mon, 01 Jun 2026 12:00:30 GMT', 30_000],
    ['Mon, 01 Jun 2026 11:00:00 GMT', 0],
    ['soon', 0],
    ['-5', 0],
  ])('%s is %d ms', (value, ms) => {
    expect(retryAfterMs(value, NOW, 3_600_000)).toBe(ms);
  });
});
