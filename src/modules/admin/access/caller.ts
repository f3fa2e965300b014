// SPDX-License-Identifier: Apache-2.0
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import type { AdminToken, Scope } from './admin-tokens.js';

/** Header in which a tool names the person who uses it; it is noted beside the token's name and proves nothing. */
const ACTOR_HEADER = 'angelia-actor';
/** What such a name may look like; anything else is left out of the audit trail. */
const ACTOR_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}$/;

/** Who sent a request, proven by its token. */
export class Caller {
  constructor(
    private readonly token: AdminToken,
    /** Name for the audit trail: the token's, and the one that the tool gave. */
    readonly actor: string,
  ) {}

  /** @throws AngeliaError `scope_missing` */
  require(scope: Scope): void {
    if (!this.token.scopes.has(scope))
      throw new AngeliaError(ErrorCode.ScopeMissing, { scope, token: this.token.name });
  }
}

const callers = new WeakMap<FastifyRequest, Caller>();

/** Notes who sent a request. */
export function identify(request: FastifyRequest, token: AdminToken): Caller {
  const named = request.headers[ACTOR_HEADER];
  const person = typeof named === 'string' && ACTOR_NAME.test(named) ? `:${named}` : '';
  const caller = new Caller(token, token.name + person);
  callers.set(request, caller);
  return caller;
}

/** @returns who sent the request. @throws AngeliaError when the guard has let it pass without a token */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new AngeliaError(ErrorCode.AdminTokenRefused);
  return caller;
}

/** Parameter of a handler: who sent the request. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
