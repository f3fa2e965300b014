// SPDX-License-Identifier: Apache-2.0
import { createHash, randomBytes } from 'node:crypto';

/** @returns a claim token: 32 hex characters, unique for each claim (INB-2) */
export function newClaimToken(): string {
  return randomBytes(16).toString('hex');
}

/** @returns 64 hex characters of randomness: secrets and nonces of the link */
export function newNonce(): string {
  return randomBytes(32).toString('hex');
}

/**
 * The short key under which a row is recognised again.
 * @param parts joined with NUL, so that no two lists give one text
 * @returns the first 16 bytes of the SHA-256
 */
export function shortHash(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(parts.join('\0')).digest().subarray(0, 16);
}
