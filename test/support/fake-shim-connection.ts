// SPDX-License-Identifier: Apache-2.0
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';

/** An answer of the bridge. */
export interface BridgeAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** One open command stream. */
export interface OpenStream {
  readonly response: IncomingMessage;
  readonly socket: Socket;
}

/** Sockets of the fake shim: one that is kept for its POSTs, one for the command stream. */
export class FakeShimConnection {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private readonly running = new Set<ClientRequest>();

  /** @param headers for all requests, `host` included when it is to be wrong */
  constructor(
    readonly host: string,
    readonly port: number,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /**
   * Sends JSON.
   * @param body an object, or bytes as they are
   * @returns the answer; rejects when the connection ends before it
   */
  async post(
    path: string,
    body: object | Buffer,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<BridgeAnswer> {
    const payload = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const response = await this.send('POST', path, payload, headers, this.agent);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    return { status: response.statusCode ?? 0, body: JSON.parse(text) as Record<string, unknown> };
  }

  /** Opens the command stream. @returns it, or the refusal */
  async openStream(path: string, headers: Readonly<Record<string, string>>): Promise<OpenStream | BridgeAnswer> {
    const response = await this.send('GET', path, null, headers, false);
    if (response.statusCode === 200) return { response, socket: response.socket };
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  }

  /** Cuts the requests that have no answer yet. */
  cut(): void {
    for (const running of this.running) running.destroy();
  }

  /** Closes everything. */
  close(): void {
    this.cut();
    this.agent.destroy();
  }

  private send(
    method: string,
    path: string,
    payload: Buffer | null,
    headers: Readonly<Record<string, string>>,
    agent: Agent | false,
  ): Promise<IncomingMessage> {
    const { host, port } = this;
    const length = payload === null || 'transfer-encoding' in headers ? {} : { 'content-length': payload.length };
    return new Promise((resolve, reject) => {
      const sent = request({ host, port, path, method, agent, headers: { ...length, ...this.headers, ...headers } });
      this.running.add(sent);
      sent.once('close', () => this.running.delete(sent));
      sent.once('response', (response) => {
        this.running.delete(sent);
        resolve(response);
      });
      sent.on('error', reject);
      sent.end(payload ?? undefined);
    });
  }
}
