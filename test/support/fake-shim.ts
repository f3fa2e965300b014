// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import type { AdmissionSnapshot, AttachReport, EventReply, ShimEvent } from '../../src/modules/hermes/index.js';
import { type BridgeAnswer, FakeShimConnection, type OpenStream } from './fake-shim-connection.js';
import {
  type CommandAnswer,
  hmac,
  MAX_LINE_BYTES,
  readLinkFile,
  type ReceivedCommand,
  ShimRefused,
  usualAnswer,
  violationsOf,
} from './fake-shim-protocol.js';

/** An event before it has its number. */
export type UnnumberedEvent = ShimEvent extends infer E ? (E extends ShimEvent ? Omit<E, 'seq'> : never) : never;

/** How one fake shim behaves. */
export interface FakeShimOptions {
  readonly linkFile: string;
  /** Parts of the report that are to differ. */
  readonly report?: Partial<AttachReport>;
  /** Says what becomes of a command; by default everything is fine. Null: no answer yet. */
  readonly answer?: (command: ReceivedCommand) => CommandAnswer | null;
  /** Host header to send instead of the right one. */
  readonly hostHeader?: string;
}

/**
 * One Hermes process as docs/link.md describes its side: strict in what it takes, and with the memory that outlives a connection: highest epoch,
 * answered commands, admissions, unacknowledged events. It never waits for time: what was refused with 503 is posted again by `retry()`.
 */
export class FakeShim {
  readonly instance: string;
  /** Commands in the order of their arrival, repeated ones included. */
  readonly commands: ReceivedCommand[] = [];
  /** What the bridge did against the protocol; a test ends with none. */
  readonly violations: string[] = [];
  readonly admissions = new Map<string, AdmissionSnapshot['state']>();
  /** Lines `alive` so far. */
  alive = 0;
  /** What the bridge answered last to events. */
  lastEventAnswer: BridgeAnswer | null = null;

  private highestEpoch = 0;
  private readonly answers = new Map<string, CommandAnswer>();
  private waiting: ShimEvent[] = [];
  private nextSeq = 1;
  private posting: Promise<void> | null = null;
  private held = false;
  private connection: FakeShimConnection | null = null;
  private session = '';
  private stream: OpenStream | null = null;
  private readonly replies = new Map<number, EventReply | null>();
  private watchers: (() => void)[] = [];

  constructor(private readonly options: FakeShimOptions) {
    this.instance = options.report?.instance ?? randomBytes(16).toString('hex');
  }

  /** Attaches and opens the command stream. @throws ShimRefused */
  async connect(): Promise<Readonly<Record<string, unknown>>> {
    const accepted = await this.attach();
    await this.open();
    return accepted;
  }

  /** Challenge and attach. @returns the bridge's answer. @throws ShimRefused */
  async attach(): Promise<Readonly<Record<string, unknown>>> {
    const { secret, challenge } = await this.challenge();
    const { bridgeNonce, shimNonce, epoch } = challenge;
    this.session = hmac(secret, 'session', shimNonce, bridgeNonce);
    return this.finishAttach(bridgeNonce, hmac(secret, 'shim', bridgeNonce, shimNonce, epoch));
  }

  /** First half: reads the link file, checks the bridge's proof, records the epoch. @throws ShimRefused */
  async challenge(): Promise<{
    secret: string;
    challenge: { bridgeNonce: string; shimNonce: string; epoch: number };
  }> {
    const { host, port, secret } = readLinkFile(this.options.linkFile);
    const { hostHeader } = this.options;
    this.connection?.close();
    this.connection = new FakeShimConnection(host, port, hostHeader === undefined ? {} : { host: hostHeader });
    const shimNonce = randomBytes(32).toString('hex');
    const { status, body } = await this.connection.post('/link/v1/challenge', { protocol: 1, shim_nonce: shimNonce });
    if (status !== 200) throw new ShimRefused(String(body['code']), status, body);
    const { bridge_nonce: bridgeNonce, epoch, proof } = body;
    if (typeof bridgeNonce !== 'string' || typeof epoch !== 'number') throw new ShimRefused('challenge_malformed');
    if (proof !== hmac(secret, 'bridge', shimNonce, bridgeNonce, epoch)) throw new ShimRefused('bridge_proof_invalid');
    if (epoch < this.highestEpoch) throw new ShimRefused('epoch_lower');
    this.highestEpoch = epoch;
    return { secret, challenge: { bridgeNonce, shimNonce, epoch } };
  }

