// SPDX-License-Identifier: Apache-2.0
import type { AngeliaError } from './errors.js';

/** Where a part reports an error after which the process has to end; the first one counts. */
export class FatalErrors {
  private resolve!: (error: AngeliaError) => void;
  /** Resolves with the first report. */
  readonly first = new Promise<AngeliaError>((resolve) => {
    this.resolve = resolve;
  });

  report(error: AngeliaError): void {
    this.resolve(error);
  }
}
