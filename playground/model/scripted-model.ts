// SPDX-License-Identifier: Apache-2.0
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ModelClosedEntry,
  type ModelEntry,
  type ModelRequestEntry,
  type Recorded,
  Recorder,
} from '../record/index.js';
import { CompletionWriter, sendJson } from './completion-writer.js';
import { defaultAnswer } from './default-answers.js';
import { Holds } from './holds.js';
import { type CompletionRequest, type ModelMessage, readCompletion, textsOf } from './messages.js';
import { ScriptBook } from './script-book.js';
import { type ModelStep, piecesOf, toolCallsOf } from './steps.js';

/** The name under which the scripted model is asked for; any other name is answered as well. */
export const SCRIPTED_MODEL_NAME = 'scripted-model';

/** Largest request body, bytes. */
const BODY_LIMIT_BYTES = 64 * 1024 * 1024;

/** Answer to requests without tools: Hermes asks for the title of a session that way. */
const TITLE = 'A talk at the harbour';

/** Holds of requests without a tag. */
const NO_TAG = '';

export interface ScriptedModelOptions {
  /** Port on 127.0.0.1; default: 0, the system chooses. */
  readonly port?: number;
  /** Default: a record in memory, which then ends with the model; a given one stays open. */
  readonly recorder?: Recorder<ModelEntry>;
  /** Pause between the words of an answer without a script, ms; default: 0. */
  readonly delayMs?: number;
}

/** A request at the model. */
export type ModelRequest = Recorded<ModelRequestEntry> & {
  readonly messages: readonly ModelMessage[];
  /** How its connection ended, or null while it is open. */
  closed: Recorded<ModelClosedEntry> | null;
};

/** One request and its answer on their way. */
interface Exchange {
  readonly request: ModelRequest;
  readonly completion: CompletionRequest;
  readonly writer: CompletionWriter;
  readonly response: ServerResponse;
  /** Aborts when the client has gone or the answer is complete. */
  readonly signal: AbortSignal;
}

/**
 * A model behind OpenAI's chat completions on 127.0.0.1 that answers by scripts (running-hermes 5). A script is chosen by `[[tag]]` in
 * the user's text; without one the answer is friendly and repeats something of the message. Every request stands in its record.
 */
export class ScriptedModel {
  readonly recorder: Recorder<ModelEntry>;
  /** Every completion request, in order of arrival. */
  readonly requests: ModelRequest[] = [];
  private readonly scripts = new ScriptBook();
  private readonly holds = new Holds();
  private readonly server: Server;
  private readonly ownsRecorder: boolean;
  private readonly delayMs: number;
  private count = 0;

  private constructor(options: ScriptedModelOptions) {
    this.ownsRecorder = options.recorder === undefined;
    this.recorder = options.recorder ?? new Recorder<ModelEntry>();
    this.delayMs = options.delayMs ?? 0;
    this.server = createServer((request, response) => {
      this.handle(request, response).catch(() => response.destroy());
    });
  }

  /** Starts a model. @throws the system's error when the port is taken */
  static async start(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
    const model = new ScriptedModel(options);
    await new Promise<void>((resolve, reject) => {
      model.server.once('error', reject);
      model.server.listen(options.port ?? 0, '127.0.0.1', resolve);
    });
    return model;
  }

  /** `base_url` for Hermes: `http://127.0.0.1:<port>/v1`. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** Requests of turns, without titles. */
  get chats(): readonly ModelRequest[] {
    return this.requests.filter((request) => request.kind === 'chat');
  }

  /** Sets the answers for messages with `[[tag]]`. */
  script(tag: string, steps: readonly ModelStep[]): void {
    this.scripts.set(tag, steps);
  }

  /** Lets the held steps of a tag go on; wait for them with `waitForHold`. @returns how many waited */
  release(tag: string): number {
    return this.holds.release(tag);
  }

  /** Waits for a request; one that is there already counts. @throws Error after `timeoutMs` */
  async waitFor(
    match: (request: ModelRequest) => boolean,
    timeoutMs = 30_000,
    label = 'a request at the model',
  ): Promise<ModelRequest> {
    const isMatch = (entry: Recorded<ModelEntry>): boolean => {
      const request = this.requests.find((each) => each.n === entry.n);
      return request !== undefined && match(request);
    };
    const entry = await this.recorder.waitFor(isMatch, timeoutMs, label);
    return this.requestOf((each) => each.n === entry.n);
  }

  /** Waits until a step of this tag is held. @throws Error after `timeoutMs` */
  async waitForHold(tag: string, timeoutMs = 30_000): Promise<ModelRequest> {
    const isHeld = (entry: Recorded<ModelEntry>): boolean => entry.kind === 'held' && entry.tag === tag;
    const entry = await this.recorder.waitFor(isHeld, timeoutMs, `a held step of ${tag}`);
    return this.requestOf((each) => entry.kind === 'held' && each.request === entry.request);
  }

