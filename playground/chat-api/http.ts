// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage, ServerResponse } from 'node:http';
import { WorldError, type WorldErrorCode } from '../borgee/world/index.js';

/** Largest JSON body that is read, bytes. */
export const BODY_LIMIT_BYTES = 256 * 1024;

/** Headers of every answer: nothing is cached, nothing foreign is loaded, no other page may show this one. */
const SAFE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** Codes of the chat API with their statuses; those of the world, and its own. */
const STATUSES = {
  author_unknown: 404,
  body_invalid: 400,
  body_too_large: 413,
  channel_unknown: 404,
  guild_unknown: 404,
  host_refused: 403,
  message_deleted: 409,
  message_unknown: 404,
  method_not_allowed: 405,
  not_a_member: 403,
  not_found: 404,
  not_the_author: 403,
  origin_refused: 403,
  parameter_invalid: 400,
  text_missing: 400,
  type_refused: 415,
} as const satisfies Readonly<Record<WorldErrorCode, number>> & Readonly<Record<string, number>>;

/** Code of a refusal of the chat API. */
export type ChatErrorCode = keyof typeof STATUSES;

/** A refusal of the chat API: `{"error": code}` with its status. */
export class ChatError extends Error {
  constructor(readonly code: ChatErrorCode) {
    super(`The chat API refuses: ${code}.`);
    this.name = 'ChatError';
  }
}

/**
 * Lets only this machine's own pages in: the Host names this port on loopback (no rebound name), and an Origin, if the browser sends
 * one, is the same.
 * @throws ChatError `host_refused`, `origin_refused`
 */
export function checkSource(request: IncomingMessage): void {
  const port = request.socket.localPort ?? 0;
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
  const { host, origin } = request.headers;
  if (host === undefined || !hosts.includes(host.toLowerCase())) throw new ChatError('host_refused');
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    throw new ChatError('origin_refused');
  }
}

/** Reads a JSON object. @throws ChatError `type_refused`, `body_too_large`, `body_invalid` */
export async function readJson(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  if (request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new ChatError('type_refused');
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_LIMIT_BYTES) throw new ChatError('body_too_large');
    chunks.push(chunk);
  }
  return parseObject(Buffer.concat(chunks).toString('utf8'));
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ChatError('body_invalid');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ChatError('body_invalid');
  return value as Readonly<Record<string, unknown>>;
}

/** A field that must be a text. @throws ChatError `body_invalid` */
export function textField(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw new ChatError('body_invalid');
  return value;
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { ...SAFE_HEADERS, 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(value));
}

/** Answers with bytes of a type. */
export function sendBytes(response: ServerResponse, type: string, bytes: Buffer): void {
  response.writeHead(200, { ...SAFE_HEADERS, 'content-type': type, 'content-length': bytes.length });
  response.end(bytes);
}

/** Begins an event stream. */
export function beginEvents(response: ServerResponse): void {
  response.writeHead(200, { ...SAFE_HEADERS, 'content-type': 'text/event-stream; charset=utf-8' });
}

/** Answers with the refusal of a thrown value; anything unknown is a fault of the playground and says only that. */
export function sendError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const known = error instanceof ChatError || error instanceof WorldError;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // What is left of a body that was refused is not read: the connection ends with the answer.
  if (!request.complete) response.setHeader('connection', 'close');
  sendJson(response, known ? STATUSES[error.code] : 500, { error: known ? error.code : 'internal' });
}