  /** Second half. @throws ShimRefused */
  async finishAttach(bridgeNonce: string, proof: string): Promise<Readonly<Record<string, unknown>>> {
    const { status, body } = await this.post('/link/v1/attach', {
      bridge_nonce: bridgeNonce,
      proof,
      report: this.report(),
    });
    if (status !== 200) throw new ShimRefused(String(body['code']), status, body);
    this.acknowledge(Number(body['ack']));
    return body;
  }

  /** Opens the command stream. @returns when its first line has come. @throws ShimRefused */
  async open(): Promise<void> {
    const opened = await this.requireConnection().openStream('/link/v1/commands', this.authorization());
    if (!('response' in opened)) throw new ShimRefused(String(opened.body['code']), opened.status, opened.body);
    this.stream = opened;
    const { response } = opened;
    if (response.headers['content-type'] !== 'application/x-ndjson') this.violations.push('content type of the stream');
    let rest: Buffer[] = [];
    let hello = false;
    response.on('data', (chunk: Buffer) => {
      let begin = 0;
      for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, begin)) {
        const line = Buffer.concat([...rest, chunk.subarray(begin, end)]);
        rest = [];
        begin = end + 1;
        this.takeLine(line, hello);
        hello = true;
      }
      rest.push(chunk.subarray(begin));
    });
    // The connection's end is seen by `streamEnded`; an error of it is one way to end.
    response.on('error', () => undefined);
    response.once('close', () => {
      if (this.stream === opened) this.stream = null;
      this.changed();
    });
    await this.until(() => hello || this.stream !== opened);
    void this.pump();
  }

  /** Appends an event and posts it as soon as nothing else is in flight. @returns its number */
  emit(event: UnnumberedEvent): number {
    const seq = this.nextSeq;
    this.nextSeq += 1;
    this.waiting.push({ ...event, seq });
    void this.pump();
    return seq;
  }

  /** Waits for the acknowledgement of an event. @returns the reply to it */
  async committed(seq: number): Promise<EventReply | null> {
    await this.until(() => this.replies.has(seq));
    return this.replies.get(seq) ?? null;
  }

  /** Waits until a command has come. */
  async received(matches: (command: ReceivedCommand) => boolean): Promise<ReceivedCommand> {
    await this.until(() => this.commands.some(matches));
    return this.commands.find(matches)!;
  }

  /** Waits until a condition holds; looked at after everything that happens here. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.watchers.push(resolve));
  }

  /** Waits for the end of the command stream. */
  async streamEnded(): Promise<void> {
    await this.until(() => this.stream === null);
  }

  /** Keeps events from being posted until `release()`. */
  hold(): void {
    this.held = true;
  }

  release(): void {
    this.held = false;
    void this.pump();
  }

  /** Waits until no POST is in flight. */
  async idle(): Promise<void> {
    await this.until(() => this.posting === null);
  }

  /** Posts what waits again, as after 0.2 s. */
  retry(): void {
    void this.pump();
  }

  /** Stops and goes on reading the command stream. */
  pauseReading(): void {
    this.requireStream().response.pause();
  }

  resumeReading(): void {
    this.requireStream().response.resume();
  }

  /** Says that nothing more comes on the command stream, and leaves the socket open. */
  halfClose(): void {
    this.requireStream().socket.end();
  }

  /** Cuts POSTs that have no answer yet; their answers are lost. */
  cutPosts(): void {
    this.requireConnection().cut();
  }

  /** Events that the bridge has not acknowledged, as the spool file would hold them. */
  get unacknowledged(): readonly ShimEvent[] {
    return this.waiting;
  }

  /** Closes all sockets; the memory stays. */
  disconnect(): void {
    this.stream?.socket.destroy();
    this.connection?.close();
    this.connection = null;
  }

  /** A request with the session's authorization. */
  post(path: string, body: object | Buffer, headers: Readonly<Record<string, string>> = {}): Promise<BridgeAnswer> {
    return this.requireConnection().post(path, body, { ...this.authorization(), ...headers });
  }

  private report(): AttachReport {
    return {
      instance: this.instance,
      pid: process.pid,
      versions: { shim: '0.1.0', hermes: '0.19.0', python: '3.11.7', protocol: 1 },
      platform: { base_url: 'https://chat.example.com' },
      hermes: {
        group_sessions_per_user: false,
        thread_sessions_per_user: false,
        busy_input_mode: 'queue',
        multiplex_profiles: false,
        streaming: { enabled: true, transport: 'edit' },
        worker_threads: 10,
        official_plugin_enabled: false,
      },
      commands: { version: '0.19.0', builtin: [{ name: 'queue', aliases: ['q'] }], plugin: [] },
      sessions: { cleared: [] },
      admissions: [...this.admissions].map(([id, state]) => ({ id, state })),
      first_unacknowledged: this.waiting[0]?.seq ?? this.nextSeq,
      ...this.options.report,
    };
  }

  private takeLine(line: Buffer, hasGreeted: boolean): void {
    if (line.length > MAX_LINE_BYTES) this.violations.push('line too long');
    const parsed = JSON.parse(line.toString('utf8')) as Record<string, unknown>;
    if (!hasGreeted) {
      if (parsed['op'] !== 'hello' || parsed['epoch'] !== this.highestEpoch) this.violations.push('no hello first');
    } else if (parsed['op'] === 'alive') {
      this.alive += 1;
    } else {
      this.takeCommand(parsed as unknown as ReceivedCommand);
    }
    this.changed();
  }

  private takeCommand(command: ReceivedCommand): void {
    this.violations.push(...violationsOf(command));
    this.commands.push(command);
    const { id: name } = command;
    if (command.epoch < this.highestEpoch) {
      this.emit({ type: 'result', command: name, ok: false, code: 'epoch_lower' });
      return;
    }
    const remembered = this.answers.get(name);
    if (remembered !== undefined) {
      this.emit({ type: 'result', command: name, ...remembered, repeated: true });
      return;
    }
    const answer = this.options.answer === undefined ? usualAnswer(command) : this.options.answer(command);
    if (answer === null) return;
    this.answers.set(name, answer);
    if (command.op === 'start' && answer.ok) this.admissions.set(command.admission, 'taken');
    this.emit({ type: 'result', command: name, ...answer });
  }

  /** One POST in flight, which carries all that waits. */
  private async pump(): Promise<void> {
    if (this.posting !== null || this.held || this.waiting.length === 0 || this.connection === null) return;
    const events = [...this.waiting];
    this.posting = this.postEvents(events);
    const isDone = await this.posting.then(
      () => true,
      () => false,
    );
    this.posting = null;
    this.changed();
    if (isDone && this.lastEventAnswer?.status === 200) void this.pump();
  }

  private async postEvents(events: readonly ShimEvent[]): Promise<void> {
    const answer = await this.post('/link/v1/events', { instance: this.instance, events });
    this.lastEventAnswer = answer;
    if (answer.status !== 200) return;
    const last = events.at(-1)!.seq;
    if (answer.body['ack'] !== last) this.violations.push(`ack ${String(answer.body['ack'])} instead of ${last}`);
    const replies = answer.body['replies'] as Record<string, EventReply>;
    for (const { seq } of events) this.replies.set(seq, replies[String(seq)] ?? null);
    this.acknowledge(last);
  }

  private acknowledge(ack: number): void {
    this.waiting = this.waiting.filter((event) => event.seq > ack);
    this.changed();
  }

  /** Header that proves the session. */
  authorization(): Record<string, string> {
    return { authorization: `Angelia ${this.session}` };
  }

  private changed(): void {
    const watchers = this.watchers;
    this.watchers = [];
    for (const watcher of watchers) watcher();
  }

  private requireConnection(): FakeShimConnection {
    if (this.connection === null) throw new ShimRefused('not_connected');
    return this.connection;
  }

  private requireStream(): OpenStream {
    if (this.stream === null) throw new ShimRefused('no_stream');
    return this.stream;
  }
}
