// SPDX-License-Identifier: Apache-2.0
import { jest } from '@jest/globals';
import { FrameWriter } from './frame-writer.js';

/** A socket that takes what it is given when the test says so. */
class Socket {
  readonly sent: string[] = [];
  writable = true;
  private readonly callbacks: ((taken: boolean) => void)[] = [];

  send(text: string, done: (taken: boolean) => void): void {
    this.sent.push(text);
    this.callbacks.push(done);
  }

  flush(count = this.callbacks.length, taken = true): void {
    for (const done of this.callbacks.splice(0, count)) done(taken);
  }
}

const OPTIONS = {
  writeWindowBytes: 4,
  regularLane: { frames: 20, bytes: 100 },
  reservedLane: { frames: 20, bytes: 100 },
};
const clogged = (): { socket: Socket; writer: FrameWriter } => {
  const socket = new Socket();
  const writer = new FrameWriter(socket, OPTIONS);
  writer.offer('regular', 'clog');
  return { socket, writer };
};

describe('[BPP-9] the writer of frames (bpp 1.10)', () => {
  it('writes at once while the socket is free, and waits for it without a limit in time', () => {
    const { socket, writer } = clogged();
    writer.offer('regular', 'r1');
    expect(socket.sent).toEqual(['clog']);
    socket.flush();
    expect(socket.sent).toEqual(['clog', 'r1']);
  });

  it('prefers the reserved lane, but lets one regular frame pass after eight', () => {
    const { socket, writer } = clogged();
    writer.offer('regular', 'r1');
    writer.offer('regular', 'r2');
    for (let i = 0; i < 10; i += 1) writer.offer('reserved', `s${i}`);
    while (socket.sent.length < 13) socket.flush(1);
    expect(socket.sent.slice(1)).toEqual(['s0', 's1', 's2', 's3', 's4', 's5', 's6', 's7', 'r1', 's8', 's9', 'r2']);
  });

  it('refuses a frame when its lane is full by count or bytes, and takes one again when there is room', () => {
    const { socket, writer } = clogged();
    for (let i = 0; i < 20; i += 1) expect(writer.offer('regular', 'r')).not.toBeNull();
    expect(writer.offer('regular', 'r')).toBeNull();
    expect(writer.offer('reserved', 'x'.repeat(101))).toBeNull();
    expect(writer.offer('reserved', 'é'.repeat(50))).not.toBeNull();
    socket.flush();
    socket.flush();
    expect(writer.offer('regular', 'r')).not.toBeNull();
  });

  it('gives a frame back that was not written, and only such a one', () => {
    const { socket, writer } = clogged();
    const first = writer.offer('regular', 'r1');
    const second = writer.offer('regular', 'r2');
    expect(first?.withdraw()).toBe(true);
    expect(first?.withdraw()).toBe(true);
    socket.flush();
    expect(socket.sent).toEqual(['clog', 'r2']);
    expect(second?.withdraw()).toBe(false);
  });

  it('tells each frame its fate', () => {
    const { socket, writer } = clogged();
    const fate = { written: jest.fn(), flushed: jest.fn(), dropped: jest.fn() };
    writer.offer('regular', 'r1', fate);
    expect(fate.written).not.toHaveBeenCalled();
    socket.flush();
    expect(fate.written).toHaveBeenCalledTimes(1);
    expect(fate.flushed).not.toHaveBeenCalled();
    socket.flush();
    expect(fate.flushed).toHaveBeenCalledTimes(1);
    expect(fate.dropped).not.toHaveBeenCalled();
  });

  it('hands nothing to a socket that is lost: what waits certainly never left', () => {
    const failed = clogged();
    const waiting = failed.writer.offer('regular', 'r1');
    failed.socket.flush(1, false);
    expect(failed.socket.sent).toEqual(['clog']);
    expect(waiting?.withdraw()).toBe(true);
    const closing = clogged();
    closing.writer.offer('regular', 'r1');
    closing.socket.writable = false;
    closing.socket.flush();
    expect(closing.socket.sent).toEqual(['clog']);
  });

  it('drops what was not written when the connection ends, and takes nothing more', () => {
    const { socket, writer } = clogged();
    const dropped = jest.fn();
    const queued = writer.offer('regular', 'r1', { dropped });
    writer.stop();
    writer.stop();
    expect(dropped).toHaveBeenCalledTimes(1);
    expect(queued?.withdraw()).toBe(true);
    expect(writer.offer('regular', 'r2')).toBeNull();
    socket.flush();
    expect(socket.sent).toEqual(['clog']);
  });
});
