// SPDX-License-Identifier: Apache-2.0
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import { operationOf } from '../openapi/operation.js';
import type { AdminToken } from './admin-tokens.js';
import { identify } from './caller.js';

export const ADMIN_TOKENS = Symbol('ADMIN_TOKENS');

/**
 * Lets a request pass that carries a token with the scope of its operation as bearer; compared in constant time, with every token. A handler
 * without a described operation is reached by nobody.
 */
@Injectable()
export class AdminTokenGuard implements CanActivate {
  private readonly expected: readonly { readonly token: AdminToken; readonly digest: Buffer }[];

  constructor(@Inject(ADMIN_TOKENS) tokens: readonly AdminToken[]) {
    this.expected = tokens.map((token) => ({ token, digest: digest(`Bearer ${token.secret}`) }));
  }

  canActivate(context: ExecutionContext): boolean {
    const operation = operationOf(context.getHandler());
    if (operation?.scope === 'open') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const given = digest(request.headers.authorization ?? '');
    const matches = this.expected.filter((one) => timingSafeEqual(one.digest, given));
    const token = matches[0]?.token;
    if (token === undefined || operation === undefined) throw new AngeliaError(ErrorCode.AdminTokenRefused);
    identify(request, token).require(operation.scope);
    return true;
  }
}

/** Digests have one length, so that the comparison tells nothing about the token's. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
