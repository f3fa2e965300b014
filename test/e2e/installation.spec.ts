// SPDX-License-Identifier: Apache-2.0
import { lstatSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { basename, join } from 'node:path';
import { filesBelow, noCanaryIn } from '../../playground/audit/index.js';
import { hermesUnderTest, installationDigest, runHermes } from '../support/hermes.js';
import { auditAtTheEnd, worldOfFile } from '../support/world.js';

const NAME = 'Canaria-Nightingale';
const TEXT = 'canary-text-0e6f1c';
const KEY = `bgr_${'c4'.repeat(20)}`;

const digestBefore = installationDigest(hermesUnderTest());
const world = worldOfFile({ streaming: true, playground: { apiKey: KEY } });

/** One turn with everything that could leak: names, text, a tool call, an answer, and an error. */
async function converse(): Promise<void> {
  const person = world().playground.world.addAuthor(NAME).id;
  const channel = world().channel();
  world().script(
    'canary',
    { tool: 'terminal', args: { command: `echo ${TEXT}` } },
    { pieces: Array.from({ length: 10 }, () => `${TEXT} `), delayMs: 40 },
  );
  world().script('canary-error', { status: 500, error: `${TEXT} in an error` });
  await world().ended(world().say(channel, `${TEXT} [[canary]]`, person));
  await world().ended(world().say(channel, `${TEXT} [[canary-error]]`, person));
  const refused = world().say(channel, `/model ${TEXT}`, person);
  await world().entry((entry) => entry.kind === 'answer' && entry.reply_to_id === refused);
  world().playground.pushRaw(`{"type":"inbound_message","body":"${TEXT}","author_name":"${NAME}","kind":7}`);
  await world().logged('gateway.frame_rejected');
}

describe('[HST-1] [HST-2] the shim in the eyes of Hermes', () => {
  it('is an enabled plugin from the user folder', async () => {
    const listed = JSON.parse(
      await runHermes(hermesUnderTest(), world().home, ['plugins', 'list', '--json']),
    ) as unknown[];
    expect(listed).toContainEqual(expect.objectContaining({ name: 'angelia', status: 'enabled', source: 'user' }));
  });
});

describe('[SEC-1] [SEC-2] secrets and content', () => {
  beforeAll(converse);

  it('no key, text or name stands in the log or in a state file but the ledger', () => {
    const isLedger = (path: string): boolean => basename(path).startsWith('ledger.sqlite3');
    const files = [world().bridge.logFile, ...filesBelow(world().home.stateDir, isLedger)];
    expect(files.map((file) => basename(file))).toEqual(
      expect.arrayContaining(['bridge.log', 'link.json', 'admin.json']),
    );
    const canaries = [
      { name: 'the key', text: KEY },
      { name: 'the text of a message', text: TEXT },
      { name: 'the name of a person', text: NAME },
    ];
    expect(noCanaryIn(files, canaries)).toEqual([]);
  });

  it('the key never reaches the model', () => {
    expect(JSON.stringify(world().model.requests)).not.toContain(KEY);
  });

  it('the state folder and everything in it is for its owner alone', () => {
    const { stateDir } = world().home;
    expect(lstatSync(stateDir).mode & 0o777).toBe(0o700);
    const files = filesBelow(stateDir);
    expect(files).toContain(join(stateDir, 'ledger.sqlite3'));
    for (const file of files) expect([basename(file), lstatSync(file).mode & 0o077]).toEqual([basename(file), 0]);
  });
});

describe('[TST-2] where the tests run', () => {
  it('has loopback only: a call that leaves the machine fails', () => {
    expect(Object.keys(networkInterfaces())).toEqual(['lo']);
  });
});

auditAtTheEnd(world);

describe('[HST-4] the pinned installation', () => {
  it('is byte for byte what it was before', () => {
    expect(installationDigest(hermesUnderTest())).toBe(digestBefore);
  });
});
