// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { BorgeePlayground } from '../../playground/borgee/index.js';
import { CAPABILITIES, PROTOCOL_VERSION } from '../../src/modules/gateway/borgee/wire/index.js';

/** Pause between heartbeats, milliseconds (bpp 1.6). */
const HEARTBEAT_MS = 30_000;

interface ActionResult {
  readonly nonce?: unknown;
  readonly payload?: unknown;
}

/** An agent whose every word a test decides. It speaks to the playground over the wire, as the bridge does. */
export class ScriptedAgent {
  private readonly results = new Map<string, (payload: Readonly<Record<string, unknown>>) => void>();
  private readonly heartbeat: ReturnType<typeof setInterval>;

  private constructor(
    private readonly socket: WebSocket,
    private readonly agentId: string,
  ) {
    socket.on('message', (data: Buffer) => this.take(JSON.parse(data.toString('utf8')) as ActionResult));
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT_MS);
  }

  /** Connects, says who it is, and is online when this resolves. */
  static async connect(playground: BorgeePlayground): Promise<ScriptedAgent> {
    const address = `${playground.origin.replace('http', 'ws')}/ws/plugin`;
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${playground.apiKey}` } });
    await once(socket, 'open');
    const agent = new ScriptedAgent(socket, playground.agentId);
    agent.write({
      type: 'connect',
      plugin_id: 'scripted-agent',
      token: '',
      version: PROTOCOL_VERSION,
      capabilities: JSON.stringify(CAPABILITIES),
    });
    await agent.act('get_me', {});
    return agent;
  }

  /** Begins a task: from now on the agent is busy in the channel. @returns what ends the task */
  begin(channelId: string): () => void {
    const task = { task_id: randomUUID(), agent_id: this.agentId, channel_id: channelId };
    this.write({ type: 'task_started', ...task, subject: 'message', started_at: Date.now() });
    return () =>
      this.write({ type: 'task_finished', ...task, outcome: 'completed', reason: '', finished_at: Date.now() });
  }

  /** Sends a message. @returns its id */
  async send(channelId: string, content: string, replyToId: string | null = null): Promise<string> {
    const payload = await this.act('send_message', { channel_id: channelId, content, reply_to_id: replyToId });
    return String(payload['message_id']);
  }

  /** Replaces the text of an own message. */
  async edit(messageId: string, content: string): Promise<void> {
    await this.act('edit_message', { message_id: messageId, content });
  }

  /** Deletes an own message. */
  async remove(messageId: string): Promise<void> {
    await this.act('delete_message', { message_id: messageId });
  }

  /** Goes offline. */
  async close(): Promise<void> {
    clearInterval(this.heartbeat);
    if (this.socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }

  private act(action: string, payload: object): Promise<Readonly<Record<string, unknown>>> {
    const nonce = randomUUID();
    const result = new Promise<Readonly<Record<string, unknown>>>((resolve) => this.results.set(nonce, resolve));
    this.write({ type: 'semantic_action', agent_id: this.agentId, action, payload: JSON.stringify(payload), nonce });
    return result;
  }

  private take(frame: ActionResult): void {
    if (typeof frame.nonce !== 'string') return;
    const payload = typeof frame.payload === 'string' && frame.payload !== '' ? JSON.parse(frame.payload) : {};
    this.results.get(frame.nonce)?.(payload as Readonly<Record<string, unknown>>);
    this.results.delete(frame.nonce);
  }

  private beat(): void {
    const who = { plugin_id: 'scripted-agent', agent_id: this.agentId };
    this.write({ type: 'heartbeat', ...who, status: 'online', reason: '', timestamp: Date.now() });
  }

  private write(frame: object): void {
    this.socket.send(JSON.stringify(frame));
  }
}
