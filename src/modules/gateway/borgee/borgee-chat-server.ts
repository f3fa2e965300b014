// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../../../common/clock.js';
import { codeOf, ErrorCode } from '../../../common/errors.js';
import type { Telemetry } from '../../../common/telemetry.js';
import { BorgeeSettings } from '../../../config/index.js';
import {
  type AgentIdentity,
  type AgentTask,
  type ChatServer,
  type ChatServerStatus,
  type InboundHandler,
  SendError,
  type TaskEnd,
} from '../chat-server.js';
import type { Random } from './backoff.js';
import { type ClientOptions, DEFAULT_CLIENT_OPTIONS } from './client-options.js';
import { ConfigAcks } from './config-acks.js';
import { Connection, type ConnectionTarget } from './connection.js';
import type { ConnectionEnd } from './connection-end.js';
import { ConnectionState } from './connection-state.js';
import { Counters } from './counters.js';
import { FrameRouter } from './frame-router.js';
import { askIdentity, endOfGreeting } from './identity.js';
import { Intake } from './intake.js';
import { RemoteControl } from './remote-control.js';
import { messageBudget, splitText } from './split.js';
import { Supervisor, type Target } from './supervisor.js';
import { TaskTracker } from './task-tracker.js';
import { checkSentMessageResult } from './wire/index.js';

/** What the client is built from. */
export interface BorgeeChatServerParts {
  readonly handler: InboundHandler;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** Randomness of the backoff; default: `Math.random`. */
  readonly random?: Random;
  /** Departures from the default timings and bounds. */
  readonly options?: Partial<ClientOptions>;
}

/** An id as long as the longest that servers give, while the own one is not known yet. */
const UNKNOWN_AGENT_ID = 'a'.repeat(64);

/**
 * The client of a Borgee server: one socket as one agent (BPP-1, bpp 1 to 4). This class joins the parts and is the port's face; each part stands
 * in its own file.
 */
export class BorgeeChatServer implements ChatServer {
  private readonly options: ClientOptions;
  private readonly clock: Clock;
  private readonly telemetry: Telemetry;
  private readonly counters = new Counters();
  private readonly state: ConnectionState;
  private readonly intake: Intake;
  private readonly tasks: TaskTracker;
  private readonly router: FrameRouter;
  private readonly supervisor: Supervisor;
  private readonly onlineListeners = new Set<(online: boolean) => void>();
  private readonly identityListeners: ((identity: AgentIdentity) => Promise<void>)[] = [];
  private target: Target | null = null;
  private connection: Connection | null = null;
  /** Own id at the current target, once a server confirmed it. */
  private agentId: string | null = null;
  /** The agent that was online last; tasks that were announced before the first one are its own. */
  private lastAgentId: string | null = null;
  private announcedOnline = false;
  private paused = false;
  private closed: Promise<void> | null = null;

  constructor({ handler, clock, telemetry, random = Math.random, options = {} }: BorgeeChatServerParts) {
    this.options = { ...DEFAULT_CLIENT_OPTIONS, ...options };
    this.clock = clock;
    this.telemetry = telemetry;
    this.state = new ConnectionState(clock, telemetry);
    this.tasks = new TaskTracker(clock, this.counters, this.options);
    this.intake = new Intake(handler, clock, telemetry, this.counters, this.options, () => this.intakeBounds(), {
      paused: (paused) => this.intakePaused(paused),
      stalled: () => this.connection?.close(1001, { cause: 'stalled' }),
    });
    const targets = {
      intake: this.intake,
      acks: new ConfigAcks(this.options.rememberedAcks),
      remoteControl: new RemoteControl((message) => this.sendMessage(message), handler, telemetry, this.counters),
      disabled: (connection: Connection) => connection.close(1000, { cause: 'disabled' }),
      overflow: (connection: Connection) => connection.close(1001, { cause: 'flooded' }),
      maxHeldBytes: () => this.intakeBounds().maxBytes,
    };
    this.router = new FrameRouter(targets, clock, telemetry, this.counters, this.options);
    const hooks = {
      open: (target: ConnectionTarget) => this.open(target),
      ended: (end: ConnectionEnd) => this.ended(end),
    };
    this.supervisor = new Supervisor(hooks, this.state, this.intake, clock, random, this.options);
  }

  get online(): boolean {
    return this.connection?.online === true && !this.intake.paused && !this.paused;
  }

  configure(settings: BorgeeSettings, apiKey: string): void {
    if (this.closed !== null) return;
    const target: Target = { settings: Object.assign(new BorgeeSettings(), settings), apiKey };
    const same = this.target !== null && connects(this.target) === connects(target);
    this.target = same && this.target !== null ? { ...this.target, settings: target.settings } : target;
    if (same) return;
    this.agentId = null;
    this.router.discardHeld();
    this.supervisor.serve(target);
    this.announce();
  }

  retryNow(): void {
    this.supervisor.retryNow();
  }

  setPaused(paused: boolean): void {
    if (paused === this.paused || this.closed !== null) return;
    this.paused = paused;
    this.announce();
    if (paused) void this.pauseOnceAnswered();
    else this.supervisor.setPaused(false);
  }

  close(): Promise<void> {
    this.closed ??= this.shutDown();
    return this.closed;
  }

  status(): ChatServerStatus {
    return {
      state: this.state.state,
      reason: this.state.reason,
      since: this.state.since,
      attempt: this.state.attempt,
      queuedBytes: this.intake.queuedBytes,
      counters: this.counters.snapshot(),
    };
  }

  onOnlineChange(listener: (online: boolean) => void): () => void {
    this.onlineListeners.add(listener);
    return () => this.onlineListeners.delete(listener);
  }

