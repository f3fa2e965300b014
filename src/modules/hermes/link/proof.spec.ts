// SPDX-License-Identifier: Apache-2.0
import { prove, sameText } from './proof.js';

describe('[HST-10] proofs of the link', () => {
  const secret = '0123456789abcdef'.repeat(4);
  const [shimNonce, bridgeNonce] = ['a'.repeat(64), 'b'.repeat(64)];

  // Made with Python's hmac and hashlib.
  it.each([
    ['bridge', [shimNonce, bridgeNonce, 7], 'c97619a0fecfa7eb6cac535fdb52a2a6516e08e364ac815c26010a3cd1d73aab'],
    ['shim', [bridgeNonce, shimNonce, 7], '4a3f77cbbbbecc1df90feb635ef386b2a8f9d76517be0e2d2fe0e13eff1fd6d5'],
    ['session', [shimNonce, bridgeNonce], '2be348796f9625e5d59b6d299b14460be27c09fc550d946882dbb90d09da2a40'],
  ] as const)('[HST-10] are those of the other language: %s', (label, parts, expected) => {
    expect(prove(secret, label, ...parts)).toBe(expected);
  });

  it('[HST-10] are compared as a whole, whatever their lengths', () => {
    expect(sameText('abc', 'abc')).toBe(true);
    expect(sameText('abc', 'abd')).toBe(false);
    expect(sameText('abc', 'abcd')).toBe(false);
    expect(sameText('', 'a')).toBe(false);
  });
});
