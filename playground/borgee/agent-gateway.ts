// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ClientFrame } from '../../src/modules/gateway/borgee/wire/index.js';
import type { PlaygroundEntry, Recorder } from '../record/index.js';
import { ActionDesk } from './actions/action-desk.js';
import { AgentConnection, type AnyFrame, type ConnectionHost } from './connection/agent-connection.js';
import { type ClosePoint, Faults } from './faults/index.js';
import type { EchoOrder } from './options.js';
import type { Violation } from './strict/checks.js';
import { ConnectionRules, StrictMemory } from './strict/connection-rules.js';
import type { HeartbeatBounds } from './strict/heartbeat-rule.js';
import type { TaskVerdict } from './strict/task-book.js';
import { checkUpgrade } from './strict/upgrade-rules.js';
import { answerUpgrade, authorizationOf, decideUpgrade, upgradeEntry, VERSION_HEADER } from './upgrade.js';
import type { World } from './world/index.js';

/** Largest message that is read at all, bytes; above it ws itself closes with 1009. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

/** Patience with a client that does not answer a close, ms (bpp 1.12). */
const CLOSE_MS = 1_000;

/** An offered subprotocol is taken, so that its sender sees the close that follows from it; pongs are ours, for the half-open knob. */
const SOCKET_OPTIONS = {
  noServer: true,
  perMessageDeflate: false,
  autoPong: false,
  clientTracking: false,
  maxPayload: MAX_READ_BYTES,
  closeTimeout: CLOSE_MS,
  handleProtocols: (offered: Set<string>): string | false => [...offered][0] ?? false,
};

export interface AgentGatewayOptions {
  readonly apiKey: string;
  readonly recorder: Recorder<PlaygroundEntry>;
  readonly world: World;
  readonly echo: EchoOrder;
  readonly echoChanges: boolean;
  readonly dropBehind: number;
  readonly whileOffline: 'lose' | 'queue';
  readonly heartbeat: HeartbeatBounds;
}

/** A broken check with the connection that broke it. */
export interface RecordedViolation extends Violation {
  readonly conn: number | null;
}

/** The agent's side of the playground: its upgrades, connections, frames and results. */
export class AgentGateway {
  readonly faults = new Faults();
  readonly violations: RecordedViolation[] = [];
  readonly memory = new StrictMemory();
  readonly desk: ActionDesk;
  private readonly sockets: WebSocketServer;
  private readonly connections = new Set<AgentConnection>();
  private readonly presenceListeners = new Set<() => void>();
  private readonly backlog: AnyFrame[] = [];
  private upgradeHeaders: readonly string[] = [];
  private newest: AgentConnection | null = null;
  private count = 0;
  private dropped = 0;

  constructor(private readonly options: AgentGatewayOptions) {
    this.desk = new ActionDesk({
      world: options.world,
      recorder: options.recorder,
      faults: this.faults,
      echo: options.echo,
      echoChanges: options.echoChanges,
      deliver: (frame) => this.deliver(frame),
      current: () => this.current,
    });
    this.sockets = new WebSocketServer(SOCKET_OPTIONS);
    this.sockets.on('headers', (headers) => headers.push(...this.upgradeHeaders));
  }

  /** The agent's newest connection while it is open; like the real server, an older one gets nothing any more (bpp 7.3). */
  get current(): AgentConnection | null {
    return this.newest?.open === true ? this.newest : null;
  }

  /** The agent is connected and has said so. */
  get online(): boolean {
    return this.current?.connected === true;
  }

  /** Channels in which the agent works. */
  get busy(): readonly string[] {
    return this.memory.tasks.busyChannels;
  }

  /** Frames that fell out of full outgoing buffers. */
  get drops(): number {
    return this.dropped + [...this.connections].reduce((sum, connection) => sum + connection.drops, 0);
  }

  /** Calls a listener when `online` or `busy` may have changed. @returns a function that ends it */
  onPresence(listener: () => void): () => void {
    this.presenceListeners.add(listener);
    return () => void this.presenceListeners.delete(listener);
  }

  /** Sends a frame to the agent; without one it is lost or waits, as the options say. */
  deliver(frame: AnyFrame): void {
    if (this.online) this.current?.send(frame);
    else if (this.options.whileOffline === 'queue') this.backlog.push(frame);
  }

