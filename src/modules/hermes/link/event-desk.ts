// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AngeliaError, codeOf, ErrorCode } from '../../../common/errors.js';
import type { Telemetry } from '../../../common/telemetry.js';
import type { HermesEventHandler } from '../hermes-host.js';
import { answerJson, readJson, unavailable } from './http-exchange.js';
import type { LinkSession } from './link-session.js';
import type { LinkSessions } from './link-sessions.js';
import type { EventReply, ShimEvent } from './protocol.js';
import { type EventsRequest, readEvents } from './schemas.js';
import type { SerialQueue } from './serial-queue.js';

/** What the desk works with. */
export interface EventDeskParts {
  readonly maxBodyBytes: number;
  readonly sessions: LinkSessions;
  readonly queue: SerialQueue;
  readonly telemetry: Telemetry;
  readonly handler: () => HermesEventHandler;
  /** Hermes has said that it stops. */
  readonly onStopping: () => void;
}

/** Takes the numbered events of the shim and answers after their commit (docs/link.md, section 5). */
export class EventDesk {
  constructor(private readonly parts: EventDeskParts) {}

  /** `POST /link/v1/events` */
  async events(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { sessions, queue, maxBodyBytes } = this.parts;
    const session = sessions.require(request);
    const { events } = this.read(session, await readJson(request, maxBodyBytes));
    await queue.run(async () => {
      sessions.requireCurrent(session);
      await this.commit(session, events, response);
    });
  }

  /** An authentic shim that breaks the protocol is a fault of ours on one of the two sides: it is reported, by the field's name. */
  private read(session: LinkSession, body: unknown): EventsRequest {
    const { instance } = session.report;
    try {
      const request = readEvents(body);
      if (request.instance !== instance) throw new AngeliaError(ErrorCode.LinkRequestInvalid, { field: '/instance' });
      return request;
    } catch (error) {
      const field = error instanceof AngeliaError ? String(error.details['field']) : '';
      this.parts.telemetry.emit('error.unexpected', {
        where: 'link.events',
        code: codeOf(error),
        ids: { instance, field },
      });
      throw error;
    }
  }

  private async commit(session: LinkSession, events: readonly ShimEvent[], response: ServerResponse): Promise<void> {
    const { handler, telemetry, onStopping } = this.parts;
    const { instance } = session.report;
    // Known before the commit: every turn that is not handed over any more is one refusal less.
    if (events.some((event) => event.type === 'stopping')) onStopping();
    let replies: ReadonlyMap<number, EventReply>;
    try {
      replies = await handler().apply(instance, events);
    } catch (error) {
      const code = codeOf(error);
      if (code === ErrorCode.Internal)
        telemetry.emit('error.unexpected', { where: 'link.events', code, ids: { instance } });
      const { status, body } = unavailable(error);
      answerJson(response, status, body);
      return;
    }
    for (const event of events) if (event.type === 'result') session.pending.settle(event);
    answerJson(response, 200, { ack: events.at(-1)?.seq, replies: Object.fromEntries(replies) });
  }
}
