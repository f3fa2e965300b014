// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PlaygroundEntry, readEntries, Recorder } from '../record/index.js';
import { BorgeePlayground } from './borgee-playground.js';
import { HARBOUR } from './world/index.js';

const { general } = HARBOUR.channels;
const { Mira } = HARBOUR.authors;

describe('[PLY-1] a playground that comes back', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'angelia-playground-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('has its conversations again, in order, with edits, deletions and answers', async () => {
    const file = join(folder, 'playground.jsonl');
    const recorder = new Recorder<PlaygroundEntry>({ file });
    const first = await BorgeePlayground.start({ recorder });
    const [one, two] = [first.say(general, Mira, 'one'), first.say(general, Mira, 'two')];
    first.world.post({ channelId: general, authorId: first.agentId, body: 'answer', replyToId: one.id });
    const side = first.addChannel({ id: 'side' });
    first.say(side.id, first.world.addAuthor('Nils', 'author-nils').id, 'here too');
    first.editMessage(one.id, 'one!');
    first.deleteMessage(two.id);
    const before = [...first.messages(general)];
    await first.close();
    await recorder.close();
    const second = await BorgeePlayground.start({ history: readEntries(file) });
    expect(second.messages(general)).toMatchObject(
      before.map(({ id, body, deleted, byAgent, replyToId }) => ({ id, body, deleted, byAgent, replyToId })),
    );
    expect(second.messages('side')).toMatchObject([{ body: 'here too', authorId: 'author-nils' }]);
    expect(second.recorder.entries.map(({ kind }) => kind)).toEqual(['listening']);
    await second.close();
  });
});
