// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between two ends and keeps every byte that passes. */
export class WireTap {
  private readonly bytes: Buffer[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** Starts to pass on to an address. */
  static async between(host: string, port: number): Promise<WireTap> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const tap = new WireTap(server, (server.address() as AddressInfo).port);
    server.on('connection', (near) => tap.join(near, connect(port, host)));
    return tap;
  }

  /** Everything that passed, in both directions. */
  text(): string {
    return Buffer.concat(this.bytes).toString('latin1');
  }

  /** Cuts what is left. */
  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (chunk) => {
        this.bytes.push(chunk);
        to.write(chunk);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }
}
