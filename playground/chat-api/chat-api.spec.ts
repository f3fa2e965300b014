// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BorgeePlayground, HARBOUR } from '../borgee/index.js';
import { BODY_LIMIT_BYTES } from './http.js';
import type { MessageView, PageView, StateView } from './views.js';

const { general } = HARBOUR.channels;
const { Mira, Jonas } = HARBOUR.authors;

interface Answer<T = unknown> {
  readonly status: number;
  readonly value: T;
}

describe('[PLY-1] the chat API', () => {
  let playground: BorgeePlayground;
  beforeEach(async () => {
    playground = await BorgeePlayground.start();
  });
  afterEach(() => playground.close());

  async function ask<T>(method: string, path: string, body?: object, headers: object = {}): Promise<Answer<T>> {
    const response = await fetch(`${playground.origin}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, value: (await response.json()) as T };
  }
  const messagesPath = `/chat/api/channels/${general}/messages`;

  it('tells who is there and where one can talk', async () => {
    const { value } = await ask<StateView>('GET', '/chat/api/state');
    expect(value.agent).toEqual({ id: 'agent-angelia', name: 'Angelia', online: false, busy: [] });
    expect(value.authors).toEqual(['Mira', 'Jonas', 'Aiko'].map((name) => ({ id: expect.any(String), name })));
    expect(value.channels).toContainEqual({
      id: general,
      type: 'channel',
      name: 'general',
      guild: 'Harbour',
      person_id: null,
    });
    expect(value.channels).toContainEqual({
      id: HARBOUR.directMessages.Mira,
      type: 'dm',
      name: 'Mira',
      guild: null,
      person_id: Mira,
    });
  });

  it('says, edits and deletes, and pages what was said', async () => {
    const { status, value } = await ask<MessageView>('POST', messagesPath, { author_id: Mira, body: 'hello' });
    expect(status).toBe(201);
    expect(value).toEqual({
      id: expect.any(String),
      channel_id: general,
      author_id: Mira,
      author_name: 'Mira',
      body: 'hello',
      created_at: expect.any(Number),
      edited_at: null,
      deleted: false,
      reply_to_id: null,
      by_agent: false,
    });
    const path = `/chat/api/messages/${value.id}`;
    expect((await ask<MessageView>('PATCH', path, { author_id: Mira, body: 'hello!' })).value.body).toBe('hello!');
    expect((await ask<MessageView>('DELETE', `${path}?author_id=${Mira}`)).value).toMatchObject({
      deleted: true,
      body: '',
    });
    for (const body of ['a', 'b', 'c']) await ask('POST', messagesPath, { author_id: Jonas, body });
    const page = (await ask<PageView>('GET', `${messagesPath}?limit=2`)).value;
    expect(page).toMatchObject({ messages: [{ body: 'b' }, { body: 'c' }], more: true });
    const older = (await ask<PageView>('GET', `${messagesPath}?limit=2&before=${page.messages[0]!.id}`)).value;
    expect(older).toMatchObject({ messages: [{ deleted: true }, { body: 'a' }], more: false });
    expect(playground.recorder.entries.filter(({ kind }) => kind === 'sent')).toHaveLength(4);
  });

  it.each([
    [404, 'not_found', 'GET', '/chat/api/nothing', undefined],
    [404, 'not_found', 'GET', '/elsewhere', undefined],
    [405, 'method_not_allowed', 'PUT', '/chat/api/state', {}],
    [405, 'method_not_allowed', 'POST', '/', {}],
    [404, 'channel_unknown', 'GET', '/chat/api/channels/x/messages', undefined],
    [404, 'message_unknown', 'GET', `${messagesPath}?before=x`, undefined],
    [400, 'parameter_invalid', 'GET', `${messagesPath}?limit=0`, undefined],
    [400, 'parameter_invalid', 'GET', `${messagesPath}?limit=501`, undefined],
    [400, 'parameter_invalid', 'GET', '/chat/api/channels/%E0%A4%A/messages', undefined],
    [400, 'body_invalid', 'POST', messagesPath, { author_id: Mira }],
    [400, 'body_invalid', 'POST', messagesPath, []],
    [400, 'text_missing', 'POST', messagesPath, { author_id: Mira, body: ' ' }],
    [404, 'author_unknown', 'POST', messagesPath, { author_id: 'nobody', body: 'x' }],
    [404, 'author_unknown', 'POST', messagesPath, { author_id: 'agent-angelia', body: 'x' }],
    [
      403,
      'not_a_member',
      'POST',
      `/chat/api/channels/${HARBOUR.directMessages.Mira}/messages`,
      { author_id: Jonas, body: 'x' },
    ],
    [404, 'message_unknown', 'PATCH', '/chat/api/messages/x', { author_id: Mira, body: 'x' }],
    [413, 'body_too_large', 'POST', messagesPath, { author_id: Mira, body: 'x'.repeat(BODY_LIMIT_BYTES) }],
  ])('answers %i %s to %s %s', async (status, error, method, path, body) => {
    expect(await ask(method, path, body)).toEqual({ status, value: { error } });
  });

  it('lets nobody change what somebody else said', async () => {
    const { id } = playground.say(general, Mira, 'mine');
    const path = `/chat/api/messages/${id}`;
    const refused = { status: 403, value: { error: 'not_the_author' } };
    expect(await ask('PATCH', path, { author_id: Jonas, body: 'yours' })).toEqual(refused);
    expect(await ask('DELETE', `${path}?author_id=${Jonas}`)).toEqual(refused);
    await ask('DELETE', `${path}?author_id=${Mira}`);
    expect(await ask('DELETE', `${path}?author_id=${Mira}`)).toMatchObject({ status: 409 });
  });

  it('[SEC-1] lets no foreign page and no rebound name in', async () => {
    const post = { author_id: Mira, body: 'x' };
    const foreign = await ask('POST', messagesPath, post, { origin: 'http://example.com' });
    expect(foreign).toEqual({ status: 403, value: { error: 'origin_refused' } });
    expect((await ask('POST', messagesPath, post, { origin: playground.origin })).status).toBe(201);
    expect((await ask('POST', messagesPath, post, { 'content-type': 'text/plain' })).status).toBe(415);
    const port = Number(new URL(playground.origin).port);
    const statusFor = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const request = httpRequest({ host: '127.0.0.1', port, path: '/chat/api/state', headers: { host } });
        request.on('response', (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        request.on('error', reject).end();
      });
    expect(await statusFor('rebound.example.com')).toBe(403);
    expect(await statusFor(`127.0.0.1:${port + 1}`)).toBe(403);
    expect(await statusFor(`localhost:${port}`)).toBe(200);
  });
});

describe('[PLY-1] the files of the chat page', () => {
  let folder: string;
  let playground: BorgeePlayground;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'angelia-web-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html>');
    writeFileSync(join(folder, 'assets', 'app.js'), 'export {};');
    writeFileSync(join(folder, 'assets', 'secret.pem'), 'x');
    writeFileSync(join(folder, 'outside.js'), 'x');
    symlinkSync('/etc/hostname', join(folder, 'assets', 'link.js'));
    playground = await BorgeePlayground.start({ webRoot: folder });
  });
  afterEach(async () => {
    await playground.close();
    rmSync(folder, { recursive: true });
  });

  it('are served with their types and under a policy that loads nothing foreign', async () => {
    const page = await fetch(`${playground.origin}/`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const script = await fetch(`${playground.origin}/assets/app.js`);
    expect([await script.text(), script.headers.get('content-type')]).toEqual([
      'export {};',
      'text/javascript; charset=utf-8',
    ]);
  });

  it.each([
    '/assets/none.js',
    '/assets/secret.pem',
    '/assets/link.js',
    '/assets/%2e%2e/outside.js',
    '/assets/%2e%2e%2foutside.js',
    '/assets/%',
    '/assets/',
  ])('are all that is served: %s is not there', async (path) => {
    const port = Number(new URL(playground.origin).port);
    const status = await new Promise((resolve) => {
      httpRequest({ host: '127.0.0.1', port, path }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end();
    });
    expect(status).toBe(404);
  });

  it('are missing without a folder', async () => {
    const bare = await BorgeePlayground.start();
    expect((await fetch(`${bare.origin}/`)).status).toBe(404);
    await bare.close();
  });
});
