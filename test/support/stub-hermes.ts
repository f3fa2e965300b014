// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from 'node:timers/promises';
import type { StartCommand } from '../../src/modules/hermes/index.js';
import { FakeShim } from './fake-shim.js';
import { usualAnswer } from './fake-shim-protocol.js';

/** Pauses of the shim, milliseconds (docs/link.md). */
const REDIAL_MS = 50;
const RETRY_MS = 200;

/** What a stub is set up with. */
export interface StubHermesOptions {
  readonly linkFile: string;
  /** Platform block as Hermes would give it. */
  readonly platform: Readonly<Record<string, unknown>>;
  /** Threads that serve turns; default: 33, which gives 32 turns at once. */
  readonly workerThreads?: number;
}

/**
 * A Hermes that answers every turn at once with a text of its own, over the real link: for faults and amounts where the real one would only
 * cost time. It passes the start barrier like the real one.
 */
export class StubHermes {
  private readonly shim: FakeShim;
  private stopped = false;
  private serving: Promise<void> | null = null;
  private readonly retries: NodeJS.Timeout;

  constructor(options: StubHermesOptions) {
    this.shim = new FakeShim({
      linkFile: options.linkFile,
      report: {
        platform: options.platform,
        hermes: {
          group_sessions_per_user: false,
          thread_sessions_per_user: false,
          busy_input_mode: 'queue',
          multiplex_profiles: false,
          streaming: { enabled: false, transport: 'off' },
          worker_threads: options.workerThreads ?? 33,
          official_plugin_enabled: false,
        },
      },
      answer: (command) => {
        if (command.op === 'start') queueMicrotask(() => void this.serve(command));
        return usualAnswer(command);
      },
    });
    this.retries = setInterval(() => {
      if (this.shim.unacknowledged.length > 0) this.shim.retry();
    }, RETRY_MS);
  }

  /** The text that answers a message. */
  static answerTo(messageId: string): string {
    return `The stub has read ${messageId}.`;
  }

  /** Attaches, and attaches again whenever the bridge comes back. @returns when it is attached for the first time */
  async start(): Promise<void> {
    await this.shim.connect();
    this.serving = this.stayAttached();
  }

  /** Leaves for good. @throws Error when the bridge broke the protocol of the link */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.retries);
    this.shim.disconnect();
    await this.serving;
    if (this.shim.violations.length > 0) {
      throw new Error(`The bridge broke the protocol of the link: ${this.shim.violations.slice(0, 5).join(', ')}`);
    }
  }

  private async stayAttached(): Promise<void> {
    do await this.shim.streamEnded();
    while (await this.redial());
  }

  /** Dials until the bridge answers. @returns false when the stub has left for good */
  private async redial(): Promise<boolean> {
    for (;;) {
      await sleep(REDIAL_MS);
      if (this.stopped) return false;
      const isAttached = await this.shim.connect().then(
        () => true,
        () => false,
      );
      if (isAttached) return true;
    }
  }

  private async serve({ admission, chat, message_id: messageId, command }: StartCommand): Promise<void> {
    if (!command) {
      this.shim.admissions.set(admission, 'started');
      const reply = await this.shim.committed(this.shim.emit({ type: 'started', admission }));
      if (reply?.go !== true) return;
    }
    this.shim.emit({
      type: 'send',
      admission,
      handle: `handle-${admission}`,
      chat_id: chat.id,
      text: StubHermes.answerTo(messageId),
      reply_to: messageId,
    });
    const flags = { dispatched: true, started: !command, completed: true, interrupted: false };
    const ended = this.shim.emit({ type: 'ended', admission, outcome: 'completed', flags, usage: [] });
    this.shim.admissions.set(admission, 'ended');
    await this.shim.committed(ended);
    this.shim.admissions.delete(admission);
  }
}
