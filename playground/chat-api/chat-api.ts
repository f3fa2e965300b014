// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Message, World } from '../borgee/world/index.js';
import { ChatError, checkSource, readJson, sendError, sendJson, textField } from './http.js';
import { LiveFeed } from './live-feed.js';
import { StaticFiles } from './static-files.js';
import { type AgentPresence, viewAgent, viewMessage, viewState } from './views.js';

/** What people do; the playground also tells the agent. */
export interface PeopleActions {
  say(channelId: string, authorId: string, body: string): Message;
  editMessage(messageId: string, body: string): Message;
  deleteMessage(messageId: string): Message;
}

export interface ChatApiOptions {
  readonly world: World;
  readonly agent: AgentPresence;
  readonly actions: PeopleActions;
  readonly webRoot?: string;
}

/** Messages of a page when the browser names no limit, and at most. */
const PAGE_LIMIT = 50;
const MAX_PAGE_LIMIT = 500;

type Route = (context: RouteContext) => void | Promise<void>;

interface RouteContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** The id in the path. */
  readonly id: string;
}

/** The HTTP interface of the chat page (playground/README.md): state, messages, what people do, and a live stream. */
export class ChatApi {
  private readonly feed = new LiveFeed();
  private readonly files: StaticFiles;
  private readonly stops: (() => void)[];
  private lastAgent = '';

  constructor(private readonly options: ChatApiOptions) {
    this.files = new StaticFiles(options.webRoot);
    this.stops = [
      options.world.onChange(({ kind, message }) => this.feed.tell(kind, viewMessage(message))),
      options.agent.onPresence(() => this.tellAgent()),
    ];
  }

  /** Answers a request of a browser, whatever it is; never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    this.route(request, response).catch((error: unknown) => sendError(request, response, error));
  }

  /** Ends the live streams. Idempotent. */
  close(): void {
    for (const stop of this.stops.splice(0)) stop();
    this.feed.close();
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    checkSource(request);
    const url = new URL(request.url ?? '/', 'http://playground');
    if (this.files.owns(url.pathname)) {
      if (request.method !== 'GET') throw new ChatError('method_not_allowed');
      return this.files.send(url.pathname, response);
    }
    const { route, id } = this.find(request.method ?? '', url.pathname);
    await route({ request, response, url, id });
  }

  /** @throws ChatError `not_found`, `method_not_allowed` */
  private find(method: string, path: string): { route: Route; id: string } {
    for (const [pattern, methods] of this.routes) {
      const match = pattern.exec(path);
      if (match === null) continue;
      const route = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (route === undefined) throw new ChatError('method_not_allowed');
      return { route, id: decodeId(match[1] ?? '') };
    }
    throw new ChatError('not_found');
  }

  private readonly routes: readonly (readonly [RegExp, Readonly<Record<string, Route>>])[] = [
    [/^\/chat\/api\/state$/, { GET: (context) => this.state(context) }],
    [/^\/chat\/api\/live$/, { GET: ({ request, response }) => this.feed.open(request, response) }],
    [
      /^\/chat\/api\/channels\/([^/]+)\/messages$/,
      { GET: (context) => this.page(context), POST: (context) => this.say(context) },
    ],
    [
      /^\/chat\/api\/messages\/([^/]+)$/,
      { PATCH: (context) => this.edit(context), DELETE: (context) => this.remove(context) },
    ],
  ];

  private state({ response }: RouteContext): void {
    sendJson(response, 200, viewState(this.options.world, this.options.agent));
  }

  private page({ response, url, id }: RouteContext): void {
    const limit = Number(url.searchParams.get('limit') ?? PAGE_LIMIT);
    if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_PAGE_LIMIT) throw new ChatError('parameter_invalid');
    const page = this.options.world.page(id, url.searchParams.get('before'), limit);
    sendJson(response, 200, { messages: page.messages.map(viewMessage), more: page.more });
  }

  private async say({ request, response, id }: RouteContext): Promise<void> {
    const body = await readJson(request);
    const message = this.options.actions.say(id, this.personId(textField(body, 'author_id')), textField(body, 'body'));
    sendJson(response, 201, viewMessage(message));
  }

  private async edit({ request, response, id }: RouteContext): Promise<void> {
    const body = await readJson(request);
    this.checkAuthor(id, textField(body, 'author_id'));
    sendJson(response, 200, viewMessage(this.options.actions.editMessage(id, textField(body, 'body'))));
  }

  private remove({ response, url, id }: RouteContext): void {
    this.checkAuthor(id, url.searchParams.get('author_id') ?? '');
    sendJson(response, 200, viewMessage(this.options.actions.deleteMessage(id)));
  }

  /** The chat page speaks for people only. */
  private personId(authorId: string): string {
    if (authorId === this.options.world.agent.id) throw new ChatError('author_unknown');
    return authorId;
  }

  private checkAuthor(messageId: string, authorId: string): void {
    if (this.options.world.message(messageId).authorId !== this.personId(authorId)) {
      throw new ChatError('not_the_author');
    }
  }

  /** Presence is told only when it differs. */
  private tellAgent(): void {
    const view = viewAgent(this.options.world, this.options.agent);
    const text = JSON.stringify(view);
    if (text === this.lastAgent) return;
    this.lastAgent = text;
    this.feed.tell('agent', view);
  }
}

function decodeId(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ChatError('parameter_invalid');
  }
}
