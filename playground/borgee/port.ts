// SPDX-License-Identifier: Apache-2.0
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';

/** Only this machine. */
const HOST = '127.0.0.1';

/** What answers at the port. */
export interface PortHandler {
  request(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
}

/** An HTTP port on 127.0.0.1 that can go away and come back under the same number. */
export class Port {
  private server: Server | null = null;
  private readonly sockets = new Set<Socket>();
  /** The number; 0 before the first `open()`. */
  number = 0;

  constructor(private readonly handler: PortHandler) {}

  /** Listens. @param wanted number; 0: the one from before, at first any @throws the system's error */
  async open(wanted = 0): Promise<void> {
    if (this.server !== null) return;
    const server = createServer((request, response) => this.handler.request(request, response));
    server.on('upgrade', (request, socket, head) => {
      if (socket instanceof Socket) this.handler.upgrade(request, socket, head);
      else socket.destroy();
    });
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      // A peer that cuts its connection is no fault of this server; what it means is recorded where the socket is used.
      socket.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(wanted === 0 ? this.number : wanted, HOST, resolve);
    });
    this.server = server;
    this.number = (server.address() as AddressInfo).port;
  }

  /** Stops listening and cuts every connection. Idempotent. */
  async close(): Promise<void> {
    const server = this.server;
    if (server === null) return;
    this.server = null;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}
