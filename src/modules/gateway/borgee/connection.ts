// SPDX-License-Identifier: Apache-2.0
import type { ClientRequest, IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import type { Clock, ClockTimer } from '../../../common/clock.js';
import { ActionChannel } from './action-channel.js';
import type { ClientOptions } from './client-options.js';
import type { ConnectionEnd } from './connection-end.js';
import type { Counters } from './counters.js';
import { connectFrame, encodeFrame, heartbeatFrame } from './encode.js';
import { type FrameFate, type FrameSink, FrameWriter, type Lane, type QueuedFrame } from './frame-writer.js';
import { Liveness } from './liveness.js';

/** Where to connect, and as whom. */
export interface ConnectionTarget {
  /** Address of the socket. */
  readonly url: string;
  readonly apiKey: string;
  /** Largest frame that is read, bytes. */
  readonly maxFrameBytes: number;
}

/** What a connection tells about itself. */
export interface ConnectionListener {
  /** The socket is open and `connect` is written: the identity is to be confirmed within the handshake's time. */
  opened(connection: Connection): void;
  /** One message of the server. */
  message(connection: Connection, data: Buffer): void;
  /** A pong answered this ping: what was written before it has arrived. */
  confirmed(connection: Connection, ping: number): void;
}

/**
 * One generation of the connection: dial, handshake, writing, actions, liveness, end. It is never used again after its end, and nothing of it acts
 * on the next one.
 */
export class Connection {
  /** Resolves when the socket is gone. */
  readonly ended: Promise<ConnectionEnd>;
  private readonly writer: FrameWriter;
  readonly actions: ActionChannel;
  private readonly socket: WebSocket;
  private readonly liveness: Liveness;
  private readonly handshakeTimer: ClockTimer;
  private closeTimer: ClockTimer | undefined;
  private end: ConnectionEnd | null = null;
  private wasOpen = false;
  private isOnline = false;
  private isPaused = false;
  private systemError = '';
  private agentId = '';
  private lastHeartbeat: QueuedFrame | null = null;
  private resolveEnded: (end: ConnectionEnd) => void = () => undefined;

  constructor(
    target: ConnectionTarget,
    private readonly options: ClientOptions,
    private readonly clock: Clock,
    private readonly counters: Counters,
    private readonly listener: ConnectionListener,
  ) {
    this.ended = new Promise((resolve) => (this.resolveEnded = resolve));
    this.socket = new WebSocket(target.url, {
      headers: { Authorization: `Bearer ${target.apiKey}`, 'User-Agent': options.userAgent },
      followRedirects: false,
      maxPayload: target.maxFrameBytes,
      perMessageDeflate: false,
      skipUTF8Validation: true,
    });
    this.writer = new FrameWriter(sinkOf(this.socket), options);
    this.actions = new ActionChannel(this.writer, clock, counters, options);
    this.liveness = new Liveness(clock, options, {
      ping: (payload) => {
        if (this.socket.readyState === WebSocket.OPEN) this.socket.ping(payload);
      },
      heartbeat: () => this.heartbeat(),
      dead: () => this.abort({ cause: 'dead_peer' }),
      confirmed: (ping) => listener.confirmed(this, ping),
    });
    this.handshakeTimer = clock.schedule(options.handshakeMs, () => this.abort({ cause: 'timeout' }));
    this.listen();
  }

  /** True from the confirmed identity until the end begins. */
  get online(): boolean {
    return this.isOnline && this.end === null;
  }

  /** True as soon as the connection is ending. */
  isEnding(): boolean {
    return this.end !== null;
  }

  /** The agent was disabled, or the events belong to somebody else: nothing more is taken. */
  get refusesEvents(): boolean {
    return this.end?.cause === 'disabled' || this.end?.cause === 'identity_refused';
  }

  /** Number of the next WebSocket ping. */
  get nextPing(): number {
    return this.liveness.nextPing;
  }

  /** The server has answered who the key belongs to: the handshake's time no longer runs. */
  handshakeDone(): void {
    this.handshakeTimer.cancel();
  }

  /** The identity is confirmed and bound: the connection is online. */
  goOnline(agentId: string): void {
    this.agentId = agentId;
    this.isOnline = true;
    this.liveness.start();
    if (this.isPaused) this.liveness.suspend();
  }

  /** Hands a frame to the writer; null when there is no room. */
  offer(lane: Lane, text: string, fate?: FrameFate): QueuedFrame | null {
    return this.writer.offer(lane, text, fate);
  }

  /** Sends a WebSocket ping beside the regular ones. */
  pingNow(): void {
    this.liveness.pingNow();
  }

  /** Stops reading; the peer is not held dead meanwhile (INB-13). */
  pause(): void {
    if (this.isPaused) return;
    this.isPaused = true;
    this.socket.pause();
    this.liveness.suspend();
    this.actions.suspend();
  }

  /** Reads on. */
  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.socket.resume();
    this.actions.resume();
    if (this.isOnline) this.liveness.resume();
  }

  /**
   * Ends the connection in good order: what the server still sends until it answers is read, then the socket is torn down after `closeMs`.
   * @param code WebSocket close code
   */
  close(code: number, end: ConnectionEnd): void {
    if (!this.begin(end)) return;
    if (this.socket.readyState !== WebSocket.OPEN) return this.socket.terminate();
    this.socket.close(code);
    this.terminateSoon();
  }

  /** Tears the connection down at once. */
  abort(end: ConnectionEnd): void {
    if (this.begin(end)) this.socket.terminate();
  }

  private listen(): void {
    this.socket.on('unexpected-response', (_request: ClientRequest, response: IncomingMessage) => {
      const { statusCode = 0, headers } = response;
      response.destroy();
      this.abort({ cause: 'http', status: statusCode, retryAfter: headers['retry-after'] ?? null });
    });
    this.socket.on('open', () => {
      this.wasOpen = true;
      if (this.isEnding()) return;
      if (this.isPaused) this.socket.pause();
      this.writer.offer('regular', encodeFrame(connectFrame()));
      this.listener.opened(this);
    });
    this.socket.on('message', (data: Buffer) => {
      this.liveness.alive();
      if (this.refusesEvents) this.counters.add('frames_discarded');
      else this.listener.message(this, data);
    });
    this.socket.on('ping', () => this.liveness.alive());
    this.socket.on('pong', (data: Buffer) => this.liveness.pong(data.toString('latin1')));
    this.socket.on('error', (error: Error) => {
      this.systemError = systemName(error);
      const end = endOfError(error);
      if (end !== null && this.begin(end)) this.terminateSoon();
    });
    this.socket.on('close', (code: number) => this.closed(code));
  }

  /** The first end counts. @returns false when there was one already */
  private begin(end: ConnectionEnd): boolean {
    if (this.end !== null) return false;
    this.end = end;
    this.handshakeTimer.cancel();
    this.liveness.stop();
    return true;
  }

  private closed(code: number): void {
    const end: ConnectionEnd = this.wasOpen
      ? { cause: 'closed', code }
      : { cause: 'unreachable', system: this.systemError };
    this.begin(end);
    this.closeTimer?.cancel();
    this.actions.stop();
    this.writer.stop();
    this.resolveEnded(this.end ?? end);
  }

  private terminateSoon(): void {
    this.closeTimer = this.clock.schedule(this.options.closeMs, () => this.socket.terminate());
  }

  /** A heartbeat that still waits behind a slow socket is replaced, not doubled. */
  private heartbeat(): void {
    this.lastHeartbeat?.withdraw();
    this.lastHeartbeat = this.writer.offer('regular', encodeFrame(heartbeatFrame(this.agentId, this.clock.now())));
  }
}

/** The socket as the writer sees it. */
function sinkOf(socket: WebSocket): FrameSink {
  return {
    get writable() {
      return socket.readyState === WebSocket.OPEN;
    },
    send: (text, done) => socket.send(text, (error) => done(!error)),
  };
}

/** Errors of the socket that say more than its close code; null: the close that follows says it. */
function endOfError(error: Error): ConnectionEnd | null {
  const code = systemName(error);
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return { cause: 'frame_too_large' };
  return code.startsWith('WS_ERR_') ? { cause: 'frame_invalid' } : null;
}

/** Name of a system error such as `ECONNREFUSED`; empty for an error without one. Its text may name hosts and is never shown. */
function systemName(error: Error): string {
  const code: unknown = (error as NodeJS.ErrnoException).code;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : '';
}
