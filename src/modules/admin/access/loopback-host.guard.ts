// SPDX-License-Identifier: Apache-2.0
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import { isLoopbackHost } from '../../../config/index.js';

/** Refuses requests that a foreign page could have caused: a Host that is not loopback (DNS rebinding), or a foreign Origin. */
@Injectable()
export class LoopbackHostGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { host, origin } = context.switchToHttp().getRequest<FastifyRequest>().headers;
    if (host === undefined || !isLoopbackHost(host.replace(/:\d+$/, '').toLowerCase())) throw refusal();
    if (origin !== undefined && origin !== `http://${host}`) throw refusal();
    return true;
  }
}

function refusal(): AngeliaError {
  return new AngeliaError(ErrorCode.HostRefused);
}
