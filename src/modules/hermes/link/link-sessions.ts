// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../../common/clock.js';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import type { CommandStream, StreamEnd } from './command-stream.js';
import { LinkSession } from './link-session.js';
import type { AttachReport } from './protocol.js';

/** Hears of sessions whose command stream opens and ends. */
export interface SessionListener {
  opened(session: LinkSession): void;
  ended(session: LinkSession, reason: StreamEnd): void;
}

/** The one session of the link: at most one Hermes process is served at a time (HST-5). */
export class LinkSessions {
  private session: LinkSession | null = null;
  private closed = false;

  /** @param openTimeoutMs an accepted shim has this time to open its command stream */
  constructor(
    private readonly clock: Clock,
    private readonly openTimeoutMs: number,
    private readonly listener: SessionListener,
  ) {}

  /** The session whose command stream is open. */
  get live(): (LinkSession & { readonly stream: CommandStream }) | null {
    return this.session !== null && hasStream(this.session) ? this.session : null;
  }

  /** True while a shim is accepted, with a command stream or still without. */
  get isTaken(): boolean {
    return this.session !== null;
  }

  /** @returns the session that a request proves. @throws AngeliaError `link_session_unknown` */
  require(request: IncomingMessage): LinkSession {
    if (this.session?.isProvenBy(request.headers.authorization) !== true) {
      throw new AngeliaError(ErrorCode.LinkSessionUnknown);
    }
    return this.session;
  }

  /** @throws AngeliaError `link_session_unknown` when the session has ended meanwhile */
  requireCurrent(session: LinkSession): void {
    if (this.session !== session) throw new AngeliaError(ErrorCode.LinkSessionUnknown);
  }

  /**
   * Makes sure that no other shim is attached. A process that attaches anew has given its old stream up, whether its end was seen or not: that
   * one is ended first.
   * @throws AngeliaError `link_shim_already_attached`
   */
  makeRoomFor(instance: string): void {
    if (this.session === null) return;
    if (this.session.report.instance !== instance) throw new AngeliaError(ErrorCode.LinkShimAlreadyAttached);
    this.end(this.session, 'replaced');
  }

  /** An attach is accepted. @throws AngeliaError `link_detached` when the link closes */
  begin(report: AttachReport, token: string): void {
    if (this.closed) throw new AngeliaError(ErrorCode.LinkDetached);
    const session = new LinkSession(report, token, this.clock.now());
    session.openTimer = this.clock.schedule(this.openTimeoutMs, () => this.end(session, 'closed'));
    this.session = session;
  }

  /**
   * The command stream is there; the session ends with it.
   * @param makeStream gets what is to be called at the end of the stream
   * @throws AngeliaError `link_shim_already_attached` for a second stream
   */
  open(session: LinkSession, makeStream: (onEnd: (reason: StreamEnd) => void) => CommandStream): void {
    if (session.stream !== null) throw new AngeliaError(ErrorCode.LinkShimAlreadyAttached);
    session.openTimer?.cancel();
    session.stream = makeStream((reason) => this.end(session, reason));
    this.listener.opened(session);
  }

  /** Ends the session and accepts no further one. */
  close(): void {
    this.closed = true;
    if (this.session !== null) this.end(this.session, 'bridge_closing');
  }

  private end(session: LinkSession, reason: StreamEnd): void {
    if (this.session !== session) return;
    this.session = null;
    session.openTimer?.cancel();
    session.stream?.end(reason);
    session.pending.rejectAll(reason);
    if (session.stream !== null) this.listener.ended(session, reason);
  }
}

function hasStream(session: LinkSession): session is LinkSession & { readonly stream: CommandStream } {
  return session.stream !== null;
}
