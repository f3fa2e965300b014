// SPDX-License-Identifier: Apache-2.0
import { AngeliaError, codeOf, ERROR_SENTENCES, ErrorCode } from './errors.js';

describe('errors', () => {
  it('has one sentence for every code, each different', () => {
    const sentences = Object.values(ErrorCode).map((code) => ERROR_SENTENCES[code]);
    expect(sentences.every((sentence) => /^[A-Z].*\.$/.test(sentence))).toBe(true);
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  it('keeps the codes in alphabetical order', () => {
    const names = Object.keys(ErrorCode);
    expect(names).toEqual([...names].sort());
    expect(Object.keys(ERROR_SENTENCES)).toEqual(names.map((name) => ErrorCode[name as keyof typeof ErrorCode]));
  });

  it('names its details', () => {
    const error = new AngeliaError(ErrorCode.ConfigInvalid, { key: 'borgee.base_url', expected: 'https' });
    expect(error.message).toBe('A configuration key has an invalid value. (key=borgee.base_url, expected=https)');
  });

  it('takes what is not ours for an internal error', () => {
    expect([codeOf(new AngeliaError(ErrorCode.NotOnline)), codeOf(new Error('x')), codeOf('x')]).toEqual([
      'not_online',
      'internal',
      'internal',
    ]);
  });
});