  onIdentity(listener: (identity: AgentIdentity) => Promise<void>): void {
    this.identityListeners.push(listener);
  }

  split(channelId: string, replyToId: string | null, text: string): string[] {
    const agentId = this.agentId ?? (this.target?.settings.agent_id || UNKNOWN_AGENT_ID);
    return splitText(text, messageBudget(agentId, channelId, replyToId));
  }

  async sendMessage(message: { channelId: string; content: string; replyToId: string | null }): Promise<string> {
    const { channelId, content, replyToId } = message;
    const payload = { channel_id: channelId, content: content.toWellFormed(), reply_to_id: replyToId };
    const checked = checkSentMessageResult(await this.perform('send_message', payload));
    if (!checked.ok) throw new SendError('uncertain', ErrorCode.ProtocolError);
    return checked.value.message_id;
  }

  async editMessage(edit: { messageId: string; content: string }): Promise<void> {
    await this.perform('edit_message', { message_id: edit.messageId, content: edit.content.toWellFormed() });
  }

  async deleteMessage(messageId: string): Promise<void> {
    await this.perform('delete_message', { message_id: messageId });
  }

  taskStarted(task: AgentTask): void {
    this.tasks.started(task);
  }

  taskFinished(taskId: string, end: TaskEnd): Promise<void> {
    return this.tasks.finished(taskId, end);
  }

  private perform(action: string, payload: object): Promise<unknown> {
    const { connection, agentId } = this;
    if (connection === null || agentId === null || !this.online) {
      return Promise.reject(new SendError('not_sent', ErrorCode.NotOnline));
    }
    return connection.actions.perform(agentId, action, payload);
  }

  private open(target: ConnectionTarget): Connection {
    this.router.unidentified();
    this.connection = new Connection(target, this.options, this.clock, this.counters, {
      opened: (connection) => void this.greet(connection),
      message: (connection, data) => this.router.message(connection, data),
      confirmed: (_connection, ping) => this.tasks.confirmed(ping),
    });
    return this.connection;
  }

  /** A write whose answer is still on its way would become uncertain by the end of the connection. */
  private async pauseOnceAnswered(): Promise<void> {
    if (this.connection !== null) await this.connection.actions.whenIdle();
    if (this.paused) this.supervisor.setPaused(true);
  }

  /** From the open socket to ONLINE: who am I, does the ledger agree, what came meanwhile (bpp 1.4). */
  private async greet(connection: Connection): Promise<void> {
    const { target } = this;
    if (target === null) return;
    try {
      const agentId = this.agentId ?? (await askIdentity(connection.actions, target.settings.agent_id));
      if (connection.isEnding()) return;
      connection.handshakeDone();
      for (const listener of this.identityListeners) await listener({ origin: target.settings.base_url, agentId });
      if (!connection.isEnding()) this.welcome(connection, agentId);
    } catch (error) {
      connection.close(1000, endOfGreeting(error));
    }
  }

  private welcome(connection: Connection, agentId: string): void {
    if (this.lastAgentId !== null && this.lastAgentId !== agentId) this.tasks.clear();
    this.lastAgentId = agentId;
    this.agentId = agentId;
    this.router.identified(connection, agentId);
    if (connection.isEnding()) return;
    connection.goOnline(agentId);
    this.counters.add('connections');
    this.supervisor.wentOnline();
    this.showOnline();
    this.tasks.attach({
      agentId,
      get nextPing() {
        return connection.nextPing;
      },
      send: (text, written) => connection.offer('regular', text, { written }) !== null,
      ping: () => connection.pingNow(),
    });
    this.announce();
  }

  private ended(end: ConnectionEnd): void {
    this.connection = null;
    this.tasks.detach();
    if (end.cause === 'identity_refused') {
      this.agentId = null;
      this.router.discardHeld();
    }
    if (end.cause === 'dead_peer') this.counters.add('dead_peers');
    if (end.cause === 'frame_too_large') this.counters.add('frames_too_large');
    if (end.cause !== 'own') this.counters.add('drops');
    this.announce();
  }

  private intakePaused(paused: boolean): void {
    if (paused) this.connection?.pause();
    else this.connection?.resume();
    if (this.connection?.online === true) this.showOnline();
    this.announce();
  }

  private showOnline(): void {
    if (this.intake.paused) this.state.set('intake_paused', ErrorCode.LedgerWriteFailed);
    else this.state.set('online');
  }

  /** Tells the listeners when `online` has changed. */
  private announce(): void {
    const { online } = this;
    if (online === this.announcedOnline) return;
    this.announcedOnline = online;
    for (const listener of this.onlineListeners) {
      try {
        listener(online);
      } catch (error) {
        this.telemetry.emit('error.unexpected', { where: 'gateway.online_listener', code: codeOf(error), ids: {} });
      }
    }
  }

  private intakeBounds(): { maxBytes: number; stallMs: number } {
    const settings = this.target?.settings;
    if (settings === undefined) return { maxBytes: Infinity, stallMs: Infinity };
    return { maxBytes: settings.intake_queue_max_bytes, stallMs: settings.intake_stall_seconds * 1_000 };
  }

  private async shutDown(): Promise<void> {
    await this.supervisor.close();
    await this.intake.close();
    this.tasks.close();
    this.announce();
    this.state.set('stopped');
  }
}

/** The part of a target that a connection depends on; other settings change without one. */
function connects({ settings, apiKey }: Target): string {
  const { base_url, agent_id, allow_insecure_loopback, max_inbound_frame_bytes, auth_probe_interval_seconds } =
    settings;
  return JSON.stringify([
    base_url,
    agent_id,
    allow_insecure_loopback,
    max_inbound_frame_bytes,
    auth_probe_interval_seconds,
    apiKey,
  ]);
}
