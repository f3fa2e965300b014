// SPDX-License-Identifier: Apache-2.0
import { Inject } from '@nestjs/common';
import { CommandRunner, Option } from 'nest-commander';
import { AdminClient } from './admin-client.js';
import { positive } from './arguments.js';
import { CLI_IO, type CliIo } from './cli-io.js';
import { EXIT } from './exit-codes.js';

/** Longest wait for an answer of the bridge, in seconds. */
const DEFAULT_TIMEOUT_SECONDS = 30;

/** Options that every command takes. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly home?: string;
  readonly stateDir?: string;
  readonly timeout?: number;
}

type CommanderCommand = Parameters<CommandRunner['setCommand']>[0];

/** Usage errors are thrown, not answered by the end of the process in the middle of something; nothing that is too much is passed over. */
function strict(command: CommanderCommand): CommanderCommand {
  return command.exitOverride().allowExcessArguments(false);
}

/** What a command leaves behind for the end of the process. */
export class CliResult {
  exitCode: number = EXIT.done;
}

/** A command that asks the running bridge. */
export abstract class BridgeCommand extends CommandRunner {
  constructor(
    @Inject(CLI_IO) protected readonly io: CliIo,
    protected readonly result: CliResult,
  ) {
    super();
  }

  override setCommand(command: CommanderCommand): this {
    return super.setCommand(strict(command));
  }

  @Option({ flags: '--json', description: 'print the answer of the bridge as JSON' })
  parseJson(): boolean {
    return true;
  }

  @Option({ flags: '--home <folder>', description: 'the Hermes profile; default: ANGELIA_HERMES_HOME' })
  parseHome(value: string): string {
    return value;
  }

  @Option({
    flags: '--state-dir <folder>',
    description: 'the state folder; default: ANGELIA_STATE_DIR, or that of the profile',
  })
  parseStateDir(value: string): string {
    return value;
  }

  @Option({
    flags: '--timeout <seconds>',
    description: 'longest wait for an answer',
    defaultValue: DEFAULT_TIMEOUT_SECONDS,
  })
  parseTimeout(value: string): number {
    return positive('--timeout', value);
  }

  /** The bridge that the options name. */
  protected client({ home, stateDir, timeout = DEFAULT_TIMEOUT_SECONDS }: CommonOptions): AdminClient {
    return new AdminClient(this.io.stateDir({ home, stateDir }), this.io.person, timeout * 1000);
  }

  /** Prints an answer: as JSON, or as people read it. */
  protected print<T>(options: CommonOptions, answer: T, readable: (answer: T) => string): void {
    this.io.out(options.json === true ? `${JSON.stringify(answer, null, 2)}\n` : readable(answer));
  }
}

/** Options of a decision. */
export interface ReasonedOptions extends CommonOptions {
  readonly reason: string;
}

/** A command whose reason stands in the audit trail. */
export abstract class ReasonedCommand extends BridgeCommand {
  @Option({ flags: '--reason <text>', description: 'why; stands in the audit trail', required: true })
  parseReason(value: string): string {
    return value;
  }
}

/** A command that only groups others: by itself it tells what they are. */
export abstract class GroupCommand extends CommandRunner {
  override setCommand(command: CommanderCommand): this {
    return super.setCommand(strict(command));
  }

  override run(): Promise<void> {
    return this.command.help();
  }
}
