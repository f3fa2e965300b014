// SPDX-License-Identifier: Apache-2.0
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AngeliaError, codeOf, ERROR_SENTENCES, ErrorCode } from '../../../common/errors.js';
import { LINK_PROTOCOL } from './protocol.js';

/** A refusal as the shim gets it: status and codes, names and sentences of ours, never content. */
export interface Refusal {
  readonly status: number;
  readonly body: object;
}

/** Statuses of the refusals that the link itself speaks. */
const STATUS: ReadonlyMap<ErrorCode, number> = new Map([
  [ErrorCode.LinkRequestInvalid, 400],
  [ErrorCode.LinkProofInvalid, 401],
  [ErrorCode.LinkSessionUnknown, 401],
  [ErrorCode.LinkShimAlreadyAttached, 409],
  [ErrorCode.LinkBodyTooLarge, 413],
]);

/** An error of the link by its own status; all else is `unavailable`. */
export function refusalOf(error: unknown): Refusal {
  const code = codeOf(error);
  if (code === ErrorCode.LinkProtocolUnsupported) return { status: 426, body: { code, supported: [LINK_PROTOCOL] } };
  const status = STATUS.get(code);
  if (status === undefined) return unavailable(error);
  return { status, body: status === 400 ? { code, field: detailOf(error, 'field') } : { code } };
}

/** 503: nothing is wrong with the request, it may be tried again. */
export function unavailable(error: unknown): Refusal {
  const code = codeOf(error);
  return { status: 503, body: { code, sentence: ERROR_SENTENCES[code] } };
}

/** 422: a setting is wrong and stays wrong until somebody changes it; it is named. */
export function wrongSetting(error: AngeliaError): Refusal {
  return {
    status: 422,
    body: { code: error.code, key: detailOf(error, 'key'), expected: detailOf(error, 'expected') },
  };
}

function detailOf(error: unknown, name: string): string | number | boolean | null {
  return error instanceof AngeliaError ? (error.details[name] ?? null) : null;
}

/**
 * Reads a request as JSON.
 * @param maxBytes most bytes that are kept; a longer body is read to its end without being kept, so that the answer can arrive
 * @throws AngeliaError `link_body_too_large`, `link_request_invalid` when it is not JSON in UTF-8 or the caller went away
 */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const body = await readBody(request, maxBytes);
  if (!isUtf8(body)) throw new AngeliaError(ErrorCode.LinkRequestInvalid, { field: 'body' });
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    // The parser's text quotes the body, so it is not kept as the cause.
    throw new AngeliaError(ErrorCode.LinkRequestInvalid, { field: 'body' });
  }
}

function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let bytes = Number(request.headers['content-length'] ?? 0) > maxBytes ? Infinity : 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) return void chunks.push(chunk);
      chunks = [];
      reject(new AngeliaError(ErrorCode.LinkBodyTooLarge, { limit: maxBytes }));
    });
    request.once('end', () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    );
    request.once('close', () => reject(new AngeliaError(ErrorCode.LinkRequestInvalid, { field: 'body' })));
  });
}

/** The connection was closed before an answer was given. */
export function callerHasGone(response: ServerResponse): boolean {
  return response.closed;
}

/** Answers with JSON; does nothing when the caller has gone. */
export function answerJson(response: ServerResponse, status: number, body: object): void {
  if (callerHasGone(response) || response.headersSent) return;
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
