// SPDX-License-Identifier: Apache-2.0
import { BorgeePlayground, HARBOUR } from '../../../playground/borgee/index.js';
import { type Frame, payloadOf, RawClient } from './client.js';

const { general } = HARBOUR.channels;
const { Mira, Jonas } = HARBOUR.authors;
const isMessage = (frame: Frame): boolean => frame['type'] === 'inbound_message';
const send = (content: string, replyToId: string | null = null): object => ({
  channel_id: general,
  content,
  reply_to_id: replyToId,
});

describe('[PLY-1] [BPP-5] knobs of the playground: deliveries', () => {
  it.each(['before', 'after', 'off'] as const)('echoes the own message %s the result', async (echo) => {
    const playground = await BorgeePlayground.start({ echo });
    const client = await RawClient.connected(playground);
    await client.act('send_message', send('pong'));
    await client.act('get_me');
    const order = client.heard.map((frame) => (isMessage(frame) ? 'echo' : 'result'));
    const expected = { before: ['echo', 'result'], after: ['result', 'echo'], off: ['result'] }[echo];
    expect(order).toEqual([...expected, 'result']);
    if (echo !== 'off')
      expect(client.heard.find(isMessage)).toMatchObject({ author_id: 'agent-angelia', body: 'pong' });
    await playground.close();
  });

  it('echoes own changes when it is told so', async () => {
    const playground = await BorgeePlayground.start({ echoChanges: true });
    const client = await RawClient.connected(playground);
    const { message_id: id } = payloadOf(await client.act('send_message', send('a'))) as { message_id: string };
    await client.act('edit_message', { message_id: id, content: 'b' });
    await client.act('delete_message', { message_id: id });
    await client.hear(({ kind }) => kind === 'deleted');
    expect(client.heard.filter(isMessage).map(({ kind }) => kind)).toEqual(['message', 'edited', 'deleted']);
    await playground.close();
  });

  it('delivers messages, mentions, edits, deletions, reactions and redeliveries with their fields', async () => {
    const playground = await BorgeePlayground.start();
    const client = await RawClient.connected(playground);
    const { id } = playground.say(general, Mira, 'hello');
    playground.say(HARBOUR.directMessages.Jonas, Jonas, 'psst');
    playground.say(general, Mira, 'look, @Angelia');
    playground.editMessage(id, 'hello!');
    playground.react(id, Jonas, '👍');
    playground.react(id, Jonas, '👍', false);
    playground.redeliver(id);
    playground.redeliver(id, 'other-name');
    playground.redeliver(id, 'other-kind');
    playground.deleteMessage(id);
    await client.hear(({ kind }) => kind === 'deleted');
    const fields = { type: 'inbound_message', agent_id: 'agent-angelia', content_type: 'text', msg_type: 'text' };
    const context = { guild_id: HARBOUR.guild, top_level_channel_id: general };
    expect(client.heard[0]).toEqual({
      ...fields,
      channel_id: general,
      channel_type: 'channel',
      kind: 'message',
      message_id: id,
      author_id: Mira,
      author_name: 'Mira',
      body: 'hello',
      created_at: expect.any(Number),
      emoji: '',
      reactor_id: '',
      reaction_added: false,
      conversation_context: context,
    });
    expect(client.heard[1]).toMatchObject({ channel_type: 'dm', author_id: Jonas, kind: 'message' });
    expect(client.heard[1]).not.toHaveProperty('conversation_context');
    expect(client.heard.slice(2)).toMatchObject([
      { kind: 'mention' },
      { kind: 'edited', body: 'hello!' },
      { kind: 'reaction', body: '', emoji: '👍', reactor_id: Jonas, reaction_added: true },
      { kind: 'reaction', reaction_added: false },
      { kind: 'message', author_name: 'Mira', body: 'hello!' },
      { kind: 'message', author_name: 'Mira II' },
      { kind: 'mention', author_name: 'Mira' },
      { kind: 'deleted', body: '' },
    ]);
    await playground.close();
  });

  it('delivers a thread under its own id', async () => {
    const playground = await BorgeePlayground.start();
    const client = await RawClient.connected(playground);
    const thread = playground.addChannel({ name: 'thread', threadOf: general });
    playground.say(thread.id, Mira, 'deeper');
    expect(await client.hear(isMessage)).toMatchObject({
      channel_id: thread.id,
      conversation_context: { guild_id: HARBOUR.guild, top_level_channel_id: general, thread_id: thread.id },
    });
    await playground.close();
  });

  it('pushes any frame and knows afterwards what it delivered', async () => {
    const playground = await BorgeePlayground.start();
    const client = await RawClient.connected(playground);
    const frame = { channel_type: 'channel', kind: 'message', author_id: 'au', author_name: 'Ann', created_at: 5 };
    playground.push({ type: 'inbound_message', channel_id: 'ch', message_id: 'm1', body: 'hi', ...frame });
    playground.push({
      type: 'inbound_message',
      channel_id: 'ch',
      message_id: 'm2',
      body: 'hi',
      ...frame,
      kind: 'poked',
    });
    await client.hear(({ kind }) => kind === 'poked');
    await client.act('send_message', { channel_id: 'ch', content: 'there', reply_to_id: 'm1' });
    expect(playground.messages('ch').map(({ body }) => body)).toEqual(['hi', 'there']);
    expect(playground.recorder.entries.filter(({ kind }) => kind === 'sent')).toHaveLength(1);
    await playground.close();
  });

  it('does not count a hand-made echo as an answer', async () => {
    const playground = await BorgeePlayground.start();
    await RawClient.connected(playground);
    const author = { author_id: 'agent-angelia', author_name: 'Angelia' };
    const place = { channel_id: general, channel_type: 'channel', kind: 'message', message_id: 'm1' };
    playground.push({ type: 'inbound_message', ...place, ...author, body: 'me', created_at: 5 });
    expect(playground.recorder.entries.filter(({ kind }) => kind === 'answer' || kind === 'sent')).toEqual([]);
    await playground.close();
  });

  it('pushes raw text, binary data and 5 MiB and one byte, and records each in its way', async () => {
    const playground = await BorgeePlayground.start();
    const client = await RawClient.connected(playground);
    const sizes: number[] = [];
    client.socket.removeAllListeners('message');
    client.socket.on('message', (data: Buffer) => void sizes.push(data.length));
    playground.pushRaw('not json');
    playground.pushRaw(Buffer.from([0xff, 0xfe]));
    playground.pushRaw(JSON.stringify({ type: 'inbound_message', body: 'x'.repeat(5 * 1024 * 1024) }));
    client.socket.ping();
    await client.until(() => client.pongs === 1);
    expect(sizes.slice(0, 2)).toEqual([8, 2]);
    expect(sizes[2]).toBeGreaterThan(5 * 1024 * 1024);
    const out = playground.recorder.entries.filter((entry) => entry.kind === 'frame' && entry.dir === 'out');
    expect(out).toMatchObject([
      { text: 'not json', type: null },
      { base64: '//4=', type: null },
      { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: sizes[2] },
    ]);
    await playground.close();
  });

  it('loses or queues what is said while no agent is connected', async () => {
    const losing = await BorgeePlayground.start();
    losing.say(general, Mira, 'into the void');
    const queueing = await BorgeePlayground.start({ whileOffline: 'queue' });
    queueing.say(general, Mira, 'kept');
    const first = await RawClient.connected(losing);
    const second = await RawClient.connected(queueing);
    expect(await second.hear(isMessage)).toMatchObject({ body: 'kept' });
    await first.act('get_me');
    expect(first.heard.filter(isMessage)).toEqual([]);
    expect(losing.recorder.entries.find(({ kind }) => kind === 'sent')).toMatchObject({ agent_online: false });
    await losing.close();
    await queueing.close();
  });
});
