// SPDX-License-Identifier: Apache-2.0
import { BorgeePlayground, type BorgeePlaygroundOptions } from '../../../playground/borgee/index.js';
import { AngeliaError, ErrorCode } from '../../../src/common/errors.js';
import { Telemetry, type TelemetryEvents } from '../../../src/common/telemetry.js';
import { BorgeeSettings } from '../../../src/config/index.js';
import { BorgeeChatServer } from '../../../src/modules/gateway/borgee/borgee-chat-server.js';
import type { ClientOptions } from '../../../src/modules/gateway/borgee/client-options.js';
import type { AgentIdentity, InboundEvent, InboundHandler } from '../../../src/modules/gateway/index.js';
import { ManualClock } from '../../support/manual-clock.js';

/** Waits of the backoff are their lower half. */
const LEAST = (): number => 0;

/** A ledger in memory that a test can stop and break. */
export class MemoryLedger implements InboundHandler {
  readonly events: InboundEvent[] = [];
  readonly outbound: string[] = [];
  probes = 0;
  private held: (() => void)[] | null = null;
  private broken = false;
  private readonly watchers = new Set<() => void>();

  async receive(event: InboundEvent): Promise<void> {
    const { held } = this;
    if (held !== null) await new Promise<void>((resolve) => held.push(resolve));
    if (this.broken) throw new AngeliaError(ErrorCode.LedgerWriteFailed);
    this.events.push(event);
    this.wake();
  }

  probe(): Promise<void> {
    this.probes += 1;
    this.wake();
    return this.broken ? Promise.reject(new AngeliaError(ErrorCode.LedgerWriteFailed)) : Promise.resolve();
  }

  rememberOutbound(messageId: string): Promise<void> {
    this.outbound.push(messageId);
    this.wake();
    return Promise.resolve();
  }

  /** Commits nothing until `release()`. */
  hold(): void {
    this.held = [];
  }

  release(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const resolve of held) resolve();
  }

  /** Refuses every write until `mend()`. */
  break(): void {
    this.broken = true;
  }

  mend(): void {
    this.broken = false;
  }

  /** Waits until something holds; it is looked at after every call. What the caller does with the call's answer is done by then. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        this.watchers.delete(look);
        setImmediate(resolve);
      };
      this.watchers.add(look);
      look();
    });
  }

  /** Waits for so many receipts. */
  async receipts(count: number): Promise<readonly InboundEvent[]> {
    await this.until(() => this.events.length >= count);
    return this.events;
  }

  private wake(): void {
    for (const look of [...this.watchers]) look();
  }
}

type StateEvent = TelemetryEvents['gateway.state'];

/** The client against the strict playground, under a clock that the test moves. */
export class ChatServerWorld {
  readonly clock = new ManualClock(Date.now());
  readonly telemetry = new Telemetry();
  readonly ledger = new MemoryLedger();
  readonly states: StateEvent[] = [];
  readonly identities: AgentIdentity[] = [];
  readonly online: boolean[] = [];
  readonly rejected: TelemetryEvents['gateway.frame_rejected'][] = [];
  readonly chat: BorgeeChatServer;

  private constructor(
    readonly playground: BorgeePlayground,
    options: Partial<ClientOptions>,
  ) {
    this.telemetry.on('gateway.state', (event) => this.states.push(event));
    this.telemetry.on('gateway.frame_rejected', (event) => this.rejected.push(event));
    const { clock, telemetry, ledger: handler } = this;
    this.chat = new BorgeeChatServer({ handler, clock, telemetry, random: LEAST, options });
    this.chat.onOnlineChange((online) => this.online.push(online));
    this.chat.onIdentity((identity) => {
      this.identities.push(identity);
      return Promise.resolve();
    });
  }

  /** A playground and a client that does not dial yet. Heartbeats come by the test's clock, so their real pause says nothing. */
  static async prepare(
    options: BorgeePlaygroundOptions = {},
    client: Partial<ClientOptions> = {},
  ): Promise<ChatServerWorld> {
    const heartbeat = { minMs: 0, maxMs: 3_600_000 };
    return new ChatServerWorld(await BorgeePlayground.start({ heartbeat, ...options }), client);
  }

  /** The same, with a client that is online. */
  static async online(
    options: BorgeePlaygroundOptions = {},
    client: Partial<ClientOptions> = {},
  ): Promise<ChatServerWorld> {
    const world = await ChatServerWorld.prepare(options, client);
    world.configure();
    await world.untilOnline();
    return world;
  }

  /** Settings for the playground, with changes. */
  settings(change: Partial<BorgeeSettings> = {}): BorgeeSettings {
    return Object.assign(new BorgeeSettings(), {
      base_url: this.playground.origin,
      agent_id: '',
      allow_insecure_loopback: true,
      max_concurrent_dispatches: 4,
      drain_timeout_seconds: 30,
      max_inbound_frame_bytes: 16 * 1024 * 1024,
      auth_probe_interval_seconds: 300,
      intake_queue_max_bytes: 64 * 1024 * 1024,
      intake_stall_seconds: 60,
      ...change,
    });
  }

  configure(change: Partial<BorgeeSettings> = {}, apiKey: string = this.playground.apiKey): void {
    this.chat.configure(this.settings(change), apiKey);
  }

  get state(): string {
    return this.chat.status().state;
  }

  counter(name: string): number {
    return this.chat.status().counters[name] ?? NaN;
  }

  /** Waits for a state event; one from `from` on counts as well. */
  async untilState(match: Partial<StateEvent>, from = 0): Promise<StateEvent> {
    const matches = (event: StateEvent): boolean =>
      Object.entries(match).every(([name, value]) => event[name as keyof StateEvent] === value);
    return this.states.slice(from).find(matches) ?? (await this.telemetry.next('gateway.state', matches));
  }

  /** Waits until the client is online, and the playground knows it. */
  async untilOnline(): Promise<void> {
    if (!this.chat.online) await this.telemetry.next('gateway.state', ({ state }) => state === 'online');
    const connections = this.counter('connections');
    await this.playground.waitFor(() => this.frames('connect').length >= connections);
  }

  /** Waits for the end of a connection and the wait that follows, then lets that wait pass. */
  async reconnect(): Promise<void> {
    const from = this.states.length;
    await this.untilState({ state: 'reconnecting' }, from);
    this.clock.advance(30_000);
    await this.untilOnline();
  }

  /** Waits until everything that the server has sent has been read: it answers in order. */
  async barrier(): Promise<void> {
    await this.chat.deleteMessage('none').catch(() => undefined);
  }

  /** Frames of a type that the playground got. */
  frames(type: string): Readonly<Record<string, unknown>>[] {
    return this.playground.recorder.entries.flatMap((entry) =>
      entry.kind === 'frame' && entry.dir === 'in' && entry.type === type && entry.frame ? [entry.frame] : [],
    );
  }

  /** Number of upgrades that the playground saw. */
  get upgrades(): number {
    return this.playground.recorder.entries.filter((entry) => entry.kind === 'upgrade').length;
  }

  /** Ends everything; the client must have kept every strict check and left no timer. */
  async close(): Promise<void> {
    this.ledger.mend();
    this.ledger.release();
    await this.chat.close();
    await this.playground.close();
    this.playground.assertClean();
    if (this.clock.pending !== 0) throw new Error(`The client left ${this.clock.pending} timers.`);
  }
}
