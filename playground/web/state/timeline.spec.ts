// SPDX-License-Identifier: Apache-2.0
import { type ChatMessage } from '../api/wire.js';
import { prepend, rejoin, revise, type Timeline, UNKNOWN_TIMELINE, upsert } from './timeline.js';

/** A message whose id is its place; `version` 0 was never edited. */
const message = (id: number, version = 0, deleted = false): ChatMessage => ({
  id: String(id),
  channel_id: 'c',
  author_id: 'a',
  author_name: 'A',
  body: deleted ? '' : `m${id}.${version}`,
  created_at: id,
  edited_at: version === 0 ? null : version,
  deleted,
  reply_to_id: null,
  by_agent: false,
});

const run = (from: number, to: number): ChatMessage[] =>
  Array.from({ length: to - from + 1 }, (_, index) => message(from + index));

const timeline = (messages: ChatMessage[], more = true): Timeline => ({ messages, more, loaded: true });

const ids = ({ messages }: Timeline): number[] => messages.map(({ id }) => Number(id));

const seen = (messages: ChatMessage[]): Set<string> => new Set(messages.map(({ id }) => id));

describe('[PLY-1] the timeline of a channel', () => {
  it('takes new messages at its end, and each only once', () => {
    const once = upsert(timeline(run(1, 2)), message(3));
    expect(ids(once)).toEqual([1, 2, 3]);
    expect(upsert(once, message(3))).toBe(once);
  });

  it.each<[string, ChatMessage, ChatMessage, string, boolean]>([
    ['a later edit wins', message(1), message(1, 5), 'm1.5', false],
    ['an earlier edit that comes late does not', message(1, 5), message(1, 4), 'm1.5', false],
    ['the first form that is repeated does not', message(1, 5), message(1), 'm1.5', false],
    ['a deletion wins', message(1, 5), message(1, 0, true), '', true],
    ['a deletion is final', message(1, 0, true), message(1, 9), '', true],
  ])('%s', (_title, known, told, body, deleted) => {
    expect(revise(timeline([known]), told).messages).toEqual([expect.objectContaining({ body, deleted })]);
  });

  it('a change of a message that is not known is no news', () => {
    const known = timeline(run(5, 6));
    expect(revise(known, message(1, 3))).toBe(known);
  });

  it('takes an older page before it', () => {
    expect(prepend(timeline(run(3, 4)), { messages: run(1, 3), more: false })).toEqual(timeline(run(1, 4), false));
  });

  it('joins a run that overlaps, keeps what is older, and takes what changed', () => {
    const known = timeline([message(1), message(2), message(3)]);
    const told = [message(2, 7), message(3, 0, true), message(4)];
    const joined = rejoin(known, { messages: told, more: true }, seen(run(1, 3)));
    expect(joined.messages).toEqual([message(1), message(2, 7), message(3, 0, true), message(4)]);
    expect(joined.more).toBe(true);
  });

  it('closes a gap by forgetting what lies before it', () => {
    const joined = rejoin(timeline(run(1, 3), false), { messages: run(7, 9), more: true }, seen(run(1, 3)));
    expect(joined).toEqual(timeline(run(7, 9), true));
  });

  it('keeps what came live while the run was on its way, and takes from it what the run does not say', () => {
    const live = { messages: [message(4, 2), message(6)], more: true, loaded: false };
    const joined = rejoin(live, { messages: run(1, 5), more: false }, seen([]));
    expect(joined.messages).toEqual([...run(1, 3), message(4, 2), message(5), message(6)]);
    expect(joined.more).toBe(false);
  });

  it('a server that has lost everything is believed', () => {
    const joined = rejoin(timeline(run(1, 3)), { messages: [], more: false }, seen(run(1, 3)));
    expect(joined).toEqual(timeline([], false));
  });

  it('the first page makes it loaded', () => {
    expect(rejoin(UNKNOWN_TIMELINE, { messages: run(1, 2), more: true }, seen([]))).toEqual(timeline(run(1, 2)));
  });
});
