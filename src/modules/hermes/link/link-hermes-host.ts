// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AngeliaError, codeOf, ErrorCode } from '../../../common/errors.js';
import { newNonce } from '../../../common/ids.js';
import { Lifecycle } from '../../../common/lifecycle.js';
import type { HermesEventHandler, HermesHost, HermesHostStatus, StartReply } from '../hermes-host.js';
import { AttachDesk } from './attach-desk.js';
import { CommandStream, type StreamEnd } from './command-stream.js';
import { EventDesk } from './event-desk.js';
import { LinkFile } from './link-file.js';
import { LINK_LIMITS, type LinkHostOptions, type LinkLimits } from './link-options.js';
import { LinkRefusals } from './link-refusals.js';
import { LinkServer } from './link-server.js';
import type { LinkSession } from './link-session.js';
import { LinkSessions } from './link-sessions.js';
import { NonceTable } from './nonce-table.js';
import type { AdmissionSnapshot, LinkCommand, ResultEvent, StartCommand } from './protocol.js';
import { SerialQueue } from './serial-queue.js';

/** Code of a turn that the link itself cannot carry; the shim says the same of one that it cannot read. */
const BAD_REQUEST = 'bad_request';

/**
 * Hermes behind the link of docs/link.md: the bridge listens on the loopback, the shim dials (HST-10, HST-11).
 *
 * `setHandler()` comes before `listen()`. The link is one of: closed, waiting for a shim, accepted (a shim proved itself and was accepted, its
 * command stream is awaited for a bounded time), attached. Commands are possible only while attached; a command whose stream ends before its
 * result is rejected with `link_detached`, and the next attach tells what became of it.
 */
export class LinkHermesHost extends Lifecycle implements HermesHost {
  private readonly limits: LinkLimits;
  private readonly secret = newNonce();
  private readonly queue = new SerialQueue();
  private readonly refusals: LinkRefusals;
  private readonly sessions: LinkSessions;
  private readonly linkFile: LinkFile;
  private readonly server: LinkServer;
  private handler: HermesEventHandler | undefined;
  private hermesStops = false;
  private inquiries = 0;

  constructor(private readonly options: LinkHostOptions) {
    super();
    const { clock, telemetry } = options;
    this.limits = { ...LINK_LIMITS, ...options.limits };
    this.refusals = new LinkRefusals(telemetry);
    this.linkFile = new LinkFile(options.linkFile, options.linkFileMode);
    this.sessions = new LinkSessions(clock, this.limits.link_stream_open_timeout_ms, {
      opened: (session) => this.onOpened(session),
      ended: (session, reason) => this.onEnded(session, reason),
    });
    const handler = (): HermesEventHandler => this.requireHandler();
    const { limits, queue, sessions } = this;
    const attaches = new AttachDesk({
      secret: this.secret,
      nonces: new NonceTable(clock, limits.link_nonce_ttl_ms, limits.link_nonce_capacity),
      refusals: this.refusals,
      limits,
      queue,
      sessions,
      telemetry,
      handler,
    });
    const events = new EventDesk({
      maxBodyBytes: limits.link_max_body_bytes,
      onStopping: () => (this.hermesStops = true),
      queue,
      sessions,
      telemetry,
      handler,
    });
    const routes = new Map([
      ['POST /link/v1/challenge', attaches.challenge.bind(attaches)],
      ['POST /link/v1/attach', attaches.attach.bind(attaches)],
      ['POST /link/v1/events', events.events.bind(events)],
      ['GET /link/v1/commands', this.openCommands.bind(this)],
    ]);
    this.server = new LinkServer(options, limits, routes, telemetry);
  }

  /** Names who answers the link; before `listen()`. */
  setHandler(handler: HermesEventHandler): void {
    this.handler = handler;
  }

  /** @inheritdoc @throws AngeliaError `config_invalid` naming `ANGELIA_LINK_LISTEN` or `ANGELIA_LINK_FILE` */
  listen(): Promise<void> {
    return this.start();
  }

  /** @inheritdoc */
  close(): Promise<void> {
    return this.stop();
  }

  /** @inheritdoc */
  status(): HermesHostStatus {
    const live = this.sessions.live;
    return {
      attached: live && {
        instance: live.report.instance,
        pid: live.report.pid,
        versions: live.report.versions,
        settings: live.report.hermes,
        since: live.since,
      },
      refused: this.refusals.newest,
      stopping: this.hermesStops,
    };
  }

