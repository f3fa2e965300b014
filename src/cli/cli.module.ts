// SPDX-License-Identifier: Apache-2.0
import { Module, type DynamicModule } from '@nestjs/common';
import { CliResult } from './bridge-command.js';
import { CLI_IO, type CliIo } from './cli-io.js';
import { LanesCommand, LanesDiscardCommand } from './commands/lanes.command.js';
import { PauseCommand, ResumeCommand } from './commands/pause.command.js';
import {
  ReceiptsCommand,
  ReceiptsDiscardCommand,
  ReceiptsListCommand,
  ReceiptsRequeueCommand,
  ReceiptsShowCommand,
} from './commands/receipts.command.js';
import { StatusCommand } from './commands/status.command.js';

/** The commands of `angelia`. */
@Module({})
export class CliModule {
  static forIo(io: CliIo, result: CliResult): DynamicModule {
    return {
      module: CliModule,
      providers: [
        { provide: CLI_IO, useValue: io },
        { provide: CliResult, useValue: result },
        LanesCommand,
        LanesDiscardCommand,
        PauseCommand,
        ReceiptsCommand,
        ReceiptsDiscardCommand,
        ReceiptsListCommand,
        ReceiptsRequeueCommand,
        ReceiptsShowCommand,
        ResumeCommand,
        StatusCommand,
      ],
    };
  }
}
