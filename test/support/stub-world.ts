// SPDX-License-Identifier: Apache-2.0
import type { PlaygroundEntry, Recorded } from '../../playground/record/index.js';
import { StubHermes } from './stub-hermes.js';
import { World, type WorldOptions } from './world.js';

/** A world with the real bridge and the strict playground, and a stub in the place of Hermes. */
export class StubWorld {
  private constructor(
    readonly world: World,
    readonly hermes: StubHermes,
  ) {}

  /** Starts everything and waits until messages are answered. */
  static async start(options: WorldOptions = {}): Promise<StubWorld> {
    const world = await World.start({ ...options, start: false, bridge: { logLevel: 'info', ...options.bridge } });
    const stub = new StubHermes({
      linkFile: world.home.linkFile,
      platform: {
        base_url: world.playground.origin,
        allow_insecure_loopback: true,
        max_concurrent_dispatches: 32,
        ...options.platform,
      },
    });
    await world.bridge.start();
    await world.bridge.ready();
    await stub.start();
    await world.bridge.connected();
    return new StubWorld(world, stub);
  }

  /** Waits for the answer to a message and the end of its task. */
  async answered(messageId: string): Promise<void> {
    await this.world.ended(messageId);
  }

  /** Waits until so many tasks have ended since the beginning. */
  finished(count: number, timeoutMs: number): Promise<void> {
    const { recorder } = this.world.playground;
    const tasks = new Set<string>();
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        stopListening();
        settle();
      };
      const timer = setTimeout(
        () => end(() => reject(new Error(`${tasks.size} of ${count} tasks ended within ${timeoutMs / 1000} s.`))),
        timeoutMs,
      );
      const take = (entry: Recorded<PlaygroundEntry>): void => {
        if (entry.kind !== 'task_finished') return;
        tasks.add(entry.task_id);
        if (tasks.size >= count) end(resolve);
      };
      const stopListening = recorder.onEntry(take);
      for (const entry of recorder.entries) if (tasks.size < count) take(entry);
    });
  }

  /** Ids that the agent's messages in a channel answer, in their order. */
  answeredIn(channelId: string): readonly string[] {
    return this.world.playground
      .messages(channelId)
      .filter((message) => message.byAgent)
      .map((message) => message.replyToId ?? '');
  }

  async close(): Promise<void> {
    await this.world.stack.stopProcesses();
    await this.hermes.stop();
    await this.world.close();
  }
}

/** One stub world for all tests of a file; it is closed after them. */
export function stubWorldOfFile(options: WorldOptions = {}): () => StubWorld {
  let stub: StubWorld | undefined;
  beforeAll(async () => void (stub = await StubWorld.start(options)));
  afterAll(() => stub?.close());
  return () => {
    if (stub === undefined) throw new Error('The world has not started.');
    return stub;
  };
}
