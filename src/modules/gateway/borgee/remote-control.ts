// SPDX-License-Identifier: Apache-2.0
import { codeOf } from '../../../common/errors.js';
import type { Telemetry } from '../../../common/telemetry.js';
import type { InboundEvent, InboundHandler } from '../chat-server.js';
import type { Counters } from './counters.js';

/** What a sender of a remote-control message reads (bpp 3.6). */
export const REMOTE_CONTROL_REFUSAL = 'This agent does not take remote-control messages (session_message_unsupported).';

/** Refusals that are remembered, so that a redelivered message is not refused twice. */
const REMEMBERED = 1_024;

/** Sends one text to a channel. @returns the server's id. @throws SendError */
export type SendText = (message: { channelId: string; content: string; replyToId: string | null }) => Promise<string>;

/** Refuses remote-control messages once each; their receipt is on disk by then (bpp 3.6, rule `R`). */
export class RemoteControl {
  private readonly refused = new Set<string>();

  constructor(
    private readonly send: SendText,
    private readonly handler: InboundHandler,
    private readonly telemetry: Telemetry,
    private readonly counters: Counters,
  ) {}

  /**
   * Sends the refusal and has its id remembered for the echo filter. One that cannot be sent is left out: it is a courtesy, and the receipt tells
   * the operator.
   */
  async refuse(event: InboundEvent): Promise<void> {
    const key = `${event.channelId}\0${event.messageId}`;
    if (this.refused.has(key)) return;
    this.remember(key);
    try {
      const { channelId, messageId } = event;
      const sent = await this.send({ channelId, content: REMOTE_CONTROL_REFUSAL, replyToId: messageId });
      this.counters.add('remote_control_refusals');
      await this.handler.rememberOutbound(sent, channelId);
    } catch (error) {
      const ids = { messageId: event.messageId };
      this.telemetry.emit('error.unexpected', { where: 'gateway.remote_control', code: codeOf(error), ids });
    }
  }

  private remember(key: string): void {
    this.refused.add(key);
    const [oldest] = this.refused;
    if (this.refused.size > REMEMBERED && oldest !== undefined) this.refused.delete(oldest);
  }
}