  /** Waits until the connection of a request has ended. @throws Error after `timeoutMs` */
  async waitForClosed(request: ModelRequest, timeoutMs = 30_000): Promise<ModelRequest> {
    const isClosed = (entry: Recorded<ModelEntry>): boolean =>
      entry.kind === 'closed' && entry.request === request.request;
    await this.recorder.waitFor(isClosed, timeoutMs, `the end of request ${request.request}`);
    return request;
  }

  /** Ends the model and every open request. Idempotent. */
  async close(): Promise<void> {
    this.holds.releaseAll();
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
    if (this.ownsRecorder) await this.recorder.close();
    else await this.recorder.flush();
  }

  private requestOf(match: (request: ModelRequest) => boolean): ModelRequest {
    const request = this.requests.find(match);
    if (request === undefined) throw new Error('The record names a request that is not there.');
    return request;
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (incoming.url ?? '').split('?')[0] ?? '';
    const body = await readBody(incoming);
    if (incoming.method === 'POST' && path === '/v1/chat/completions') return this.complete(incoming, response, body);
    const request = this.note(incoming, readCompletion(null), 'probe', null, null);
    this.noteEnd(request, response, () => '');
    if (incoming.method === 'GET' && path === '/v1/models') {
      const model = { id: SCRIPTED_MODEL_NAME, object: 'model', created: 0, owned_by: 'playground' };
      sendJson(response, 200, { object: 'list', data: [model] });
      return;
    }
    sendJson(response, 404, { error: { message: 'Not here.', type: 'not_found' } });
  }

  private async complete(incoming: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const completion = readCompletion(body);
    const kind = completion.tools.length === 0 ? 'aux' : 'chat';
    const chosen = kind === 'chat' ? this.scripts.choose(completion.messages) : null;
    const request = this.note(incoming, completion, kind, chosen?.tag ?? null, chosen?.index ?? null);
    const writer = new CompletionWriter(response, request.request, SCRIPTED_MODEL_NAME, completion.stream);
    const signal = this.noteEnd(request, response, () => writer.written);
    const unscripted = kind === 'aux' ? { text: TITLE } : defaultAnswer(completion, this.delayMs);
    await this.answer({ request, completion, writer, response, signal }, chosen?.step ?? unscripted);
  }

  private async answer({ request, writer, response, signal }: Exchange, step: ModelStep): Promise<void> {
    const isGone = (): boolean => signal.aborted;
    if (step.hold === true) await this.held(request, signal);
    await pause(step.firstDelayMs, signal);
    if (isGone()) return;
    if (step.status !== undefined) {
      writer.error(step.status, step.error ?? 'The script says so.');
      return;
    }
    writer.begin();
    for (const [index, piece] of piecesOf(step).entries()) {
      writer.piece(piece);
      await pause(step.delayMs, signal);
      if (step.holdAfter === index + 1) await this.held(request, signal);
      if (isGone()) return;
    }
    if (step.cut === true) response.destroy();
    else writer.end(toolCallsOf(step));
  }

  private async held(request: ModelRequest, signal: AbortSignal): Promise<void> {
    const released = this.holds.wait(request.tag ?? NO_TAG, signal);
    this.recorder.append({ kind: 'held', request: request.request, tag: request.tag });
    await released;
  }

  private note(
    incoming: IncomingMessage,
    completion: CompletionRequest,
    kind: ModelRequestEntry['kind'],
    tag: string | null,
    step: number | null,
  ): ModelRequest {
    const { messages, tools, stream } = completion;
    const user = textsOf(messages, 'user');
    const entry: ModelRequestEntry = {
      kind,
      request: ++this.count,
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      stream,
      tag,
      step,
      system: textsOf(messages, 'system').join('\n\n'),
      user,
      last_user: user.at(-1) ?? '',
      last_role: messages.at(-1)?.role ?? null,
      tools,
    };
    // The request is in the list before the record tells anyone of it.
    const recorded = this.recorder.append(entry, (stamped) =>
      this.requests.push({ ...stamped, messages, closed: null }),
    );
    return this.requestOf((each) => each.n === recorded.n);
  }

  /** Notes the end of the connection. @returns a signal that aborts then */
  private noteEnd(request: ModelRequest, response: ServerResponse, written: () => string): AbortSignal {
    const ended = new AbortController();
    response.on('close', () => {
      const { request: number } = request;
      const { writableFinished: complete, statusCode: status } = response;
      const entry: ModelClosedEntry = { kind: 'closed', request: number, status, complete, text: written() };
      this.recorder.append(entry, (stamped) => (request.closed = stamped));
      ended.abort();
    });
    return ended.signal;
  }
}

/** Reads a JSON body; anything else counts as none. @throws Error when it is too large */
async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_LIMIT_BYTES) throw new Error('The request body is too large.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return null;
  }
}

/** Waits, but not longer than the client does. */
async function pause(ms: number | undefined, signal: AbortSignal): Promise<void> {
  if (ms === undefined || ms <= 0) return;
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
