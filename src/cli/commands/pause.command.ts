// SPDX-License-Identifier: Apache-2.0
import { Command } from 'nest-commander';
import { AngeliaError, ErrorCode } from '../../common/errors.js';
import type { PausesAnswer } from '../../modules/admin/index.js';
import { only } from '../arguments.js';
import { BridgeCommand, type CommonOptions } from '../bridge-command.js';
import { pausesText } from '../views.js';

/** Pause and resume differ by one word. */
abstract class PauseOrResume extends BridgeCommand {
  protected abstract readonly verb: 'pause' | 'resume';

  override async run([what = '', ...rest]: string[], options: CommonOptions): Promise<void> {
    const path = `/api/v1/${target(what, rest)}/${this.verb}`;
    const { body } = await this.client(options).ask<PausesAnswer>({ method: 'POST', path });
    this.print(options, body, pausesText);
  }
}

@Command({
  name: 'pause',
  arguments: '<what> [lane]',
  argsDescription: { what: 'intake, dispatch or lane', lane: 'session key of Hermes, with `lane`' },
  description: 'close the connection to the chat server, start no further turn, or stop one lane',
})
export class PauseCommand extends PauseOrResume {
  protected override readonly verb = 'pause';
}

@Command({
  name: 'resume',
  arguments: '<what> [lane]',
  argsDescription: { what: 'intake, dispatch or lane', lane: 'session key of Hermes, with `lane`' },
  description: 'end a pause; a lane that is held goes on',
})
export class ResumeCommand extends PauseOrResume {
  protected override readonly verb = 'resume';
}

/** @throws AngeliaError `request_invalid` */
function target(what: string, rest: readonly string[]): string {
  if (what === 'lane') return `lanes/${encodeURIComponent(only('LANE', rest))}`;
  if ((what !== 'intake' && what !== 'dispatch') || rest.length > 0) {
    throw new AngeliaError(ErrorCode.RequestInvalid, { field: 'WHAT', expected: 'intake, dispatch, or lane LANE' });
  }
  return what;
}
