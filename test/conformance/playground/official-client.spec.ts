// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { BorgeePlayground, HARBOUR } from '../../../playground/borgee/index.js';

const DRIVER = fileURLToPath(new URL('./official_client.py', import.meta.url));
const { general } = HARBOUR.channels;
const { Mira, Jonas, Aiko } = HARBOUR.authors;

/** Room for the start of Python on a busy machine, ms. */
const TIMEOUT_MS = 60_000;

/** The Python environment with the official client. @throws Error when it is not named: the test fails, it never skips */
function officialPython(): string {
  const venv = process.env['BORGEE_SDK_VENV'];
  if (venv === undefined) {
    throw new Error('BORGEE_SDK_VENV must name a Python environment with borgee-plugin-sdk; bin/test does.');
  }
  return join(venv, 'bin', 'python');
}

describe('[TST-2] [BPP-1] the official client at the playground', () => {
  let playground: BorgeePlayground;
  let client: ChildProcess;
  beforeEach(async () => {
    playground = await BorgeePlayground.start();
    const env = { BORGEE_API_KEY: playground.apiKey, PYTHONDONTWRITEBYTECODE: '1' };
    client = spawn(officialPython(), [DRIVER, playground.origin], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  });
  afterEach(async () => {
    if (client.exitCode === null && client.signalCode === null) {
      client.kill('SIGKILL');
      await once(client, 'exit');
    }
    await playground.close();
  });

  it(
    'breaks no strict check, understands every frame and is understood',
    async () => {
      playground.world.addZone(HARBOUR.guild, 'Pier', 'a');
      playground.world.addZone(HARBOUR.guild, 'Quay', 'b');
      const lines: string[] = [];
      const output = createInterface({ input: client.stdout! });
      output.on('line', (line) => lines.push(line));
      const done = once(output, 'close');
      await once(output, 'line');

      playground.ping();
      const stop = playground.request({ action: 'stop_turn', channel_id: general });
      const read = playground.request({ action: 'read_file' });
      expect(await playground.configUpdate()).toMatchObject({ status: 'rejected', reason: 'unknown', applied_at: 0 });
      expect(await stop).toMatchObject({ data: { aborted: false } });
      expect(await read).toMatchObject({ error: 'no_server_request_handler' });

      const { id } = playground.say(general, Mira, 'ping');
      await playground.waitFor((entry) => entry.kind === 'task_finished', TIMEOUT_MS);
      playground.say(HARBOUR.directMessages.Jonas, Jonas, 'hi @Angelia');
      playground.editMessage(id, 'ping!');
      playground.react(id, Aiko, '👍');
      playground.deleteMessage(id);
      await done;

      playground.assertClean();
      expect(playground.messages(general).at(-1)).toMatchObject({ body: 'pong!', replyToId: id, byAgent: true });
      expect(playground.recorder.entries).toContainEqual(expect.objectContaining({ kind: 'frame', type: 'pong' }));
      const result = JSON.parse(lines.at(-1)!) as { seen: { kind: string }[] };
      expect(result).toMatchObject({
        me: 'agent-angelia',
        zones: { zones: [{ id: 'a', name: 'Pier' }], next_after: 'a' },
        channel: true,
        history: 2,
        channels: 7,
      });
      expect(result.seen.map(({ kind }) => kind)).toEqual([
        'message',
        'message',
        'mention',
        'edited',
        'reaction',
        'deleted',
      ]);
    },
    TIMEOUT_MS,
  );
});
