// SPDX-License-Identifier: Apache-2.0
import 'reflect-metadata';
import { userInfo } from 'node:os';
import { runCli } from './cli/run-cli.js';
import { readClientStateDir } from './config/index.js';

process.exitCode = await runCli(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  stateDir: (options) => readClientStateDir(options),
  person: personOf(),
});

/** The user of the system; a user without a name in the system's list has none. */
function personOf(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}
