// SPDX-License-Identifier: Apache-2.0
import { BorgeePlayground, HARBOUR } from '../../../playground/borgee/index.js';
import { type Frame, frames, payloadOf, RawClient } from './client.js';

const { general } = HARBOUR.channels;
const { Mira } = HARBOUR.authors;
const isResult = (frame: Frame): boolean => frame['type'] === 'semantic_action_result';
const send = (content: string, replyToId: string | null = null): object => ({
  channel_id: general,
  content,
  reply_to_id: replyToId,
});

describe('[PLY-1] [BPP-4] knobs of the playground: results', () => {
  let playground: BorgeePlayground;
  let client: RawClient;
  beforeEach(async () => {
    playground = await BorgeePlayground.start({ echo: 'off' });
    client = await RawClient.connected(playground);
  });
  afterEach(() => playground.close());

  it('tells the agent who it is', async () => {
    expect(payloadOf(await client.act('get_me'))).toMatchObject({ id: 'agent-angelia', role: 'agent' });
  });

  it('sends, edits and deletes; the record has the facts', async () => {
    const { id } = playground.say(general, Mira, 'ping');
    const sent = payloadOf(await client.act('send_message', send('pong', id))) as { message_id: string };
    expect(payloadOf(await client.act('edit_message', { message_id: sent.message_id, content: 'pong!' }))).toBeNull();
    expect(playground.messages(general).map(({ body }) => body)).toEqual(['ping', 'pong!']);
    await client.act('delete_message', { message_id: sent.message_id });
    const place = { message_id: sent.message_id, channel_id: general };
    expect(playground.recorder.entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'sent',
          message_id: id,
          channel_type: 'channel',
          author_id: Mira,
          body: 'ping',
        }),
        expect.objectContaining({ kind: 'answer', ...place, reply_to_id: id, content: 'pong' }),
        expect.objectContaining({ kind: 'edited', ...place, content: 'pong!', by_agent: true }),
        expect.objectContaining({ kind: 'deleted', ...place, by_agent: true }),
      ]),
    );
  });

  it.each([
    ['send_message', { channel_id: 'nowhere', content: 'x', reply_to_id: null }, 'channel_unknown'],
    ['send_message', { channel_id: general, content: 'x', reply_to_id: 'nothing' }, 'message_unknown'],
    ['edit_message', { message_id: 'nothing', content: 'x' }, 'message_unknown'],
    ['create_channel', { name: 'x', guild_id: 'nowhere', parent_id: null }, 'guild_unknown'],
    ['no_such_action', {}, 'bpp.semantic_op_unknown'],
  ])('refuses %s %j with %s', async (action, payload, error) => {
    expect(await client.act(action, payload)).toMatchObject({ status: 'error', error, payload: '' });
  });

  it('refuses an edit of a message of somebody else', async () => {
    const { id } = playground.say(general, Mira, 'mine');
    expect(await client.act('edit_message', { message_id: id, content: 'x' })).toMatchObject({
      error: 'not_the_author',
    });
  });

  it('pages zones ascending by id', async () => {
    for (const id of ['c', 'a', 'b']) playground.world.addZone(HARBOUR.guild, `Zone ${id}`, id);
    const first = payloadOf(await client.act('list_zones', { guild_id: HARBOUR.guild, limit: 2 }));
    expect(first).toEqual({
      zones: [
        { id: 'a', name: 'Zone a' },
        { id: 'b', name: 'Zone b' },
      ],
      next_after: 'b',
    });
    const rest = payloadOf(await client.act('list_zones', { guild_id: HARBOUR.guild, limit: 2, after: 'b' }));
    expect(rest).toEqual({ zones: [{ id: 'c', name: 'Zone c' }], next_after: null });
  });

  it('creates, changes, lists, reads and deletes channels', async () => {
    const created = payloadOf(
      await client.act('create_channel', { name: 'pier', guild_id: HARBOUR.guild, parent_id: 'z1', topic: 'boats' }),
    ) as Frame;
    expect(created).toMatchObject({ name: 'pier', parent_id: 'z1', topic: 'boats' });
    const id = String(created['id']);
    const changed = payloadOf(
      await client.act('update_channel', { channel_id: id, visibility: 'private', archived: true }),
    );
    expect(changed).toMatchObject({ parent_id: 'z1', visibility: 'private', archived: true });
    expect(payloadOf(await client.act('set_topic', { channel_id: id, topic: '' }))).toBeNull();
    expect(payloadOf(await client.act('list_channels'))).toContainEqual(expect.objectContaining({ id, topic: '' }));
    const said = ['one', 'two', 'three'].map((body) => playground.say(id, Mira, body).id);
    const after = payloadOf(await client.act('read_channel_history', { channel_id: id, after: said[0], limit: 1 }));
    expect(after).toMatchObject([{ id: said[1], body: 'two' }]);
    const before = payloadOf(await client.act('read_channel_history', { channel_id: id, before: said[2] }));
    expect(before).toMatchObject([{ body: 'one' }, { body: 'two' }]);
    await client.act('delete_channel', { channel_id: id });
    expect(await client.act('set_topic', { channel_id: id, topic: '' })).toMatchObject({ error: 'channel_unknown' });
  });

  it('opens one direct message per person', async () => {
    expect(payloadOf(await client.act('create_dm', { user_id: Mira }))).toEqual({
      channel_id: HARBOUR.directMessages.Mira,
    });
    const { id } = playground.world.addAuthor('Nils');
    const first = payloadOf(await client.act('create_dm', { user_id: id }));
    expect(payloadOf(await client.act('create_dm', { user_id: id }))).toEqual(first);
  });

  it('delays a result: later ones overtake it', async () => {
    playground.faults.nextResult({ action: 'send_message', fault: { kind: 'delay', ms: 20 } });
    client.send(frames.action('send_message', send('slow')));
    client.send(frames.action('get_me'));
    await client.until(() => client.heard.length === 2);
    expect(client.heard.map((frame) => JSON.stringify(payloadOf(frame)).includes('role'))).toEqual([true, false]);
  });

  it('drops a result, though the message stands', async () => {
    playground.faults.nextResult({ action: 'send_message', fault: { kind: 'drop' } });
    client.send(frames.action('send_message', send('unheard')));
    await client.act('get_me');
    expect(client.heard).toHaveLength(1);
    expect(playground.messages(general)).toHaveLength(1);
  });

  it('duplicates a result', async () => {
    playground.faults.nextResult({ fault: { kind: 'duplicate' } });
    await client.act('get_me');
    await client.until(() => client.heard.length === 2);
    expect(client.heard[0]).toEqual(client.heard[1]);
  });

  it('reorders results', async () => {
    playground.faults.nextResult({ times: 3, fault: { kind: 'reorder', count: 3 } });
    const asked = [1, 2, 3].map(() => frames.action('get_me'));
    for (const frame of asked) client.send(frame);
    await client.until(() => client.heard.length === 3);
    expect(client.heard.map(({ nonce }) => nonce)).toEqual(asked.map(({ nonce }) => nonce).reverse());
  });

  it('holds a result until it is late, and sends it on the next connection', async () => {
    playground.faults.nextResult({ action: 'send_message', fault: { kind: 'hold' } });
    const frame = frames.action('send_message', send('late'));
    client.send(frame);
    await playground.waitFor((entry) => entry.kind === 'answer');
    playground.connection!.kill();
    await client.closed();
    const next = await RawClient.connected(playground);
    expect(playground.releaseResults()).toBe(1);
    expect(await next.hear(isResult)).toMatchObject({ nonce: frame['nonce'], status: 'ok' });
  });

  it('denies permission instead of executing', async () => {
    playground.faults.nextResult({ fault: { kind: 'deny', requiredCapability: 'message.send' } });
    expect(await client.act('send_message', send('x'))).toMatchObject({
      type: 'permission_denied',
      attempted_action: 'send_message',
      required_capability: 'message.send',
    });
    expect(playground.messages(general)).toHaveLength(0);
  });

  it('refuses with a code, or answers anything at all', async () => {
    playground.faults.nextResult({ fault: { kind: 'refuse', code: 'rate_limited' } });
    expect(await client.act('send_message', send('x'))).toMatchObject({ status: 'error', error: 'rate_limited' });
    playground.faults.nextResult({ fault: { kind: 'reply', fields: { payload: '{' } } });
    expect(await client.act('get_me')).toMatchObject({ status: 'ok', payload: '{' });
    expect(playground.messages(general)).toHaveLength(0);
  });

  it('never answers anything while it is told so', async () => {
    playground.faults.answering = false;
    client.send(frames.action('send_message', send('x')));
    client.socket.ping();
    await client.until(() => client.pongs === 1);
    playground.faults.clear();
    await client.act('get_me');
    expect(client.heard).toHaveLength(1);
    expect(playground.messages(general)).toHaveLength(0);
  });
});
