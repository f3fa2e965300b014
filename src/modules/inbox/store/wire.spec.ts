// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import type { AdmitResult, NewReceipt } from './receipt-types.js';
import { packAdmitResult, packError, packReceipt, unpackAdmitResult, unpackReceipt } from './wire.js';

const text = fc.string({ unit: 'binary' });
const hash = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes));
const nullable = fc.option(text);

const receipts: fc.Arbitrary<NewReceipt> = fc.record({
  dedupeKey: hash,
  evidence: hash,
  kind: text,
  lane: text,
  channelId: text,
  channelType: fc.constantFrom('dm', 'channel'),
  messageId: text,
  authorId: text,
  authorName: text,
  body: text,
  sourceBody: nullable,
  dispatchClass: fc.constantFrom('ordinary', 'control', 'urgent_stop', 'unclassified'),
  context: fc.option(
    fc.record(
      { guildId: nullable, topLevelChannelId: nullable, threadId: nullable, taskId: nullable },
      { noNullPrototype: true },
    ),
  ),
  sourceCreatedAt: fc.maxSafeNat(),
  receivedAt: fc.maxSafeNat(),
  terminal: fc.option(
    fc.record({ state: fc.constantFrom('completed', 'failed'), outcome: text }, { noNullPrototype: true }),
  ),
  checkEcho: fc.boolean(),
});

describe('the wire of the store', () => {
  it('[INB-1] carries any receipt unchanged', () => {
    fc.assert(
      fc.property(receipts, (receipt) => {
        expect(unpackReceipt(structuredClone(packReceipt(receipt)))).toEqual(receipt);
      }),
    );
  });

  it('[INB-1] carries the answer unchanged', () => {
    const result: AdmitResult = { ingestSeq: 7, duplicate: true, state: 'failed', outcome: 'poison_event' };
    expect(unpackAdmitResult(structuredClone(packAdmitResult(result)))).toEqual(result);
  });

  it.each([
    [new RangeError('no such code'), 'RangeError: no such code'],
    [new SyntaxError('"secret text" is not valid JSON'), 'SyntaxError'],
    ['a thrown text', undefined],
    [undefined, undefined],
  ])('[SEC-1] carries the error under an error, without what a parser quotes: %s', (cause, message) => {
    const packed = packError(new AngeliaError(ErrorCode.Internal, { step: 'admit' }, cause));
    expect(packed).toMatchObject({ code: 'internal', details: { step: 'admit' } });
    expect(packed.cause?.message).toBe(message);
    expect(() => structuredClone(packed)).not.toThrow();
  });
});
