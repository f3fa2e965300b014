// SPDX-License-Identifier: Apache-2.0
import { AngeliaError, codeOf, ErrorCode } from '../../common/errors.js';
import type { Telemetry } from '../../common/telemetry.js';
import type { HermesHost, StartReply } from '../hermes/index.js';
import {
  slashCommand,
  type ClaimedReceipt,
  type LedgerStore,
  type Scheduler,
  type TurnRunner,
  type WorkKind,
} from '../inbox/index.js';
import { safeAuthorName } from './author-name.js';
import type { ControlDeadlines } from './control-deadlines.js';
import type { HostEvents } from './host-events.js';
import { commandRefusedNotice, NOT_TAKEN_NOTICE } from './notices.js';
import { turnPrompt } from './turn-prompt.js';

/** Slash commands that a channel may use; every other one is refused with a sentence. */
export const CHANNEL_COMMANDS: readonly string[] = ['new', 'reset', 'status', 'stop', 'queue', 'q', 'help'];
/** The shim's code for a turn that no later try can hand over. */
const UNFIT = 'bad_request';
/** The shim's code for a control whose session went idle meanwhile: it waits for its place in the line (SCH-3). */
const NOT_ACTIVE = 'not_active';
/** Rest of a lane after Hermes did not take its turn, in ms. */
const REFUSED_REST_MS = 500;

/** Hands claimed turns to Hermes (architecture, section 1). */
export class HermesTurnRunner implements TurnRunner {
  constructor(
    private readonly store: LedgerStore,
    private readonly scheduler: Scheduler,
    private readonly host: HermesHost,
    private readonly events: HostEvents,
    private readonly deadlines: ControlDeadlines,
    private readonly telemetry: Telemetry,
  ) {}

  /** Never rejects: an unexpected error leaves the claim for the next reconciliation, visibly. */
  async run(receipt: ClaimedReceipt, mayHandOver: () => boolean, kind: WorkKind): Promise<void> {
    try {
      await this.handOver(receipt, mayHandOver, kind);
    } catch (error) {
      if (codeOf(error) === ErrorCode.LinkDetached) return;
      this.telemetry.emit('error.unexpected', {
        where: 'turn.hand_over',
        code: codeOf(error),
        ids: { ingestSeq: receipt.ingestSeq },
      });
    }
  }

  private async handOver(receipt: ClaimedReceipt, mayHandOver: () => boolean, kind: WorkKind): Promise<void> {
    const isCommand = receipt.body.startsWith('/');
    const name = slashCommand(receipt.body);
    if (name !== null && !CHANNEL_COMMANDS.includes(name)) return this.refuse(receipt);
    if (!mayHandOver()) return;
    if (isCommand && !(await this.store.markStarted(receipt.claim))) return;
    if (!mayHandOver()) return;
    if (kind === 'urgent') this.events.stopRequested(receipt.lane);
    if (kind !== 'ordinary') this.deadlines.watch(receipt);
    const reply = await this.host.startTurn(startOf(receipt, isCommand, kind !== 'ordinary'));
    if (reply.taken) this.scheduler.activated(receipt.claim);
    else await this.notTaken(receipt, reply);
  }

  /** Ends a command that channels may not use. */
  private async refuse(receipt: ClaimedReceipt): Promise<void> {
    await this.events.end(receipt.claim, {
      to: 'completed',
      outcome: ErrorCode.CommandRefused,
      errorCode: ErrorCode.CommandRefused,
      notice: [commandRefusedNotice(CHANNEL_COMMANDS)],
    });
  }

  /** The shim said that Hermes has not got the turn: back to pending, or failed when it never could. */
  private async notTaken(receipt: ClaimedReceipt, reply: Extract<StartReply, { taken: false }>): Promise<void> {
    const outcome = `not_taken_${reply.code}`;
    if (reply.code === UNFIT) {
      const errorCode = ErrorCode.HermesStartRefused;
      await this.events.end(receipt.claim, { to: 'failed', outcome, errorCode, notice: [NOT_TAKEN_NOTICE] });
      return;
    }
    const result = await this.store.endClaim(receipt.claim, { to: 'pending', outcome, disproved: true });
    if (result.status !== 'applied')
      throw new AngeliaError(ErrorCode.HermesStartRefused, { ingestSeq: receipt.ingestSeq });
    this.telemetry.emit('receipt.released', {
      ingestSeq: receipt.ingestSeq,
      lane: receipt.lane,
      claim: receipt.claim,
      reason: outcome,
    });
    if (reply.code === NOT_ACTIVE) this.scheduler.deactivated(receipt.lane);
    this.scheduler.released(receipt.claim, reply.code === NOT_ACTIVE ? 0 : REFUSED_REST_MS);
  }
}

/** The command for the shim. */
function startOf(receipt: ClaimedReceipt, command: boolean, bypass: boolean): Parameters<HermesHost['startTurn']>[0] {
  return {
    admission: receipt.claim,
    chat: {
      id: receipt.channelId,
      type: receipt.channelType,
      name: receipt.channelId,
      thread_id: null,
    },
    author: { id: receipt.authorId, name: safeAuthorName(receipt.authorName, receipt.authorId) },
    message_id: receipt.messageId,
    text: receipt.body,
    prompt: turnPrompt(receipt),
    sent_at: receipt.sourceCreatedAt,
    command,
    bypass,
    clean: receipt.released,
  };
}
