// SPDX-License-Identifier: Apache-2.0
import { randomBytes, randomUUID } from 'node:crypto';
import { ChatApi } from '../chat-api/index.js';
import { type PlaygroundEntry, type Recorded, Recorder } from '../record/index.js';
import { AgentGateway, type RecordedViolation } from './agent-gateway.js';
import { type BurstOptions, sendBurst } from './burst.js';
import type { AgentConnection, AnyFrame } from './connection/agent-connection.js';
import { recordFacts } from './facts.js';
import type { Faults } from './faults/index.js';
import { inboundMessage, inboundReaction } from './inbound.js';
import type { BorgeePlaygroundOptions } from './options.js';
import { adopt } from './adopt.js';
import { Port } from './port.js';
import { restore } from './restore.js';
import { HEARTBEAT_BOUNDS } from './strict/heartbeat-rule.js';
import { type Channel, harbour, type Message, type NewChannel, type TurnKind, type World } from './world/index.js';

/** How a message is said. */
export interface SayOptions {
  /** Default: `mention` when the text names the agent with an at sign, else `message`. */
  readonly kind?: TurnKind;
  readonly replyToId?: string;
}

/** A config update; what is left out gets a fresh value. */
export interface ConfigUpdate {
  readonly cursor?: number;
  readonly schemaVersion?: number;
  readonly blob?: string;
  readonly idempotencyKey?: string;
}

/**
 * A strict Borgee server on 127.0.0.1 with everything that a test needs to disturb it (bpp 9), and the chat page for people on the
 * same port. It never acknowledges a delivery, sends no cursor and answers neither `connect` nor `heartbeat`.
 */
export class BorgeePlayground {
  readonly recorder: Recorder<PlaygroundEntry>;
  readonly world: World;
  readonly apiKey: string;
  private readonly gateway: AgentGateway;
  private readonly chat: ChatApi;
  private readonly port: Port;
  private readonly ownsRecorder: boolean;
  private readonly stopFacts: () => void;
  private cursor = 0;

  private constructor(options: BorgeePlaygroundOptions) {
    this.ownsRecorder = options.recorder === undefined;
    this.recorder = options.recorder ?? new Recorder<PlaygroundEntry>();
    this.world =
      options.world ?? harbour({ id: options.agentId ?? 'agent-angelia', name: options.agentName ?? 'Angelia' });
    this.apiKey = options.apiKey ?? `bgr_${randomBytes(24).toString('hex')}`;
    this.gateway = new AgentGateway({
      apiKey: this.apiKey,
      recorder: this.recorder,
      world: this.world,
      echo: options.echo ?? 'after',
      echoChanges: options.echoChanges ?? false,
      dropBehind: options.dropBehind ?? Infinity,
      whileOffline: options.whileOffline ?? 'lose',
      heartbeat: options.heartbeat ?? HEARTBEAT_BOUNDS,
    });
    restore(this.world, this.gateway.memory.tasks, options.history ?? []);
    this.stopFacts = recordFacts(this.world, this.recorder, () => this.online);
    this.chat = new ChatApi({
      world: this.world,
      agent: this.gateway,
      actions: this,
      ...(options.webRoot === undefined ? {} : { webRoot: options.webRoot }),
    });
    this.port = new Port({
      request: (request, response) => this.chat.handle(request, response),
      upgrade: (request, socket, head) => this.gateway.upgrade(request, socket, head),
    });
  }

  /** Starts a playground. @throws the system's error when the port is taken */
  static async start(options: BorgeePlaygroundOptions = {}): Promise<BorgeePlayground> {
    const playground = new BorgeePlayground(options);
    try {
      await playground.port.open(options.port ?? 0);
    } catch (error) {
      await playground.close();
      throw error;
    }
    playground.recorder.append({ kind: 'listening', port: playground.port.number });
    return playground;
  }

  /** `http://127.0.0.1:<port>`: base_url of the agent and address of the chat page. */
  get origin(): string {
    return `http://127.0.0.1:${this.port.number}`;
  }

  get agentId(): string {
    return this.world.agent.id;
  }

  /** Planned disturbances. */
  get faults(): Faults {
    return this.gateway.faults;
  }

  /** The agent's live connection, with its knobs, or null. */
  get connection(): AgentConnection | null {
    return this.gateway.current;
  }

  get online(): boolean {
    return this.gateway.online;
  }

  /** Channels in which the agent shows itself busy. */
  get busy(): readonly string[] {
    return this.gateway.busy;
  }

  /** Strict checks that the client broke. */
  get violations(): readonly RecordedViolation[] {
    return this.gateway.violations;
  }

  /** Frames that fell out of full outgoing buffers (`dropBehind`). */
  get drops(): number {
    return this.gateway.drops;
  }

  /** @throws Error naming every broken check */
  assertClean(): void {
    if (this.violations.length === 0) return;
    const list = this.violations.map(({ check, detail }) => `${check} (${detail})`).join('; ');
    throw new Error(`The client broke strict checks: ${list}.`);
  }

  /** Adds a channel, by default a public one in the first guild. */
  addChannel(wanted: NewChannel = {}): Channel {
    return this.world.addChannel(wanted);
  }

  /** A person says something; the agent gets it. @throws WorldError */
  say(channelId: string, authorId: string, body: string, options: SayOptions = {}): Message {
    const message = this.world.post({ channelId, authorId, body, ...options });
    this.deliver(message, message.kind);
    return message;
  }

  /** A person edits a message of theirs. @throws WorldError */
  editMessage(messageId: string, body: string): Message {
    const message = this.world.edit(messageId, this.world.message(messageId).authorId, body);
    this.deliver(message, 'edited');
    return message;
  }

