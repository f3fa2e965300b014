// SPDX-License-Identifier: Apache-2.0
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { ManualClock } from '../../../../test/support/manual-clock.js';
import { CommandStream, type StreamEnd } from './command-stream.js';
import { LINK_LIMITS } from './link-options.js';

/** A response that tells what was written and takes it as fast as the test says. */
class StubResponse extends EventEmitter {
  readonly writes: string[] = [];
  takes = true;
  finished: 'no' | 'ended' | 'destroyed' = 'no';

  writeHead(): void {
    this.writes.length = 0;
  }

  write(text: string): boolean {
    this.writes.push(text);
    return this.takes;
  }

  end(): void {
    this.finished = 'ended';
  }

  destroy(): void {
    this.finished = 'destroyed';
  }
}

describe('[HST-10] the command stream', () => {
  let clock: ManualClock;
  let response: StubResponse;
  let socket: EventEmitter;
  let ends: StreamEnd[];
  let stream: CommandStream;

  beforeEach(() => {
    clock = new ManualClock();
    response = new StubResponse();
    socket = new EventEmitter();
    ends = [];
    stream = new CommandStream(socket, response as unknown as ServerResponse, 7, clock, LINK_LIMITS, (reason) =>
      ends.push(reason),
    );
  });
  afterEach(() => {
    stream.end('closed');
    expect(clock.pending).toBe(0);
  });

  const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('[HST-10] greets with the epoch', () => {
    expect(response.writes).toEqual(['{"op":"hello","epoch":7}\n']);
  });

  it('[HST-10] writes the lines of one tick at once, and large ones in pieces', async () => {
    for (const line of ['a', 'b', 'c']) stream.send(line);
    expect(response.writes).toHaveLength(1);
    await tick();
    expect(response.writes.slice(1)).toEqual(['a\nb\nc\n']);
    const [big, small] = ['x'.repeat(65_530), 'y'.repeat(10)];
    for (const line of [small, big, small, big]) stream.send(line);
    await tick();
    expect(response.writes.slice(2)).toEqual([`${small}\n`, `${big}\n`, `${small}\n`, `${big}\n`]);
  });

  it('[HST-10] writes nothing to a socket that has not drained, not even a sign of life', async () => {
    response.takes = false;
    stream.send('a');
    await tick();
    stream.send('b');
    await tick();
    clock.advance(14_999);
    expect(response.writes.slice(1)).toEqual(['a\n']);
    response.takes = true;
    response.emit('drain');
    expect(response.writes.slice(1)).toEqual(['a\n', 'b\n']);
    clock.advance(15_000);
    expect(ends).toEqual([]);
  });

  it('[HST-10] gives a socket up that does not drain in 15 s', async () => {
    response.takes = false;
    stream.send('a');
    await tick();
    clock.advance(15_000);
    expect(ends).toEqual(['stalled']);
    expect(response.finished).toBe('destroyed');
    stream.send('b');
    await tick();
    response.emit('drain');
    expect(response.writes.slice(1)).toEqual(['a\n']);
  });

  it.each([
    ['close of the response', () => response.emit('close')],
    ['end of the socket', () => socket.emit('end')],
    ['error of the response', () => response.emit('error', new Error('reset'))],
  ])('[HST-10] ends once with the %s', (_name, happen) => {
    happen();
    response.emit('close');
    stream.end('bridge_closing');
    expect(ends).toEqual(['closed']);
    expect(response.finished).toBe('destroyed');
  });

  it('[HST-10] lets the shim read the end when the bridge closes', () => {
    stream.end('bridge_closing');
    expect(ends).toEqual(['bridge_closing']);
    expect(response.finished).toBe('ended');
  });
});
