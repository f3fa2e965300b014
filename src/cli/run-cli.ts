// SPDX-License-Identifier: Apache-2.0
import { CommandFactory, CommandRunnerService } from 'nest-commander';
import { AngeliaError, ErrorCode } from '../common/errors.js';
import { CliResult } from './bridge-command.js';
import type { CliIo } from './cli-io.js';
import { CliModule } from './cli.module.js';
import { EXIT, exitCodeOf } from './exit-codes.js';

/** What commander throws for help and for usage errors, which it has already written. */
interface CommanderError extends Error {
  readonly code: string;
  readonly exitCode: number;
}

/**
 * Runs one command.
 * @param args without the program's name
 * @returns the exit code
 */
export async function runCli(args: readonly string[], io: CliIo): Promise<number> {
  const result = new CliResult();
  const rethrow = (error: Error): never => {
    throw error;
  };
  const app = await CommandFactory.createWithoutRunning(CliModule.forIo(io, result) as never, {
    logger: false,
    cliName: 'angelia',
    abortOnError: false,
    errorHandler: rethrow,
    serviceErrorHandler: rethrow,
    outputConfiguration: { writeOut: (text) => io.out(text), writeErr: (text) => io.err(text) },
  });
  try {
    await app.get(CommandRunnerService).run(['node', 'angelia', ...args]);
    return result.exitCode;
  } catch (error) {
    return fail(error, io);
  } finally {
    await app.close();
  }
}

function fail(error: unknown, io: CliIo): number {
  if (isCommanderError(error)) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const named = error instanceof AngeliaError ? error : new AngeliaError(ErrorCode.Internal, {}, error);
  io.err(`angelia: ${named.message}\n`);
  return exitCodeOf(named.code);
}

function isCommanderError(error: unknown): error is CommanderError {
  return (
    error instanceof Error && 'exitCode' in error && 'code' in error && String(error.code).startsWith('commander.')
  );
}
