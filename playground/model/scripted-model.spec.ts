// SPDX-License-Identifier: Apache-2.0
import { request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { ScriptedModel } from './scripted-model.js';

interface Chunk {
  readonly choices: readonly {
    readonly delta: { readonly content?: string };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: unknown;
}

const terminal = [{ type: 'function', function: { name: 'terminal', parameters: {} } }];
const body = (text: string, more: object = {}): object => ({
  model: 'any',
  stream: true,
  tools: terminal,
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: text },
  ],
  ...more,
});

function post(model: ScriptedModel, content: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${model.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(content),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function stream(model: ScriptedModel, content: object): Promise<{ chunks: Chunk[]; text: string }> {
  const lines = (await (await post(model, content)).text()).split('\n\n').filter((line) => line !== '');
  expect(lines.at(-1)).toBe('data: [DONE]');
  const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.replace(/^data: /, '')) as Chunk);
  return { chunks, text: chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('') };
}

describe('[PLY-1] the scripted model', () => {
  let model: ScriptedModel;
  beforeEach(async () => {
    model = await ScriptedModel.start();
  });
  afterEach(() => model.close());

  it('streams the role, the pieces, the reason and the usage', async () => {
    model.script('t', [{ text: 'Good evening', chunks: 3 }]);
    const { chunks, text } = await stream(model, body('hi [[t]]'));
    expect(text).toBe('Good evening');
    expect(chunks[0]!.choices[0]!.delta).toEqual({ role: 'assistant', content: '' });
    expect(chunks.slice(1, 4).map(({ choices }) => choices[0]!.delta)).toEqual([
      { content: 'Good' },
      { content: ' eve' },
      { content: 'ning' },
    ]);
    expect(chunks[4]!.choices[0]).toEqual({ index: 0, delta: {}, finish_reason: 'stop' });
    expect(chunks[5]).toMatchObject({ choices: [], usage: { total_tokens: 110 } });
  });

  it('streams each tool call whole', async () => {
    model.script('t', [{ tools: [{ tool: 'terminal', args: { command: 'ls' } }, { tool: 'clarify' }] }]);
    const { chunks } = await stream(model, body('[[t]]'));
    expect(chunks.slice(1, 3).map(({ choices }) => choices[0]!.delta)).toMatchObject([
      { tool_calls: [{ index: 0, type: 'function', function: { name: 'terminal', arguments: '{"command":"ls"}' } }] },
      { tool_calls: [{ index: 1, function: { name: 'clarify', arguments: '{}' } }] },
    ]);
    expect(chunks[3]!.choices[0]!.finish_reason).toBe('tool_calls');
  });

  it('answers whole when it is not asked to stream, tool calls too', async () => {
    model.script('t', [{ tool: 'terminal', args: {} }, { text: 'done' }]);
    const first = (await (await post(model, body('[[t]]', { stream: false }))).json()) as Record<string, unknown>;
    expect(first).toMatchObject({
      object: 'chat.completion',
      choices: [
        { finish_reason: 'tool_calls', message: { content: null, tool_calls: [{ function: { name: 'terminal' } }] } },
      ],
    });
    const messages = [
      { role: 'user', content: '[[t]]' },
      { role: 'assistant', content: null },
      { role: 'tool', content: 'ok' },
    ];
    expect(await (await post(model, body('', { stream: false, messages }))).json()).toMatchObject({
      choices: [{ finish_reason: 'stop', message: { content: 'done' } }],
    });
  });

  it('answers with an error status', async () => {
    model.script('t', [{ status: 401, error: 'no such key' }]);
    const response = await post(model, body('[[t]]'));
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { message: 'no such key' } });
  });

  it('records turns, titles and probes with what they asked', async () => {
    await stream(model, body('[Mira] hello'));
    await (await post(model, body('Make a title', { tools: [], stream: false }))).json();
    expect((await fetch(`${model.url.replace('/v1', '')}/api/tags`)).status).toBe(404);
    expect(await (await fetch(`${model.url}/models`)).json()).toMatchObject({ data: [{ object: 'model' }] });
    expect(model.requests.map(({ kind }) => kind)).toEqual(['chat', 'aux', 'probe', 'probe']);
    expect(model.chats).toMatchObject([
      {
        system: 'Be kind.',
        user: ['[Mira] hello'],
        last_user: '[Mira] hello',
        last_role: 'user',
        tools: ['terminal'],
        tag: null,
      },
    ]);
    const [first] = model.requests;
    await model.waitForClosed(first!);
    expect(first!.closed).toMatchObject({ complete: true, status: 200, text: expect.stringContaining('hello') });
  });

  it('reads contents that are lists of parts', async () => {
    const messages = [
      {
        role: 'user',
        content: [{ type: 'text', text: 'in ' }, { type: 'image_url' }, { type: 'text', text: 'parts' }],
      },
    ];
    await stream(model, body('', { messages }));
    expect(model.chats[0]!.last_user).toBe('in parts');
  });

  it('survives a body that is no JSON', async () => {
    const response = await fetch(`${model.url}/chat/completions`, { method: 'POST', body: '{' });
    expect(response.status).toBe(200);
    expect(model.requests[0]).toMatchObject({ kind: 'aux', last_user: '' });
  });

  it('holds a step before its first byte until it is released', async () => {
    model.script('t', [{ text: 'late', hold: true }]);
    const answered = stream(model, body('[[t]]'));
    const request = await model.waitForHold('t');
    expect(request.closed).toBeNull();
    expect(model.release('t')).toBe(1);
    expect((await answered).text).toBe('late');
    expect(model.release('t')).toBe(0);
  });

  it('holds a step after some pieces', async () => {
    model.script('t', [{ text: 'one two', chunks: 7, holdAfter: 3 }]);
    const response = await post(model, body('[[t]]'));
    const request = await model.waitForHold('t');
    expect(response.status).toBe(200);
    model.release('t');
    expect(await response.text()).toContain('[DONE]');
    await model.waitForClosed(request);
    expect(request.closed!.text).toBe('one two');
  });

  it('notes a client that goes away in the middle, with what it had got', async () => {
    model.script('t', [{ text: 'abcdef', chunks: 6, holdAfter: 2 }]);
    const leaving = new AbortController();
    const response = await post(model, body('[[t]]'), leaving.signal);
    const request = await model.waitForHold('t');
    leaving.abort();
    await expect(response.text()).rejects.toThrow();
    await model.waitForClosed(request);
    expect(request.closed).toMatchObject({ complete: false, text: 'ab' });
  });

  it('cuts the connection when a script says so', async () => {
    model.script('t', [{ text: 'half', cut: true }]);
    await expect(post(model, body('[[t]]')).then((response) => response.text())).rejects.toThrow();
    expect(model.chats).toHaveLength(1);
  });

  it('waits for the request that a test means', async () => {
    const waiting = model.waitFor(({ last_user }) => last_user.includes('second'));
    await stream(model, body('first'));
    await stream(model, body('second'));
    expect((await waiting).request).toBe(2);
    await expect(model.waitFor(() => false, 1)).rejects.toThrow('in vain');
  });

  it('pauses between words only as long as somebody listens', async () => {
    const slow = await ScriptedModel.start({ delayMs: 60_000 });
    const leaving = new AbortController();
    const answer = post(slow, body('hello'), leaving.signal);
    const request = await slow.waitFor(({ kind }) => kind === 'chat');
    await answer;
    leaving.abort();
    await slow.waitForClosed(request);
    expect(request.closed).toMatchObject({ complete: false });
    await slow.close();
  });

  it('closes with requests open', async () => {
    model.script('t', [{ text: 'never', hold: true }]);
    const request = httpRequest(`${model.url}/chat/completions`, { method: 'POST' });
    request.end(JSON.stringify(body('[[t]]')));
    const failed = once(request, 'error');
    const held = await model.waitForHold('t');
    await model.close();
    await failed;
    expect(held.closed).toMatchObject({ complete: false });
  });
});
