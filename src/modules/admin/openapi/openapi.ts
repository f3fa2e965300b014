// SPDX-License-Identifier: Apache-2.0
import type { INestApplicationContext } from '@nestjs/common';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';

/** Builds the OpenAPI document once, when it is first asked for. */
export class OpenApi {
  private app: INestApplicationContext | null = null;
  private built: Promise<object> | null = null;

  /** Names the application whose controllers are described. */
  serve(app: INestApplicationContext): void {
    this.app = app;
  }

  /** @throws AngeliaError `internal` before the application is named */
  document(): Promise<object> {
    this.built ??= this.build();
    return this.built;
  }

  private async build(): Promise<object> {
    if (this.app === null) throw new AngeliaError(ErrorCode.Internal);
    const { buildOpenApiDocument } = await import('./document.js');
    return buildOpenApiDocument(this.app);
  }
}
