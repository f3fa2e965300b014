// SPDX-License-Identifier: Apache-2.0
import { ValidationPipe, type ValidationError } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import { MAX_LANE } from './lanes.dto.js';

/** Largest body of a request, bytes. */
const MAX_BODY_BYTES = 64 * 1024;
/** A character of a lane takes up to nine in an address. */
const MAX_PARAMETER = 9 * MAX_LANE;

/** @returns the HTTP server of the admin interface, with the bounds of its requests */
export function adminHttpAdapter(): FastifyAdapter {
  return new FastifyAdapter({ bodyLimit: MAX_BODY_BYTES, routerOptions: { maxParamLength: MAX_PARAMETER } });
}

/** @returns what checks every request against its class; a field that nobody described is refused */
export function requestValidation(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    exceptionFactory: (errors: ValidationError[]) => {
      const [first] = errors;
      const [rule = ''] = Object.values(first?.constraints ?? {});
      return new AngeliaError(ErrorCode.RequestInvalid, { field: first?.property ?? '', rule });
    },
  });
}
