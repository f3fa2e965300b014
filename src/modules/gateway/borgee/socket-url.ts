// SPDX-License-Identifier: Apache-2.0
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import { canonicalOrigin, isLoopbackHost } from '../../../config/index.js';
import { SOCKET_PATH } from './wire/index.js';

/**
 * Address of the agent's socket below an HTTP(S) origin (bpp 1.1). Default ports are left out, as the official plugin does.
 * @param baseUrl origin: scheme, host, port; no path, query, fragment or user
 * @param allowInsecureLoopback accepts `http` for `localhost`, 127.0.0.0/8 and ::1
 * @throws AngeliaError `config_invalid` that names the key and the rule
 */
export function socketUrl(baseUrl: string, allowInsecureLoopback: boolean): string {
  const { scheme, host, text } = readOrigin(baseUrl);
  if (scheme === 'http') {
    if (!isLoopbackHost(host)) throw invalid('http_only_for_loopback');
    if (!allowInsecureLoopback) throw invalid('http_needs_allow_insecure_loopback');
  }
  return `${text.replace(/^http/, 'ws')}${SOCKET_PATH}`;
}

function readOrigin(baseUrl: string): ReturnType<typeof canonicalOrigin> {
  try {
    return canonicalOrigin(baseUrl);
  } catch (error) {
    throw invalid('not_an_origin', error);
  }
}

function invalid(rule: string, cause?: unknown): AngeliaError {
  return new AngeliaError(ErrorCode.ConfigInvalid, { key: 'base_url', rule }, cause);
}
