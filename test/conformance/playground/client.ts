// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket, type ClientOptions } from 'ws';
import type { BorgeePlayground } from '../../../playground/borgee/index.js';

export interface DialOptions extends ClientOptions {
  readonly path?: string;
  readonly protocols?: string[];
}

export type Frame = Readonly<Record<string, unknown>>;

/** Frames of the client as bpp 2.4 lists them; a test changes one thing at a time. */
export const frames = {
  connect: (change: Frame = {}): Frame => ({
    type: 'connect',
    plugin_id: 'hermes-borgee',
    token: '',
    version: 'bpp-1',
    capabilities: '["semantic_action","inbound_message","read_file"]',
    ...change,
  }),
  action: (action: string, payload: object = {}, change: Frame = {}): Frame => ({
    type: 'semantic_action',
    agent_id: 'agent-angelia',
    action,
    payload: JSON.stringify(payload),
    nonce: randomUUID(),
    ...change,
  }),
  heartbeat: (change: Frame = {}): Frame => ({
    type: 'heartbeat',
    plugin_id: 'hermes-borgee',
    agent_id: 'agent-angelia',
    status: 'online',
    reason: '',
    timestamp: Date.now(),
    ...change,
  }),
  started: (taskId: string, change: Frame = {}): Frame => ({
    type: 'task_started',
    task_id: taskId,
    agent_id: 'agent-angelia',
    channel_id: 'channel-general',
    subject: 'Working on a message',
    started_at: Date.now(),
    ...change,
  }),
  finished: (taskId: string, change: Frame = {}): Frame => ({
    type: 'task_finished',
    task_id: taskId,
    agent_id: 'agent-angelia',
    channel_id: 'channel-general',
    outcome: 'completed',
    reason: '',
    finished_at: Date.now(),
    ...change,
  }),
};

/** A small client without any care of its own: it sends what a test tells it to, and keeps what it hears. */
export class RawClient {
  readonly heard: Frame[] = [];
  pongs = 0;
  private readonly waiters = new Set<() => void>();
  private code: number | null = null;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.heard.push(JSON.parse(data.toString()) as Frame);
      this.wake();
    });
    socket.on('pong', () => {
      this.pongs += 1;
      this.wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      this.code = code;
      this.wake();
    });
  }

  /** Dials; resolves after the 101. @throws Error when the upgrade is refused */
  static async dial(playground: BorgeePlayground, options: DialOptions = {}): Promise<RawClient> {
    const client = RawClient.start(playground, options);
    await once(client.socket, 'open');
    return client;
  }

  /** Dials and says `connect`. */
  static async connected(playground: BorgeePlayground): Promise<RawClient> {
    const client = await RawClient.dial(playground);
    const last = playground.recorder.entries.at(-1)?.n ?? 0;
    client.send(frames.connect());
    await playground.waitFor((entry) => entry.n > last && entry.kind === 'frame' && entry.type === 'connect');
    return client;
  }

  /** Starts to dial. */
  static start(playground: BorgeePlayground, dial: DialOptions = {}): RawClient {
    const { path = '/ws/plugin', protocols = [], ...options } = dial;
    const headers = { authorization: `Bearer ${playground.apiKey}`, ...options.headers };
    const url = `${playground.origin.replace('http', 'ws')}${path}`;
    return new RawClient(new WebSocket(url, protocols, { ...options, headers }));
  }

  send(frame: Frame): void {
    this.socket.send(JSON.stringify(frame));
  }

  /** Sends an action and waits for its result. */
  async act(action: string, payload: object = {}): Promise<Frame> {
    const frame = frames.action(action, payload);
    this.send(frame);
    return this.hear((heard) => heard['nonce'] === frame['nonce'] || heard['request_id'] === frame['nonce']);
  }

  /** Waits for a frame; one that was heard already counts. */
  async hear(match: (frame: Frame) => boolean): Promise<Frame> {
    await this.until(() => this.heard.some(match));
    return this.heard.find(match)!;
  }

  /** Waits for the end of the connection. @returns the close code */
  async closed(): Promise<number> {
    await this.until(() => this.code !== null);
    return this.code!;
  }

  /** Waits until something holds; it is looked at whenever the client hears something. */
  until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        this.waiters.delete(look);
        resolve();
      };
      this.waiters.add(look);
    });
  }

  private wake(): void {
    for (const look of [...this.waiters]) look();
  }
}

/** The payload of a result, decoded. */
export function payloadOf(result: Frame): unknown {
  const text = result['payload'];
  return text === '' ? null : (JSON.parse(String(text)) as unknown);
}
