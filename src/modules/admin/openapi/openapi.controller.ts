// SPDX-License-Identifier: Apache-2.0
import { Controller, Get } from '@nestjs/common';
import { Operation } from './operation.js';
import { OpenApi } from './openapi.js';

/** The description of the admin interface. */
@Controller('api/v1/openapi.json')
export class OpenApiController {
  constructor(private readonly openApi: OpenApi) {}

  @Get()
  @Operation({
    summary: 'Describes the admin interface by the OpenAPI standard.',
    scope: 'read',
    answer: 'json',
    example: {},
  })
  document(): Promise<object> {
    return this.openApi.document();
  }
}
