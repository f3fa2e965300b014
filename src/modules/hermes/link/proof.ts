// SPDX-License-Identifier: Apache-2.0
import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a proof is for; it keeps a proof of one step from serving in another. */
export type ProofLabel = 'bridge' | 'shim' | 'session';

/**
 * Proof that one knows the secret (docs/link.md, section 2).
 * @param secret the 64 characters of the link file, taken as ASCII
 * @param parts nonces and epoch, in the order of the protocol
 * @returns hex HMAC-SHA-256
 */
export function prove(secret: string, label: ProofLabel, ...parts: readonly (string | number)[]): string {
  return createHmac('sha256', secret)
    .update([label, ...parts].join('\n'))
    .digest('hex');
}

/** Compares without telling by its duration where two texts differ. */
export function sameText(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
