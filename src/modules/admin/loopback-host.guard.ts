// SPDX-License-Identifier: Apache-2.0
import { ForbiddenException, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Names under which this machine calls itself. */
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Refuses requests that a foreign page could have caused: a Host that is not loopback (DNS rebinding), or a foreign Origin. */
@Injectable()
export class LoopbackHostGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { host, origin } = context.switchToHttp().getRequest<FastifyRequest>().headers;
    if (host === undefined || !LOOPBACK_NAMES.has(host.replace(/:\d+$/, '').toLowerCase()))
      throw new ForbiddenException();
    if (origin !== undefined && origin !== `http://${host}`) throw new ForbiddenException();
    return true;
  }
}
