// SPDX-License-Identifier: Apache-2.0
import { ManualClock } from '../../../../test/support/manual-clock.js';
import { DEFAULT_CLIENT_OPTIONS } from './client-options.js';
import { Liveness } from './liveness.js';

function setup(): { clock: ManualClock; liveness: Liveness; log: string[] } {
  const clock = new ManualClock();
  const log: string[] = [];
  const note = (what: string): void => void log.push(`${clock.monotonic() / 1_000} ${what}`);
  const liveness = new Liveness(clock, DEFAULT_CLIENT_OPTIONS, {
    ping: (payload) => note(`ping ${payload}`),
    heartbeat: () => note('heartbeat'),
    dead: () => note('dead'),
    confirmed: (ping) => note(`confirmed ${ping}`),
  });
  liveness.start();
  return { clock, liveness, log };
}

describe('[BPP-9] liveness (bpp 1.6)', () => {
  it('beats a little under 30 s', () => {
    const { clock, liveness, log } = setup();
    for (let i = 0; i < 6; i += 1) {
      clock.advance(10_000);
      liveness.alive();
    }
    expect(log.filter((line) => line.endsWith('heartbeat'))).toEqual(['28 heartbeat', '56 heartbeat']);
  });

  it('drops a peer that misses two pongs, in under a minute', () => {
    const { clock, log } = setup();
    clock.advance(60_000);
    expect(log.filter((line) => !line.endsWith('heartbeat'))).toEqual(['20 ping 1', '30 ping 2', '40 dead']);
  });

  it('goes on every 20 s as long as pongs come, and tells what they confirm', () => {
    const { clock, liveness, log } = setup();
    clock.advance(20_000);
    liveness.pong('1');
    clock.advance(20_000);
    liveness.pong('2');
    expect(log.filter((line) => !line.endsWith('heartbeat'))).toEqual([
      '20 ping 1',
      '20 confirmed 1',
      '40 ping 2',
      '40 confirmed 2',
    ]);
  });

  it('counts every message as a sign of life', () => {
    const { clock, liveness, log } = setup();
    for (let i = 0; i < 12; i += 1) {
      clock.advance(5_000);
      liveness.alive();
    }
    expect(log.some((line) => line.endsWith('dead'))).toBe(false);
  });

  it('forgets a missed pong when the next one comes', () => {
    const { clock, liveness, log } = setup();
    clock.advance(31_000);
    liveness.pong('2');
    clock.advance(25_000);
    expect(log.some((line) => line.endsWith('dead'))).toBe(false);
    clock.advance(20_000);
    expect(log.at(-1)).toBe('70 dead');
  });

  it('holds nobody dead while reading is paused; the heart goes on', () => {
    const { clock, liveness, log } = setup();
    clock.advance(25_000);
    liveness.suspend();
    clock.advance(600_000);
    expect(log.filter((line) => line.endsWith('heartbeat'))).toHaveLength(22);
    liveness.resume();
    clock.advance(39_000);
    expect(log.some((line) => line.endsWith('dead'))).toBe(false);
    clock.advance(1_000);
    expect(log.at(-1)).toMatch(/dead$/);
  });

  it('takes an unsolicited pong for a sign of life only', () => {
    const { liveness, log } = setup();
    liveness.pong('');
    liveness.pong('hello');
    expect(log).toEqual([]);
  });

  it('leaves no timer behind', () => {
    const { clock, liveness } = setup();
    clock.advance(20_000);
    liveness.stop();
    expect(clock.pending).toBe(0);
  });
});