  /** @inheritdoc A text that no line can carry is not taken: `bad_request`. */
  async startTurn(start: Omit<StartCommand, 'op'>): Promise<StartReply> {
    const result = await this.command(`start:${start.admission}`, { op: 'start', ...start });
    return result.ok
      ? { taken: true, repeated: result.repeated === true }
      : { taken: false, code: result.code ?? ErrorCode.Internal };
  }

  /** @inheritdoc */
  async interruptTurn(admission: string): Promise<boolean> {
    const result = await this.command(`interrupt:${admission}`, { op: 'interrupt', admission });
    return result.ok && result.known === true;
  }

  /** @inheritdoc */
  async suspendSession(sessionKey: string, reason: string, busy = false): Promise<{ existed: boolean }> {
    const result = await this.obeyed(`suspend:${reason}`, { op: 'suspend', session_key: sessionKey, busy });
    return { existed: result.existed === true };
  }

  /** @inheritdoc */
  async resetSession(sessionKey: string, reason: string): Promise<{ existed: boolean }> {
    const result = await this.obeyed(`reset:${reason}`, { op: 'reset', session_key: sessionKey });
    return { existed: result.existed === true };
  }

  /** @inheritdoc */
  async knownAdmissions(): Promise<readonly AdmissionSnapshot[]> {
    this.inquiries += 1;
    const result = await this.obeyed(`admissions:${String(this.inquiries)}`, { op: 'admissions' });
    return result.admissions ?? [];
  }

  protected override async onStart(): Promise<void> {
    this.requireHandler();
    const port = await this.server.listen();
    this.linkFile.write({ host: this.options.listen.host, port, secret: this.secret });
  }

  protected override async onStop(): Promise<void> {
    const { clock, telemetry } = this.options;
    try {
      this.linkFile.remove();
    } catch (error) {
      telemetry.emit('error.unexpected', { where: 'link.file', code: codeOf(error), ids: {} });
    }
    this.sessions.close();
    const drained = this.server.drain();
    // Events that are being committed still get their answer; their connections become idle with it.
    void this.queue.idle().then(() => setImmediate(() => this.server.cutIdle()));
    const done = new AbortController();
    await Promise.race([drained, clock.sleep(this.limits.link_close_grace_ms, done.signal)]);
    done.abort();
    this.server.cut();
    await drained;
  }

  /** `GET /link/v1/commands` */
  private openCommands(request: IncomingMessage, response: ServerResponse): void {
    const session = this.sessions.require(request);
    const { epoch } = this.requireHandler();
    this.sessions.open(
      session,
      (onEnd) => new CommandStream(request.socket, response, epoch, this.options.clock, this.limits, onEnd),
    );
  }

  /** A command that the shim carries out. @throws AngeliaError `hermes_start_refused` with its code when it refuses */
  private async obeyed(id: string, command: LinkCommand): Promise<ResultEvent> {
    const result = await this.command(id, command);
    if (result.ok) return result;
    const code = result.code ?? ErrorCode.Internal;
    throw new AngeliaError(ErrorCode.HermesStartRefused, { command: command.op, code });
  }

  /** Writes a command and waits for its result; one id is one command, whoever asks for it. */
  private async command(id: string, command: LinkCommand): Promise<ResultEvent> {
    const live = this.sessions.live;
    if (live === null) throw new AngeliaError(ErrorCode.LinkDetached);
    const line = JSON.stringify({ id, epoch: this.requireHandler().epoch, ...command });
    if (exceeds(line, this.limits.link_max_line_bytes))
      return { type: 'result', seq: 0, command: id, ok: false, code: BAD_REQUEST };
    const { isNew, result } = live.pending.add(id);
    if (isNew) live.stream.send(line);
    return result;
  }

  private onOpened(session: LinkSession): void {
    const { report } = session;
    this.hermesStops = false;
    this.options.telemetry.emit('link.attached', {
      instance: report.instance,
      hermesVersion: report.versions.hermes,
      admissions: report.admissions.length,
    });
    this.requireHandler().attached(report);
  }

  private onEnded(session: LinkSession, reason: StreamEnd): void {
    const { instance } = session.report;
    this.options.telemetry.emit('link.detached', { instance, reason });
    this.requireHandler().detached(instance);
  }

  private requireHandler(): HermesEventHandler {
    if (this.handler === undefined) throw new Error('setHandler() comes before listen()');
    return this.handler;
  }
}

/** Looks at the length in bytes only where the length in characters leaves it open. */
function exceeds(line: string, maxBytes: number): boolean {
  return line.length > maxBytes || (line.length * 3 > maxBytes && Buffer.byteLength(line) > maxBytes);
}
