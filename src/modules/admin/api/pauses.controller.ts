// SPDX-License-Identifier: Apache-2.0
import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { Pauses, type Pause } from '../../inbox/index.js';
import { type Caller, CurrentCaller } from '../access/caller.js';
import { Operation } from '../openapi/operation.js';
import { PausesAnswer } from './lanes.dto.js';

/** Pause and resume of everything that comes in, and of everything that starts (OPS-5). */
@Controller('api/v1')
export class PausesController {
  constructor(private readonly pauses: Pauses) {}

  @Get('pauses')
  @Operation({ summary: 'Says what is paused.', scope: 'read', answer: PausesAnswer, example: {} })
  list(): PausesAnswer {
    return { pauses: this.pauses.active };
  }

  @Post('intake/pause')
  @HttpCode(200)
  @Operation({
    summary: 'Closes the connection to the chat server.',
    description:
      'Its protocol has no replay: what people write until the intake is resumed never reaches the agent. To answer later, pause the dispatch.',
    scope: 'decide',
    answer: PausesAnswer,
    example: {},
  })
  pauseIntake(@CurrentCaller() caller: Caller): Promise<PausesAnswer> {
    return this.set('intake', true, caller);
  }

  @Post('intake/resume')
  @HttpCode(200)
  @Operation({
    summary: 'Opens the connection to the chat server again.',
    scope: 'decide',
    answer: PausesAnswer,
    example: {},
  })
  resumeIntake(@CurrentCaller() caller: Caller): Promise<PausesAnswer> {
    return this.set('intake', false, caller);
  }

  @Post('dispatch/pause')
  @HttpCode(200)
  @Operation({
    summary: 'Starts no further turn; messages are stored all the while.',
    description: 'Turns that run go on. Commands such as `/stop` wait, too.',
    scope: 'decide',
    answer: PausesAnswer,
    example: {},
  })
  pauseDispatch(@CurrentCaller() caller: Caller): Promise<PausesAnswer> {
    return this.set('dispatch', true, caller);
  }

  @Post('dispatch/resume')
  @HttpCode(200)
  @Operation({
    summary: 'Starts turns again, in the order of their messages.',
    scope: 'decide',
    answer: PausesAnswer,
    example: {},
  })
  resumeDispatch(@CurrentCaller() caller: Caller): Promise<PausesAnswer> {
    return this.set('dispatch', false, caller);
  }

  private async set(pause: Pause, on: boolean, { actor }: Caller): Promise<PausesAnswer> {
    return { pauses: await this.pauses.set(pause, on, actor) };
  }
}
