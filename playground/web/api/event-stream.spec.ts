// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { EventStreamReader, type StreamedEvent } from './event-stream.js';

const read = (...pieces: string[]): StreamedEvent[] => {
  const reader = new EventStreamReader();
  return pieces.flatMap((piece) => reader.push(piece));
};

describe('[PLY-1] reading a text/event-stream', () => {
  it.each<[string, StreamedEvent[]]>([
    ['id: 1\nevent: agent\ndata: {}\n\n', [{ id: '1', type: 'agent', data: '{}' }]],
    ['data: a\n\n', [{ id: '', type: 'message', data: 'a' }]],
    ['data: a\ndata:b\ndata\n\n', [{ id: '', type: 'message', data: 'a\nb\n' }]],
    [': alive\n\n', []],
    ['event: x\n\ndata: a\n\n', [{ id: '', type: 'message', data: 'a' }]],
    ['retry: 500\n\n', []],
    ['id: 1\r\ndata: a\r\n\r\ndata: b\r\r', [{ id: '1', type: 'message', data: 'a' }]],
    ['data: unfinished\n', []],
    ['id: a\0b\ndata: x\n\n', [{ id: '', type: 'message', data: 'x' }]],
  ])('%j', (stream, events) => {
    expect(read(stream)).toEqual(events);
  });

  it('a carriage return at the end of a piece waits for the next one', () => {
    expect(read('data: b\r\r', '')).toEqual([]);
    expect(read('data: b\r\r', '\n')).toEqual([{ id: '', type: 'message', data: 'b' }]);
    expect(read('data: b\r', '\ndata: c\n\n')).toEqual([{ id: '', type: 'message', data: 'b\nc' }]);
  });

  it('the id of an event holds for those after it', () => {
    expect(read('id: 7\ndata: a\n\ndata: b\n\n').map((event) => event.id)).toEqual(['7', '7']);
  });

  it('pieces may be cut anywhere', () => {
    const stream =
      'id: r-1\nevent: message\ndata: {"a":"é"}\n\n: \n\nid: r-2\r\nevent: agent\r\ndata: x\r\ndata: y\r\n\r\n';
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 8 }), (cuts) => {
        const at = [0, ...cuts.toSorted((left, right) => left - right), stream.length];
        const pieces = at.slice(1).map((end, index) => stream.slice(at[index], end));
        expect(read(...pieces)).toEqual(read(stream));
      }),
    );
  });
});
