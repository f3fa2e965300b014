// SPDX-License-Identifier: Apache-2.0
import { auditAtTheEnd, worldOfFile } from '../support/world.js';

const world = worldOfFile();

async function startHermes(): Promise<void> {
  await world().hermes.start();
  await world().hermes.ready();
}

describe('[HST-10] Hermes starts and stops', () => {
  it('a message in the start-up window is parked by Hermes and answered once', async () => {
    await world().hermes.stop();
    const channel = world().channel();
    world().script('early', { text: 'Good morning.' });
    const id = world().say(channel, 'Anybody there? [[early]]');
    await world().logged('receipt.committed', { messageId: id });
    await startHermes();
    expect(await world().ended(id)).toMatchObject({ state: 'completed', texts: ['Good morning.'] });
    expect(world().requestsFor('[[early]]')).toHaveLength(1);
  });

  it.each([
    ['stopped', (): Promise<unknown> => world().hermes.stop()],
    ['killed', (): Promise<unknown> => world().hermes.kill()],
  ])('%s while idle: it keeps its sessions and starts nothing by itself', async (how, end) => {
    const channel = world().channel();
    await world().ask(channel, `before-${how}`, { text: 'Before.' });
    await end();
    const requests = world().model.chats.length;
    const lines = world().bridge.logSize;
    await startHermes();
    await world().logged('link.attached', {}, lines);
    await world().bridge.connected();
    await world().ask(channel, `after-${how}`, { text: 'After.' });
    expect(world().model.chats).toHaveLength(requests + 1);
    const request = world().requestsFor(`[[after-${how}]]`)[0]!;
    expect(request.user.filter((text) => text.includes(`[[before-${how}]]`))).toHaveLength(1);
    expect(world().answersIn(channel)).toEqual(['Before.', 'After.']);
  });
});

describe('[INB-12] Hermes is killed between claim and start', () => {
  it('the receipt is released, runs once, and on a clean history', async () => {
    await world().hermes.stop();
    const channel = world().channel();
    world().script('between', { text: 'Once only.' });
    const id = world().say(channel, 'Do it [[between]]');
    await world().logged('receipt.committed', { messageId: id });
    await world().hermes.start();
    // Hermes parks the turn for about a second before it may start: long enough to be killed with the claim in its hands.
    await world().logged('receipt.claimed', { messageId: id });
    await world().hermes.kill();
    expect(world().requestsFor('[[between]]')).toEqual([]);
    await startHermes();
    expect(await world().ended(id)).toMatchObject({ state: 'completed', texts: ['Once only.'] });
    const requests = world().requestsFor('[[between]]');
    expect(requests).toHaveLength(1);
    expect(requests[0]!.user.filter((text) => text.includes('[[between]]'))).toHaveLength(1);
    expect(requests[0]!.last_user.split('[[between]]')).toHaveLength(2);
    await world().logged('receipt.released', {});
  });
});

describe('[HST-10] Hermes is stopped in the middle of a turn', () => {
  it('the message is said to be interrupted, once, and the next one runs', async () => {
    const channel = world().channel();
    world().script('interrupted', { hold: true, text: 'Too late.' });
    const id = world().say(channel, 'Take your time [[interrupted]]');
    await world().model.waitForHold('interrupted');
    await world().hermes.stop('SIGTERM');
    await startHermes();
    const turn = await world().ended(id);
    expect(turn).toMatchObject({ state: 'failed', outcome: 'hermes_cancelled' });
    expect(turn.texts).toEqual([expect.stringContaining('turn_interrupted')]);
    world().model.release('interrupted');
    await world().ask(channel, 'carry-on', { text: 'Carrying on.' });
    expect(world().model.chats.filter((request) => request.tag === 'interrupted')).toHaveLength(1);
    expect(world().answersIn(channel)).toHaveLength(2);
  });
});

describe('[INB-3] [INB-4] [INB-6] Hermes is killed in the middle of a turn', () => {
  it('the receipt is quarantined and never repeated; its channel waits, the others go on', async () => {
    const channel = world().channel();
    world().script('killed', { hold: true, text: 'Never.' });
    const id = world().say(channel, 'Something big [[killed]]');
    await world().model.waitForHold('killed');
    const behind = world().say(channel, 'And more [[killed]]');
    for (const silent of [id, behind]) world().expectSilence(silent);
    await world().logged('receipt.committed', { messageId: behind });
    await world().hermes.kill();
    await startHermes();
    await world().logged('receipt.quarantined', {});
    expect(await world().ask(world().channel(), 'elsewhere', { text: 'All well.' })).toMatchObject({
      texts: ['All well.'],
    });
    world().model.release('killed');
    expect(world().requestsFor('[[killed]]')).toHaveLength(1);
    expect((await world().bridge.health()).reasons.map((reason) => reason.name)).toContain('lanes_blocked');
  });
});

auditAtTheEnd(world);
