// SPDX-License-Identifier: Apache-2.0
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import { LEDGER_STORE, Pauses, Remediation, Scheduler, type LaneView, type LedgerStore } from '../../inbox/index.js';
import { type Caller, CurrentCaller } from '../access/caller.js';
import { Operation } from '../openapi/operation.js';
import { ReasonBody } from './fields.js';
import { LaneDecisionAnswer, LanePage, LanePath, LanesQuery, PausesAnswer, type LaneAnswer } from './lanes.dto.js';
import { ageSeconds, decisionAnswer } from './receipt-views.js';

const LANE_EXAMPLE = { id: 'agent:main:borgee:channel:ch_general' };

/** Lanes, and what the operator does with one (ADM-1, OPS-5). */
@Controller('api/v1/lanes')
export class LanesController {
  constructor(
    private readonly scheduler: Scheduler,
    private readonly remediation: Remediation,
    private readonly pauses: Pauses,
    @Inject(LEDGER_STORE) private readonly store: LedgerStore,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Operation({
    summary: 'Lists the lanes in which something waits, runs or stands in the way, by name.',
    scope: 'read',
    answer: LanePage,
    example: { query: { stuck: true } },
  })
  async list(@Query() { stuck, cursor = '', limit }: LanesQuery): Promise<LanePage> {
    const lanes = this.scheduler
      .view()
      .filter((view) => view.lane > cursor && (!stuck || isStuck(view)))
      .sort((one, other) => (one.lane < other.lane ? -1 : 1));
    const page = lanes.slice(0, limit);
    return {
      lanes: await Promise.all(page.map((view) => this.answer(view))),
      next_cursor: lanes.length > limit ? (page.at(-1)?.lane ?? null) : null,
    };
  }

  @Post(':id/discard')
  @HttpCode(200)
  @Operation({
    summary: 'Discards every quarantined receipt of a lane.',
    description: 'Its Hermes session is reset first. The lane goes on with its next receipt.',
    scope: 'decide',
    answer: LaneDecisionAnswer,
    errors: [ErrorCode.LaneNotQuarantined, ErrorCode.LaneBusy, ErrorCode.SessionResetRefused],
    example: { path: LANE_EXAMPLE, body: { reason: 'The conversation is over.' } },
  })
  async discard(
    @Param() { id }: LanePath,
    @Body() { reason }: ReasonBody,
    @CurrentCaller() { actor }: Caller,
  ): Promise<LaneDecisionAnswer> {
    return { decisions: (await this.remediation.discardLane(id, { actor, reason })).map(decisionAnswer) };
  }

  @Post(':id/pause')
  @HttpCode(200)
  @Operation({
    summary: 'Pauses a lane: its receipts are stored and wait; a turn that runs goes on.',
    scope: 'decide',
    answer: PausesAnswer,
    errors: [ErrorCode.LaneUnknown],
    example: { path: LANE_EXAMPLE },
  })
  async pause(@Param() { id }: LanePath, @CurrentCaller() { actor }: Caller): Promise<PausesAnswer> {
    await this.requireKnown(id);
    return { pauses: await this.pauses.set(`lane:${id}`, true, actor) };
  }

  @Post(':id/resume')
  @HttpCode(200)
  @Operation({
    summary: 'Resumes a lane.',
    description: 'What it held because of its age runs, too; a session reset that is still due is tried again.',
    scope: 'decide',
    answer: PausesAnswer,
    errors: [ErrorCode.LaneUnknown],
    example: { path: LANE_EXAMPLE },
  })
  async resume(@Param() { id }: LanePath, @CurrentCaller() { actor }: Caller): Promise<PausesAnswer> {
    await this.requireKnown(id);
    const pauses = await this.pauses.set(`lane:${id}`, false, actor);
    await this.remediation.runDueResets();
    return { pauses };
  }

  /** A lane that was never seen is a typing error. */
  private async requireKnown(lane: string): Promise<void> {
    if (this.pauses.active.includes(`lane:${lane}`) || this.scheduler.view().some((view) => view.lane === lane)) return;
    if ((await this.store.listReceipts({ lane, limit: 1 })).length === 0) {
      throw new AngeliaError(ErrorCode.LaneUnknown, { lane });
    }
  }

  private async answer({ lane, waiting, head, blockers, paused, held, running }: LaneView): Promise<LaneAnswer> {
    const next = head === null ? null : await this.store.showReceipt(head, false);
    return {
      lane,
      waiting,
      head:
        head === null
          ? null
          : { ingest_seq: head, age_seconds: next === null ? null : ageSeconds(next.receivedAt, this.clock.now()) },
      blockers: blockers.map(({ ingestSeq, block }) => ({ ingest_seq: ingestSeq, reason: block })),
      paused,
      held,
      running: running.map(({ ingestSeq, kind }) => ({ ingest_seq: ingestSeq, kind })),
    };
  }
}

function isStuck({ block, paused, held }: LaneView): boolean {
  return block !== null || paused || held;
}