  /** Takes an upgrade request. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const authorization = authorizationOf(request, this.options.apiKey);
    const decision = decideUpgrade(request, authorization, () => this.faults.takeUpgrade());
    const status = decision.kind === 'accept' ? 101 : decision.kind === 'answer' ? decision.status : null;
    const number = decision.kind === 'accept' ? ++this.count : null;
    this.options.recorder.append(upgradeEntry(request, authorization, number, status));
    if (decision.kind === 'close') socket.destroy();
    if (decision.kind === 'answer') answerUpgrade(socket, decision.status, decision.headers);
    if (decision.kind !== 'accept' || number === null) return;
    socket.setNoDelay(true);
    this.upgradeHeaders = decision.versionHeader.map((value) => `${VERSION_HEADER}: ${value}`);
    this.sockets.handleUpgrade(request, socket, head, (ws) => this.accept(number, ws, socket, request));
    this.upgradeHeaders = [];
  }

  /** Cuts every connection and forgets what waits. */
  cut(): void {
    this.desk.clear();
    for (const connection of this.connections) connection.kill();
  }

  private accept(number: number, ws: WebSocket, socket: Socket, request: IncomingMessage): void {
    const rules = new ConnectionRules(this.options.world.agent.id, this.memory, this.options.heartbeat, (broken) =>
      connection.refuse(broken),
    );
    const connection = new AgentConnection(number, ws, socket, this.hostOf(rules));
    this.connections.add(connection);
    this.newest = connection;
    const broken = checkUpgrade(request);
    if (broken !== null) connection.refuse(broken);
    else this.closeIfPlanned(connection, 'before-connect');
    this.tellPresence();
  }

  private hostOf(rules: ConnectionRules): ConnectionHost {
    return {
      recorder: this.options.recorder,
      rules,
      dropBehind: this.options.dropBehind,
      onFrame: (connection, frame) => this.handle(connection, rules, frame),
      onWritten: (connection, frame) => this.written(connection, rules, frame),
      onViolation: (connection, broken) => this.violate(connection.number, broken),
      onClosed: (connection) => {
        this.dropped += connection.drops;
        this.connections.delete(connection);
        this.tellPresence();
      },
    };
  }

  private handle(connection: AgentConnection, rules: ConnectionRules, frame: ClientFrame): void {
    switch (frame.type) {
      case 'connect':
        connection.connected = true;
        for (const waiting of this.backlog.splice(0)) connection.send(waiting);
        this.tellPresence();
        return;
      case 'semantic_action':
        this.desk.take(connection, rules, frame);
        return;
      case 'task_started':
        this.note(connection, this.memory.tasks.start(frame, connection.number), (repeated) => {
          const { task_id, channel_id } = frame;
          return { kind: 'task_started', task_id, channel_id, repeated };
        });
        return;
      case 'task_finished':
        this.note(connection, this.memory.tasks.finish(frame, connection.number), (repeated) => {
          const { task_id, channel_id, outcome, reason } = frame;
          return { kind: 'task_finished', task_id, channel_id, outcome, reason, repeated };
        });
        return;
      case 'heartbeat':
      case 'agent_config_ack':
      case 'response':
      case 'pong':
      case 'typing':
        // The rules have taken them; nothing follows from them here.
        return;
    }
  }

  private note(connection: AgentConnection, verdict: TaskVerdict, entry: (repeated: boolean) => PlaygroundEntry): void {
    if ('broken' in verdict) {
      connection.refuse(verdict.broken);
      return;
    }
    this.options.recorder.append(entry(verdict.repeated));
    this.tellPresence();
  }

  /** What the server has really sent decides what may come back. */
  private written(connection: AgentConnection, rules: ConnectionRules, frame: AnyFrame): void {
    if (frame.type === 'ping') rules.exchange.pinged();
    if (frame.type === 'request' && typeof frame['id'] === 'string') rules.exchange.requested(frame['id']);
    if (frame.type === 'agent_config_update') rules.exchange.updated(frame);
    if (frame.type === 'inbound_message' && (frame['kind'] === 'message' || frame['kind'] === 'mention')) {
      this.closeIfPlanned(connection, 'after-delivery');
    }
  }

  private closeIfPlanned(connection: AgentConnection, at: ClosePoint): void {
    const code = this.faults.takeClose(at);
    if (code !== null) connection.close(code);
  }

  private violate(conn: number | null, broken: Violation): void {
    this.violations.push({ ...broken, conn });
    this.options.recorder.append({ kind: 'violation', conn, ...broken });
  }

  private tellPresence(): void {
    for (const listener of this.presenceListeners) listener();
  }
}
