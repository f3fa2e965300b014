// SPDX-License-Identifier: Apache-2.0
import type { ClientOptions } from '../config/index.js';

/** What a command touches outside of itself. */
export interface CliIo {
  out(text: string): void;
  err(text: string): void;
  /** Folder in which the bridge has left its address and tokens. @throws AngeliaError `config_invalid` */
  stateDir(options: ClientOptions): string;
  /** Name of the person at the terminal, for the audit trail; empty when nobody knows. */
  readonly person: string;
}
export const CLI_IO = Symbol('CLI_IO');
