// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { DEFAULT_CLIENT_OPTIONS } from './client-options.js';
import { type DecodedInbound, decodeDamaged, decodeInbound } from './inbound-decoder.js';
import { readServerFrame, type TypedServerFrame } from './wire/index.js';

const OWN = 'ag_1';
const MESSAGE = {
  type: 'inbound_message',
  agent_id: OWN,
  channel_id: 'c1',
  channel_type: 'channel',
  kind: 'message',
  message_id: 'm1',
  author_id: 'u1',
  author_name: 'Ann',
  body: 'hi',
  created_at: 1_780_000_000_000,
  emoji: '',
  reactor_id: '',
  reaction_added: false,
};

function read(text: string): TypedServerFrame {
  const frame = readServerFrame(text);
  if (!frame.ok) throw new Error('not a frame');
  return frame.value;
}

function decodeText(text: string): DecodedInbound {
  return decodeInbound(read(text), Buffer.from(text), OWN, DEFAULT_CLIENT_OPTIONS);
}

const decode = (change: object = {}): DecodedInbound => decodeText(JSON.stringify({ ...MESSAGE, ...change }));

describe('[BPP-7] kinds of events (bpp 3.1)', () => {
  it('a message starts a turn; its evidence is the head of the payload hash', () => {
    expect(decode()).toEqual({
      event: {
        kind: 'message',
        channelId: 'c1',
        channelType: 'channel',
        messageId: 'm1',
        authorId: 'u1',
        authorName: 'Ann',
        body: 'hi',
        sourceCreatedAt: 1_780_000_000_000,
        context: null,
        evidence: Buffer.from('797fdb475fc65d0f91aec53466ed064a', 'hex'),
        ignored: null,
      },
      wantsRefusal: false,
      wrongField: null,
    });
  });

  it('a mention starts a turn in a direct message', () => {
    expect(decode({ kind: 'mention', channel_type: 'dm' }).event).toMatchObject({ channelType: 'dm', ignored: null });
  });

  it.each(['', 'thread', 'group'])('the channel type %j is a channel', (type) => {
    expect(decode({ channel_type: type }).event.channelType).toBe('channel');
  });

  it('an unknown channel type and name are what they stand for in the evidence', () => {
    expect(decode({ channel_type: '' }).event.evidence).toEqual(decode().event.evidence);
    expect(decode({ author_name: '' }).event).toMatchObject({ authorName: 'u1' });
    expect(decode({ author_name: '' }).event.evidence).toEqual(decode({ author_name: 'u1' }).event.evidence);
  });

  it('an edited message keeps its author and no text', () => {
    const { event } = decode({ kind: 'edited', body: 'new' });
    expect(event).toMatchObject({ authorId: 'u1', body: '', ignored: 'ignored_edited' });
    expect(event.evidence).not.toEqual(decode({ kind: 'edited', body: 'newer' }).event.evidence);
  });

  it('a deleted message has no author, but a name', () => {
    expect(decode({ kind: 'deleted', body: '' }).event).toMatchObject({
      authorId: '',
      authorName: 'Ann',
      ignored: 'ignored_deleted',
    });
  });

  it('a reaction belongs to who reacted (vector of bpp 10)', () => {
    const { event } = decode({ kind: 'reaction', body: '', emoji: '👍', reactor_id: 'u2', reaction_added: true });
    expect(event).toMatchObject({ authorId: 'u2', authorName: 'Ann', body: '', ignored: 'ignored_reaction' });
    expect(event.evidence.toString('hex')).toBe('882f1ee3c74811725958efd33ef15f1b');
  });

  it('a kind of tomorrow is a receipt that starts nothing', () => {
    expect(decode({ kind: 'poll', body: 'x' }).event).toMatchObject({
      kind: 'poll',
      body: '',
      ignored: 'ignored_unknown_kind',
    });
  });
});

describe('[BPP-5] own messages', () => {
  it('are known by their author, whatever their id', () => {
    expect(decode({ author_id: OWN }).event.ignored).toBe('ignored_self_authored');
    expect(decode({ author_id: OWN, kind: 'mention' }).event.ignored).toBe('ignored_self_authored');
  });

  it('are edits first, when they are edited', () => {
    expect(decode({ author_id: OWN, kind: 'edited' }).event.ignored).toBe('ignored_edited');
  });
});

