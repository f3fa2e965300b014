// SPDX-License-Identifier: Apache-2.0
import type { ModelEntry, PlaygroundEntry, Recorded } from '../record/index.js';
import { chatEvents, modelRequests } from './read-records.js';

let count = 0;
const stamped = <E>(entry: E): Recorded<E & { kind: string }> =>
  ({ n: ++count, at: 1_000 + count, mono_ns: '0', ...entry }) as Recorded<E & { kind: string }>;

const inbound = (change: Record<string, unknown>): Record<string, unknown> => ({
  type: 'inbound_message',
  agent_id: 'agent',
  kind: 'message',
  channel_id: 'general',
  message_id: 'm1',
  author_id: 'mira',
  body: 'hello',
  ...change,
});

const frame = (dir: 'in' | 'out' | 'dropped', content: Record<string, unknown>): Recorded<PlaygroundEntry> =>
  stamped({
    kind: 'frame',
    dir,
    conn: 3,
    type: String(content['type']),
    bytes: 100,
    frame: content,
  });

describe("[TST-2] reading the chat server's record", () => {
  it('takes messages and mentions of people that were written to the socket', () => {
    const events = chatEvents([
      frame('out', inbound({})),
      frame('out', inbound({ kind: 'mention', message_id: 'm2' })),
    ]);
    expect(events).toMatchObject([
      { type: 'delivered', connection: 3, messageId: 'm1', channelId: 'general', authorId: 'mira', text: 'hello' },
      { type: 'delivered', messageId: 'm2' },
    ]);
  });

  it('leaves out echoes, other kinds, broken frames and what the client sent', () => {
    const others = [
      frame('out', inbound({ author_id: 'agent' })),
      frame('out', inbound({ kind: 'edited' })),
      frame('out', inbound({ body: 7 })),
      frame('out', inbound({ message_id: undefined })),
      frame('in', inbound({})),
      frame('out', { type: 'ping' }),
    ];
    expect(chatEvents(others)).toEqual([]);
  });

  it('tells a message that the server dropped', () => {
    expect(chatEvents([frame('dropped', inbound({}))])).toMatchObject([{ type: 'dropped', messageId: 'm1' }]);
  });

  it('takes what the agent did and leaves out what people edited', () => {
    const place = { message_id: 'a1', channel_id: 'general' };
    const task = { task_id: 'borgee-1-0', channel_id: 'general', repeated: false };
    const entries: PlaygroundEntry[] = [
      { kind: 'answer', ...place, reply_to_id: 'm1', content: 'hi' },
      { kind: 'edited', ...place, content: 'hi there', by_agent: true },
      { kind: 'edited', ...place, content: 'people', by_agent: false },
      { kind: 'deleted', ...place, by_agent: true },
      { kind: 'task_started', ...task },
      { kind: 'task_finished', ...task, outcome: 'completed', reason: '' },
      { kind: 'close', conn: 3, code: 1006, by: 'client' },
    ];
    expect(chatEvents(entries.map((entry) => stamped(entry))).map((event) => event.type)).toEqual([
      'posted',
      'edited',
      'deleted',
      'task_started',
      'task_finished',
      'closed',
    ]);
  });
});

describe("[TST-2] reading the model's record", () => {
  const request = (change: Partial<ModelEntry>): Recorded<ModelEntry> =>
    stamped({
      kind: 'chat',
      request: 1,
      method: 'POST',
      path: '/v1/chat/completions',
      stream: true,
      tag: null,
      step: null,
      system: 'prompt',
      user: ['a', 'b'],
      last_user: 'b',
      last_role: 'user',
      tools: [],
      ...change,
    } as ModelEntry);
  const closed = (change: Partial<ModelEntry>): Recorded<ModelEntry> =>
    stamped({ kind: 'closed', request: 1, status: 200, complete: true, text: 'answer', ...change } as ModelEntry);

  it('joins a request with its end and leaves out titles and probes', () => {
    const aux = request({ kind: 'aux', request: 2 });
    expect(modelRequests([request({}), aux, closed({})])).toMatchObject([
      { system: 'prompt', userText: 'b', first: true, answered: true, reply: 'answer' },
    ]);
  });

  it.each([
    ['an error', [closed({ status: 500, text: '' })]],
    ['an empty text', [closed({ text: '' })]],
    ['a client that went away', [closed({ complete: false })]],
    ['a request that is still open', []],
  ])('does not take %s for an answer', (_what, end) => {
    expect(modelRequests([request({}), ...end])).toMatchObject([{ answered: false }]);
  });

  it('tells the step after a tool call from a first request', () => {
    expect(modelRequests([request({ last_role: 'tool' })])).toMatchObject([{ first: false }]);
  });
});
