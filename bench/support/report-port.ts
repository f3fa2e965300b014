// SPDX-License-Identifier: Apache-2.0
import { connect, type Socket } from 'node:net';

/** The harness's report port: one line per fact, times of CLOCK_MONOTONIC in ns. */
export class ReportPort {
  private constructor(private readonly socket: Socket) {}

  /** @param port on 127.0.0.1 */
  static connect(port: number): Promise<ReportPort> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1').setNoDelay(true);
      socket.once('error', reject).once('connect', () => resolve(new ReportPort(socket)));
    });
  }

  /** Writes lines at once. */
  tell(lines: string): void {
    this.socket.write(lines);
  }

  /** Writes the last lines and the end of the run. */
  end(lines: string): Promise<void> {
    return new Promise((resolve) => this.socket.end(`${lines}E\n`, () => resolve()));
  }
}

/** One line of a fact about a message, with its time. */
export function factLine(fact: 'A' | 'D', messageId: string): string {
  return `${fact} ${messageId} ${String(process.hrtime.bigint())}\n`;
}