describe('[BPP-11] conversation context', () => {
  it('is read leniently', () => {
    const context = { guild_id: 'g', top_level_channel_id: 'c0', thread_id: 't', task_id: 'k', more: 1 };
    expect(decode({ conversation_context: context }).event.context).toEqual({
      guildId: 'g',
      topLevelChannelId: 'c0',
      threadId: 't',
      taskId: 'k',
    });
    expect(
      decode({ conversation_context: { guild_id: 'g', top_level_channel_id: 7, thread_id: '\ud800' } }).event.context,
    ).toEqual({
      guildId: 'g',
      topLevelChannelId: null,
      threadId: null,
      taskId: null,
    });
  });

  it.each([null, 'x', [], {}, { guild_id: '' }, { guild_id: 'x'.repeat(2_000) }])('%j counts as none', (context) => {
    expect(decode({ conversation_context: context })).toMatchObject({ event: { context: null, ignored: null } });
  });
});

describe('[BPP-7] remote control (bpp 3.6)', () => {
  const envelope = (input: unknown): object => ({ application_data: { protocol: 'remote-control', input } });

  it.each([{ agent_id: OWN }, {}, null])('to this agent is never a turn and wants one refusal: %j', (input) => {
    expect(decode(envelope(input))).toMatchObject({
      event: { ignored: 'ignored_remote_control', body: '' },
      wantsRefusal: true,
    });
  });

  it('to another agent, or on another kind, is a receipt without an answer', () => {
    expect(decode(envelope({ agent_id: 'ag_2' }))).toMatchObject({
      event: { ignored: 'ignored_remote_control' },
      wantsRefusal: false,
    });
    expect(decode({ ...envelope({}), kind: 'edited' })).toMatchObject({
      event: { ignored: 'ignored_remote_control' },
      wantsRefusal: false,
    });
  });

  it.each([null, 'remote-control', { protocol: 'other' }])('%j is none', (data) => {
    expect(decode({ application_data: data }).event.ignored).toBeNull();
  });
});

describe('[INB-16] poison events', () => {
  it.each<[string, object, string]>([
    ['null author', { author_name: null }, 'author_name'],
    ['missing body', { body: undefined }, 'body'],
    ['lone surrogate in the body', { body: 'a\ud800b' }, 'body'],
    ['lone surrogate in the name', { author_name: '\udc00' }, 'author_name'],
    ['fraction as time', { created_at: 1.5 }, 'created_at'],
    ['negative time', { created_at: -1 }, 'created_at'],
    ['time beyond 2^53', { created_at: 2 ** 63 }, 'created_at'],
    ['oversized body', { body: 'é'.repeat(1_048_577) }, 'body'],
    ['oversized name', { author_name: '字'.repeat(342) }, 'author_name'],
    ['reaction without emoji', { kind: 'reaction', emoji: null }, 'emoji'],
    ['lone surrogate as emoji', { kind: 'reaction', emoji: '\ud83d' }, 'emoji'],
    ['no channel', { channel_id: '' }, 'channel_id'],
    ['no message id', { message_id: '' }, 'message_id'],
  ])('%s: a terminal receipt with its ids and no content', (_name, change, field) => {
    const { event, wrongField } = decode(change);
    expect(wrongField).toBe(field);
    expect(event).toMatchObject({ kind: 'undecodable', ignored: 'undecodable', body: '', context: null });
    if (!('message_id' in change)) expect(event.messageId).toBe('m1');
    if (!('channel_id' in change)) expect(event.channelId).toBe('c1');
  });

  it('takes the hash of the frame where an id cannot be read', () => {
    const text = JSON.stringify({
      ...MESSAGE,
      message_id: 7,
      channel_id: '\ud800',
      author_id: null,
      channel_type: 'dm',
    });
    const head = createHash('sha256').update(text).digest('hex').slice(0, 32);
    expect(decodeText(text).event).toEqual({
      kind: 'undecodable',
      channelId: `sha256:${head}`,
      channelType: 'dm',
      messageId: `sha256:${head}`,
      authorId: '',
      authorName: 'Ann',
      body: '',
      sourceCreatedAt: 1_780_000_000_000,
      context: null,
      evidence: Buffer.from(head, 'hex'),
      ignored: 'undecodable',
    });
  });

  it('refuses a time that JSON has rounded silently', () => {
    const text = JSON.stringify(MESSAGE).replace('1780000000000', '9007199254740993');
    expect(decodeText(text).event).toMatchObject({ ignored: 'undecodable', sourceCreatedAt: 0 });
  });

  it('keeps a frame whose bytes are no UTF-8 but clearly an event', () => {
    const raw = Buffer.concat([
      Buffer.from(JSON.stringify(MESSAGE).slice(0, -1)),
      Buffer.from([0x2c, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    ]);
    const { event, wrongField } = decodeDamaged(read(raw.toString('utf8')), raw, DEFAULT_CLIENT_OPTIONS);
    expect(wrongField).toBe('encoding');
    expect(event).toMatchObject({ kind: 'undecodable', messageId: 'm1', ignored: 'undecodable' });
  });

  it('takes a text of exactly the largest size', () => {
    expect(decode({ body: 'é'.repeat(1_048_576) }).event.ignored).toBeNull();
  });
});