  /** A person takes a message of theirs away. @throws WorldError */
  deleteMessage(messageId: string): Message {
    const message = this.world.remove(messageId, this.world.message(messageId).authorId);
    this.deliver(message, 'deleted');
    return message;
  }

  /** A person reacts to a message, or takes the reaction back. @throws WorldError */
  react(messageId: string, reactorId: string, emoji: string, added = true): void {
    const message = this.world.message(messageId);
    const channel = this.world.channel(message.channelId);
    const reactor = this.world.author(reactorId);
    this.recorder.append({
      kind: 'reaction',
      message_id: messageId,
      channel_id: channel.id,
      reactor_id: reactor.id,
      emoji,
      added,
    });
    this.gateway.deliver(inboundReaction(this.world.agent, channel, message, { reactorId, emoji, added }));
  }

  /**
   * Delivers a message once more.
   * @param as `identical`; `other-name`: under another display name; `other-kind`: message and mention swapped
   */
  redeliver(messageId: string, as: 'identical' | 'other-name' | 'other-kind' = 'identical'): void {
    const message = this.world.message(messageId);
    const otherKind = message.kind === 'message' ? 'mention' : 'message';
    const named = as === 'other-name' ? { ...message, authorName: `${message.authorName} II` } : message;
    this.deliver(named, as === 'other-kind' ? otherKind : message.kind);
  }

  /** Many messages at once, in turn over the channels, by the first person; see `BurstOptions`. @returns their ids, in order */
  burst(count: number, channelIds: readonly string[], options: BurstOptions = {}): Promise<readonly string[]> {
    return sendBurst(this, count, channelIds, options);
  }

  /** Sends any frame; what it says of channels and messages is known to the world from then on. @returns false when nobody got it */
  push(frame: AnyFrame): boolean {
    adopt(this.world, frame);
    return this.connection?.send(frame) ?? false;
  }

  /** Sends anything as a text message, or as a binary one for a Buffer. */
  pushRaw(data: string | Buffer): boolean {
    return this.connection?.sendRaw(data) ?? false;
  }

  /** Asks the client for a pong. */
  ping(): boolean {
    return this.push({ type: 'ping' });
  }

  /**
   * Sends a request (bpp 4.7).
   * @returns the client's response @throws Error when none comes in time
   */
  async request(data: Readonly<Record<string, unknown>>, id: string = randomUUID()): Promise<AnyFrame> {
    this.push({ type: 'request', id, data });
    return this.clientFrame((frame) => frame.type === 'response' && frame['id'] === id, `the response to ${id}`);
  }

  /** Sends a config update. @returns the client's ack @throws Error when none comes in time */
  async configUpdate(update: ConfigUpdate = {}): Promise<AnyFrame> {
    const key = update.idempotencyKey ?? randomUUID();
    const before = this.recorder.entries.length;
    this.push({
      type: 'agent_config_update',
      cursor: update.cursor ?? ++this.cursor,
      agent_id: this.agentId,
      schema_version: update.schemaVersion ?? 1,
      blob: update.blob ?? '{}',
      idempotency_key: key,
      created_at: Date.now(),
    });
    const isAck = (frame: AnyFrame): boolean => frame.type === 'agent_config_ack' && frame['idempotency_key'] === key;
    return this.clientFrame(isAck, `the ack of ${key}`, before);
  }

  /** Says that the agent is switched off or on; the socket stays open. */
  agentToggle(action: 'disable' | 'enable', reason = ''): boolean {
    return this.push({ type: 'agent_toggle', agent_id: this.agentId, action, reason });
  }

  /** Sends the results that the fault `hold` keeps back. @returns how many */
  releaseResults(): number {
    return this.gateway.desk.releaseResults();
  }

  /** Messages of a channel, oldest first, the agent's included. */
  messages(channelId: string): readonly Message[] {
    return this.world.timeline(channelId);
  }

  /** Waits for an entry of the record; one that is there already counts. @throws Error after `timeoutMs` */
  waitFor<T extends Recorded<PlaygroundEntry>>(
    match: ((entry: Recorded<PlaygroundEntry>) => entry is T) | ((entry: Recorded<PlaygroundEntry>) => boolean),
    timeoutMs?: number,
    label?: string,
  ): Promise<T> {
    return this.recorder.waitFor(match, timeoutMs, label);
  }

  /** The server goes away: the port closes and every connection is cut. */
  async goDown(): Promise<void> {
    this.recorder.append({ kind: 'down', port: this.port.number });
    this.gateway.cut();
    await this.port.close();
  }

  /** The server is back on the same port. */
  async comeBack(): Promise<void> {
    await this.port.open();
    this.recorder.append({ kind: 'listening', port: this.port.number });
  }

  /** Ends the playground; the record is complete afterwards. Idempotent. */
  async close(): Promise<void> {
    this.chat.close();
    this.gateway.cut();
    await this.port.close();
    this.stopFacts();
    if (this.ownsRecorder) await this.recorder.close();
    else await this.recorder.flush();
  }

  private deliver(message: Message, kind: string): void {
    this.gateway.deliver(inboundMessage(this.world.agent, this.world.channel(message.channelId), message, kind));
  }

  /** Waits for a frame of the client. @param from entries before this index do not count */
  private async clientFrame(match: (frame: AnyFrame) => boolean, label: string, from = 0): Promise<AnyFrame> {
    const first = this.recorder.entries[from]?.n ?? this.recorder.entries.length;
    const entry = await this.waitFor(
      (each) =>
        each.n >= first &&
        each.kind === 'frame' &&
        each.dir === 'in' &&
        each.frame !== undefined &&
        match(each.frame as AnyFrame),
      undefined,
      label,
    );
    if (entry.kind !== 'frame' || entry.frame === undefined) throw new Error(`The record has no frame for ${label}.`);
    return entry.frame as AnyFrame;
  }
}
