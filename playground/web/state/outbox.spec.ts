// SPDX-License-Identifier: Apache-2.0
import { Outbox, type Outgoing } from './outbox.js';

const text = (value: string): Outgoing => ({ channelId: 'c', authorId: 'a', text: value });

describe('[PLY-1] texts on their way to the server', () => {
  it('are sent one after the other, in the order in which they were typed', async () => {
    const log: string[] = [];
    const releases: (() => void)[] = [];
    const outbox = new Outbox(
      (outgoing) => {
        log.push(`begin ${outgoing.text}`);
        return new Promise<void>((resolve) => releases.push(resolve)).then(() => void log.push(`end ${outgoing.text}`));
      },
      () => log.push('failed'),
    );
    const first = outbox.send(text('1'));
    const second = outbox.send(text('2'));
    expect(log).toEqual(['begin 1']);
    releases[0]!();
    await second;
    while (releases.length < 2) await Promise.resolve();
    releases[1]!();
    await first;
    expect(log).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
  });

  it('none overtakes one that failed: it and all behind it are given back, and the next goes out again', async () => {
    const sent: string[] = [];
    const failures: [string[], unknown][] = [];
    const refused = new Error('refused');
    const outbox = new Outbox(
      (outgoing) => {
        if (outgoing.text === '1') return Promise.reject(refused);
        sent.push(outgoing.text);
        return Promise.resolve();
      },
      (unsent, error) => failures.push([unsent.map((each) => each.text), error]),
    );
    await Promise.all([outbox.send(text('1')), outbox.send(text('2'))]);
    expect(failures).toEqual([[['1', '2'], refused]]);
    await outbox.send(text('3'));
    expect(sent).toEqual(['3']);
  });
});
