// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { ClientFrame } from '../../../src/modules/gateway/borgee/wire/index.js';
import { isJsonObject, parseJson } from '../../../src/modules/gateway/borgee/wire/index.js';
import type { FrameEntry, PlaygroundEntry, Recorder } from '../../record/index.js';
import type { Violation } from '../strict/checks.js';
import type { ConnectionRules } from '../strict/connection-rules.js';
import { readClientFrame } from '../strict/frame-rules.js';
import { OutgoingQueue } from './outgoing-queue.js';

/** Above this a frame stands in the record by its hash only, bytes. */
const RECORDED_FRAME_BYTES = 256 * 1024;

/** Any frame of the server. */
export type AnyFrame = Readonly<Record<string, unknown>> & { readonly type: string };

/** What a connection needs of the playground. */
export interface ConnectionHost {
  readonly recorder: Recorder<PlaygroundEntry>;
  readonly rules: ConnectionRules;
  readonly dropBehind: number;
  /** A frame that passed every check. */
  onFrame(connection: AgentConnection, frame: ClientFrame): void;
  onWritten(connection: AgentConnection, frame: AnyFrame): void;
  onViolation(connection: AgentConnection, broken: Violation): void;
  onClosed(connection: AgentConnection): void;
}

/** One socket of the agent, with the knobs that act on a live connection. */
export class AgentConnection {
  private readonly queue: OutgoingQueue;
  private closedByUs: number | null = null;
  private deaf = false;
  private over = false;
  /** True after `connect`. */
  connected = false;

  /** @param number of the connection, from 1 */
  constructor(
    readonly number: number,
    private readonly ws: WebSocket,
    private readonly socket: Socket,
    private readonly host: ConnectionHost,
  ) {
    this.queue = new OutgoingQueue(ws, socket, host.dropBehind, {
      written: ({ data, frame }) => {
        this.record('out', data, frame);
        if (isFrame(frame)) host.onWritten(this, frame);
      },
      dropped: ({ data, frame }) => this.record('dropped', data, frame),
    });
    ws.on('message', (data: Buffer, isBinary) => this.receive(data, isBinary));
    ws.on('ping', (data: Buffer) => this.receivePing(data));
    ws.on('pong', () => this.recordControl('in', 'pong'));
    ws.on('error', () => this.socket.destroy());
    ws.on('close', (code) => this.end(code));
  }

  /** True until the socket has ended. */
  get open(): boolean {
    return !this.over;
  }

  /** Frames that wait for the socket. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Frames that fell out of the full outgoing buffer. */
  get drops(): number {
    return this.queue.drops;
  }

  /** Sends a frame. @returns false when it fell out or the connection is over */
  send(frame: AnyFrame): boolean {
    return this.queue.offer({ data: JSON.stringify(frame), frame });
  }

  /** Sends anything: a text message, or a binary one for a Buffer. */
  sendRaw(data: string | Buffer): boolean {
    const parsed = typeof data === 'string' ? parseJson(data) : undefined;
    return this.queue.offer({ data, frame: isJsonObject(parsed) ? parsed : null });
  }

  /** Resolves when nothing waits for the socket any more, or after a time. @param timeoutMs milliseconds */
  drained(timeoutMs = Infinity): Promise<void> {
    return this.queue.drained(timeoutMs);
  }

  /** Knob: closes with a code. */
  close(code: number, reason = ''): void {
    this.closedByUs ??= code;
    if (code === 1005) this.ws.close();
    else if (code === 1006) this.kill();
    else this.ws.close(code, reason);
  }

  /** Knob: cuts the TCP connection without a close frame. */
  kill(): void {
    this.closedByUs ??= 1006;
    this.socket.destroy();
  }

  /** Knob: reads nothing any more, so that the client meets back-pressure. */
  stopReading(): void {
    this.host.rules.heartbeat.suspend();
    this.ws.pause();
  }

  resumeReading(): void {
    this.ws.resume();
    this.host.rules.heartbeat.resume();
  }

  /** Knob: a half-open link. The socket stays open, everything is read and thrown away, pings included; nothing is sent. */
  halfOpen(): void {
    this.deaf = true;
    this.host.rules.heartbeat.suspend();
    this.queue.end();
  }

  /** Ends the connection because the client broke a check. */
  refuse(broken: Violation): void {
    if (this.over || this.closedByUs !== null) return;
    this.host.onViolation(this, broken);
    this.close(1008, broken.check);
  }

  private receive(data: Buffer, isBinary: boolean): void {
    this.record('in', isBinary ? data : data.toString('utf8'), undefined);
    if (this.deaf || this.closedByUs !== null) return;
    const read = readClientFrame(data, isBinary);
    const broken = 'broken' in read ? read.broken : this.host.rules.check(read.frame);
    if (broken !== null) this.refuse(broken);
    else if ('frame' in read) this.host.onFrame(this, read.frame);
  }

  private receivePing(data: Buffer): void {
    this.recordControl('in', 'ping');
    if (this.deaf || this.over) return;
    this.ws.pong(data);
    this.recordControl('out', 'pong');
  }

  private end(code: number): void {
    if (this.over) return;
    this.over = true;
    this.queue.end();
    this.host.rules.heartbeat.suspend();
    const by = this.closedByUs === null ? 'client' : 'playground';
    this.host.recorder.append({ kind: 'close', conn: this.number, code: this.closedByUs ?? code, by });
    this.host.onClosed(this);
  }

  private recordControl(dir: 'in' | 'out', frame: 'ping' | 'pong'): void {
    this.host.recorder.append({ kind: 'control', conn: this.number, dir, frame });
  }

  /** @param known the decoded frame; null: it is none; undefined: not decoded yet */
  private record(dir: FrameEntry['dir'], data: string | Buffer, known: OutgoingFrameValue): void {
    const bytes = Buffer.byteLength(data);
    const head = { kind: 'frame', dir, conn: this.number, bytes } as const;
    const frame = bytes > RECORDED_FRAME_BYTES ? null : known === undefined ? decode(data) : known;
    const type = typeof frame?.['type'] === 'string' ? frame['type'] : null;
    this.host.recorder.append({ ...head, type, ...contentOf(data, frame, bytes) });
  }
}

type OutgoingFrameValue = Readonly<Record<string, unknown>> | null | undefined;

function decode(data: string | Buffer): Readonly<Record<string, unknown>> | null {
  const value = typeof data === 'string' ? parseJson(data) : undefined;
  return isJsonObject(value) ? value : null;
}

function contentOf(
  data: string | Buffer,
  frame: Readonly<Record<string, unknown>> | null,
  bytes: number,
): Pick<FrameEntry, 'frame' | 'text' | 'base64' | 'sha256'> {
  if (bytes > RECORDED_FRAME_BYTES) return { sha256: createHash('sha256').update(data).digest('hex') };
  if (frame !== null) return { frame };
  return typeof data === 'string' ? { text: data } : { base64: data.toString('base64') };
}

function isFrame(frame: Readonly<Record<string, unknown>> | null): frame is AnyFrame {
  return typeof frame?.['type'] === 'string';
}
