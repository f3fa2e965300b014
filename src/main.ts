// SPDX-License-Identifier: Apache-2.0
import 'reflect-metadata';
import { AngeliaError, codeOf, ErrorCode } from './common/errors.js';
import { readServiceSettings } from './config/index.js';
import { startApplication, type RunningApplication } from './application.js';

/** Exit code for what a restart cannot mend (sysexits EX_CONFIG); the service manager does not restart on it. */
const EXIT_CONFIG = 78;
/** Exit code for everything else that ends the process. */
const EXIT_FAILURE = 1;

/** Errors that only a changed configuration mends. */
const CONFIGURATION_ERRORS: ReadonlySet<ErrorCode> = new Set([
  ErrorCode.ConfigInvalid,
  ErrorCode.LedgerIdentityMismatch,
  ErrorCode.LedgerMode,
  ErrorCode.LedgerCorrupt,
  ErrorCode.LedgerNotDurable,
  ErrorCode.LedgerTooNew,
  ErrorCode.ProfileLocked,
  ErrorCode.SecretFileMode,
]);

/** Says on standard error why the process ends. */
function fail(error: unknown): number {
  const sentence = error instanceof AngeliaError ? error.message : String(error instanceof Error ? error.stack : error);
  process.stderr.write(`angelia: ${sentence}\n`);
  return CONFIGURATION_ERRORS.has(codeOf(error)) ? EXIT_CONFIG : EXIT_FAILURE;
}

/** Stops at the first signal; a second one ends the wait for running turns. */
function stopOnSignals(application: RunningApplication): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0;
    const onSignal = (): void => {
      signals += 1;
      if (signals === 1) resolve();
      else application.bridge.hurry();
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
    process.on('SIGHUP', () => application.reload());
  });
}

async function main(): Promise<number> {
  const application = await startApplication(readServiceSettings());
  const fatal = await Promise.race([stopOnSignals(application).then(() => null), application.fatal]);
  await application.stop();
  return fatal === null ? 0 : fail(fatal);
}

process.exitCode = await main().catch(fail);
