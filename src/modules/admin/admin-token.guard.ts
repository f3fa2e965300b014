// SPDX-License-Identifier: Apache-2.0
import { Inject, Injectable, UnauthorizedException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

export const ADMIN_TOKEN = Symbol('ADMIN_TOKEN');

/** Lets a request pass that carries the admin token as bearer; compared in constant time. */
@Injectable()
export class AdminTokenGuard implements CanActivate {
  private readonly expected: Buffer;

  constructor(@Inject(ADMIN_TOKEN) token: string) {
    this.expected = digest(`Bearer ${token}`);
  }

  canActivate(context: ExecutionContext): boolean {
    const { authorization } = context.switchToHttp().getRequest<FastifyRequest>().headers;
    if (!timingSafeEqual(digest(authorization ?? ''), this.expected)) throw new UnauthorizedException();
    return true;
  }
}

/** Digests have one length, so that the comparison tells nothing about the token's. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
