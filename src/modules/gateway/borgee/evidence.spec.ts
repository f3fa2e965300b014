// SPDX-License-Identifier: Apache-2.0
import { payloadHash } from './evidence.js';

describe('[INB-15] hash of a payload (vectors of bpp 10)', () => {
  it('of a message', () => {
    const hash = payloadHash({
      kind: 'message',
      channelId: 'c1',
      channelType: 'channel',
      messageId: 'm1',
      authorId: 'u1',
      authorName: 'Ann',
      body: 'hi',
      createdAt: 1_780_000_000_000,
      reaction: null,
    });
    expect(hash.toString('hex')).toBe('797fdb475fc65d0f91aec53466ed064a53b56d2645f185394ddf89a1d18e8e8c');
  });

  it('of a reaction', () => {
    const hash = payloadHash({
      kind: 'reaction',
      channelId: 'c1',
      channelType: 'channel',
      messageId: 'm1',
      authorId: 'u2',
      authorName: 'Ann',
      body: '',
      createdAt: 1_780_000_000_000,
      reaction: { added: true, emoji: '👍', userId: 'u2' },
    });
    expect(hash.toString('hex')).toBe('882f1ee3c74811725958efd33ef15f1bf6ef30e08287621eb4879b5c05215d4b');
  });
});
