// SPDX-License-Identifier: Apache-2.0
import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AngeliaError, ERROR_SENTENCES, ErrorCode, type ErrorDetails } from '../../../common/errors.js';
import type { Telemetry } from '../../../common/telemetry.js';
import type { ErrorAnswer } from './error.dto.js';
import { ERROR_STATUS } from './error-status.js';

/** Header that names an unexpected error in the answer and in the log. */
const CORRELATION_HEADER = 'x-correlation-id';

/** Codes of errors that the framework finds itself, by HTTP status. */
const FRAMEWORK_CODES: ReadonlyMap<number, ErrorCode> = new Map([
  [404, ErrorCode.RouteUnknown],
  [413, ErrorCode.RequestTooLarge],
]);

/**
 * Answers every error in one form. What was not expected is a bare 500: its id stands in the answer and, with name and place but without its text,
 * in the log, since a text may hold content (SEC-1).
 */
@Catch()
export class AdminErrorFilter implements ExceptionFilter {
  constructor(private readonly telemetry: Telemetry) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    const known = recognised(error);
    if (known === null || known.code === ErrorCode.Internal) {
      const id = randomUUID();
      this.report(error, id, http.getRequest<FastifyRequest>());
      void reply.header(CORRELATION_HEADER, id);
      send(reply, ErrorCode.Internal, { correlation_id: id });
    } else send(reply, known.code, known.details);
  }

  private report(error: unknown, id: string, request: FastifyRequest): void {
    const name = error instanceof Error ? error.name : typeof error;
    const route = request.routeOptions.url ?? '';
    const ids = { correlation_id: id, name, place: placeOf(error), route };
    this.telemetry.emit('error.unexpected', { where: 'admin', code: ErrorCode.Internal, ids });
  }
}

function send(reply: FastifyReply, code: ErrorCode, details: ErrorDetails): void {
  const answer: ErrorAnswer = { code, sentence: ERROR_SENTENCES[code], details };
  if (code === ErrorCode.AdminTokenRefused) void reply.header('www-authenticate', 'Bearer realm="angelia"');
  void reply.status(ERROR_STATUS[code]).send(answer);
}

/** @returns code and details of an error that has a name, or null */
function recognised(error: unknown): { code: ErrorCode; details: ErrorDetails } | null {
  if (error instanceof AngeliaError) return error;
  const status = statusOf(error);
  if (status === null || status < 400 || status >= 500) return null;
  return { code: FRAMEWORK_CODES.get(status) ?? ErrorCode.RequestInvalid, details: {} };
}

/** Status of an error of Nest or Fastify. */
function statusOf(error: unknown): number | null {
  if (error instanceof HttpException) return error.getStatus();
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : null;
  return typeof status === 'number' ? status : null;
}

/** Function and line in which an error arose: its text is left out. */
function placeOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frame = stack.split('\n').find((line) => /^\s+at /.test(line));
  return frame?.replace(/^\s+at /, '').replace(/\(?(?:file:\/\/)?\/.*\/(?=[^/]+:\d+:\d+)/, '(') ?? '';
}
