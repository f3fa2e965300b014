// SPDX-License-Identifier: Apache-2.0
import { BorgeePlayground, HARBOUR } from '../../../playground/borgee/index.js';
import { type Frame, frames, RawClient } from './client.js';

const { general, random } = HARBOUR.channels;
const { Mira } = HARBOUR.authors;
const isMessage = (frame: Frame): boolean => frame['type'] === 'inbound_message';
const isResult = (frame: Frame): boolean => frame['type'] === 'semantic_action_result';

describe('[PLY-1] [INB-13] knobs of the playground: load', () => {
  it('a burst loses nothing for a client that reads, in order per channel', async () => {
    const playground = await BorgeePlayground.start({ dropBehind: 256 });
    const client = await RawClient.connected(playground);
    const ids = await playground.burst(3_000, [general, random]);
    await client.until(() => client.heard.length === ids.length);
    expect(playground.drops).toBe(0);
    expect(client.heard.map((frame) => frame['message_id'])).toEqual(ids);
    await playground.close();
  });

  it('a burst loses frames for a client that does not read; the drops are recorded, the rest arrives in order', async () => {
    const playground = await BorgeePlayground.start({ dropBehind: 256 });
    const client = await RawClient.connected(playground);
    client.socket.pause();
    const burst = playground.burst(3_000, [general], {
      body: (index) => `${index} ${'x'.repeat(8_000)}`,
      patienceMs: 0,
    });
    await playground.waitFor((entry) => entry.kind === 'frame' && entry.dir === 'dropped');
    client.socket.resume();
    const ids = await burst;
    await client.until(() => client.heard.length + playground.drops === ids.length);
    const dropped = playground.recorder.entries.filter((entry) => entry.kind === 'frame' && entry.dir === 'dropped');
    expect(dropped).toHaveLength(playground.drops);
    const heard = new Set(client.heard.map((frame) => frame['message_id']));
    expect(client.heard.map((frame) => frame['message_id'])).toEqual(ids.filter((id) => heard.has(id)));
    await playground.close();
  });

  it('stops reading until it is told to go on', async () => {
    const playground = await BorgeePlayground.start();
    const client = await RawClient.connected(playground);
    playground.connection!.stopReading();
    const frame = frames.action('get_me');
    client.send(frame);
    expect(playground.say(general, Mira, 'still writing').body).toBe('still writing');
    await client.hear(isMessage);
    expect(client.heard.filter(isResult)).toEqual([]);
    playground.connection!.resumeReading();
    await client.hear(isResult);
    await playground.close();
  });
});

describe('[PLY-1] [BPP-6] knobs of the playground: requests', () => {
  let playground: BorgeePlayground;
  let client: RawClient;
  beforeEach(async () => {
    playground = await BorgeePlayground.start();
    client = await RawClient.connected(playground);
  });
  afterEach(() => playground.close());

  it('asks 33 things at once, and one of 129 KiB, and gets each response', async () => {
    client.socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Frame;
      if (frame['type'] === 'request')
        client.send({ type: 'response', id: frame['id'], error: 'no_server_request_handler' });
    });
    const asked = Array.from({ length: 33 }, (_, index) => playground.request({ action: 'read_file' }, `r${index}`));
    const large = playground.request({ action: 'read_file', padding: 'x'.repeat(129 * 1024) });
    const responses = await Promise.all([...asked, large]);
    expect(responses.map(({ error }) => error)).toEqual(Array(34).fill('no_server_request_handler'));
    playground.assertClean();
  });

  it('sends config updates and gets the ack of each, of a repeated key too', async () => {
    client.socket.on('message', (data: Buffer) => {
      const { type, cursor, agent_id, schema_version, idempotency_key } = JSON.parse(data.toString()) as Frame;
      const echo = { cursor, agent_id, schema_version, idempotency_key };
      if (type === 'agent_config_update')
        client.send({ type: 'agent_config_ack', ...echo, status: 'rejected', reason: 'unknown', applied_at: 0 });
    });
    expect(await playground.configUpdate({ idempotencyKey: 'k1' })).toMatchObject({ cursor: 1 });
    expect(await playground.configUpdate({ idempotencyKey: 'k1' })).toMatchObject({ cursor: 2 });
    playground.assertClean();
  });

  it('switches the agent off and on', async () => {
    playground.agentToggle('disable', 'maintenance');
    playground.agentToggle('enable');
    await client.hear(({ action }) => action === 'enable');
    expect(client.heard).toEqual([
      { type: 'agent_toggle', agent_id: 'agent-angelia', action: 'disable', reason: 'maintenance' },
      { type: 'agent_toggle', agent_id: 'agent-angelia', action: 'enable', reason: '' },
    ]);
  });
});
