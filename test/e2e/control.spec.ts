// SPDX-License-Identifier: Apache-2.0
import { auditAtTheEnd, worldOfFile } from '../support/world.js';

const world = worldOfFile();

describe('[SCH-2] [SCH-3] control work beside a busy turn', () => {
  it('/status is answered while the turn runs, past what waits behind it', async () => {
    const channel = world().channel();
    world().script('busy', { text: 'Done at last.', hold: true });
    const busy = world().say(channel, 'Work [[busy]]');
    await world().model.waitForHold('busy');
    world().script('behind', { text: 'I waited.' });
    const behind = world().say(channel, 'Behind [[behind]]');
    const status = await world().answered(world().say(channel, '/status'));
    expect(status.state).toBe('completed');
    expect(world().requestsFor('[[behind]]')).toEqual([]);
    world().model.release('busy');
    expect((await world().ended(busy)).texts).toEqual(['Done at last.']);
    expect((await world().ended(behind)).texts).toEqual(['I waited.']);
  });

  it('[INB-7] /stop ends the turn at once, and the next message of the channel runs', async () => {
    const channel = world().channel();
    world().script('stopped', { text: 'Never said.', hold: true });
    const stopped = world().say(channel, 'Work [[stopped]]');
    world().expectSilence(stopped);
    await world().model.waitForHold('stopped');
    const stop = await world().answered(world().say(channel, '/stop'));
    expect(stop.state).toBe('completed');
    expect(await world().ended(stopped)).toMatchObject({ state: 'failed', texts: [] });
    world().model.release('stopped');
    const next = await world().ask(channel, 'after-stop', { text: 'Here again.' });
    expect(next.texts).toEqual(['Here again.']);
  });

  it('[INB-7] /queue waits as an ordinary turn, without its prefix', async () => {
    const channel = world().channel();
    world().script('first', { text: 'First.', hold: true });
    const first = world().say(channel, 'Work [[first]]');
    await world().model.waitForHold('first');
    world().script('queued', { text: 'Second.' });
    const queued = world().say(channel, '/queue then this [[queued]]');
    world().model.release('first');
    expect((await world().ended(first)).texts).toEqual(['First.']);
    expect((await world().ended(queued)).texts).toEqual(['Second.']);
    expect(world().requestsFor('[[queued]]')[0]!.last_user).not.toContain('/queue');
  });
});

auditAtTheEnd(world);
