// SPDX-License-Identifier: Apache-2.0
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkLeftovers, workTreeState } from './leftovers.js';
import { Workshop } from './workshop.js';

describe('[TST-2] what tests leave behind', () => {
  let root: string;
  let workshop: Workshop;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'angelia-clone-'));
    execFileSync('git', ['init', '--quiet', root]);
    workshop = new Workshop(root);
  });

  afterEach(() => {
    workshop.close();
    rmSync(root, { recursive: true, force: true });
  });

  async function failures(before = workTreeState(root)): Promise<Record<string, string>> {
    const results = await checkLeftovers(workshop, before, 50);
    return Object.fromEntries(
      results.filter(({ result }) => result === 'failed').map(({ title, detail }) => [title, detail]),
    );
  }

  it('is nothing after a clean run, caches of other programs aside', async () => {
    writeFileSync(join(root, 'before.txt'), '');
    const before = workTreeState(root);
    writeFileSync(join(workshop.home, '.npm'), '');
    expect(await failures(before)).toEqual({});
  });

  it('shows a process by its id and ends it', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      env: workshop.environment(),
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    const found = await failures();
    expect(found['[TST-2] the run leaves no process behind']).toContain(String(child.pid));
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  it('shows files in the temporary folder, the home folder and the clone', async () => {
    const before = workTreeState(root);
    writeFileSync(join(workshop.temporary, 'left'), '');
    writeFileSync(join(workshop.home, 'written'), '');
    writeFileSync(join(root, 'new.txt'), '');
    expect(await failures(before)).toEqual({
      '[TST-2] the run leaves no file in the temporary folder': 'left',
      '[TST-2] the run writes nothing into the home folder': 'written',
      '[TST-2] the run changes nothing in the clone': '?? new.txt',
    });
  });
});
