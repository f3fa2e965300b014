// SPDX-License-Identifier: Apache-2.0
import { jest } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  audit,
  type AuditReport,
  type AuditScope,
  chatEvents,
  copyLedger,
  type LedgerRecord,
  modelRequests,
  readLedger,
} from '../../playground/audit/index.js';
import { type BorgeePlayground, HARBOUR } from '../../playground/borgee/index.js';
import type { ModelRequest, ModelStep, ScriptedModel } from '../../playground/model/index.js';
import type { PlaygroundEntry, Recorded, TaskFinishedEntry } from '../../playground/record/index.js';
import type { BridgeProcess } from '../../playground/stack/bridge-process.js';
import type { HermesGateway } from '../../playground/stack/hermes-gateway.js';
import type { HermesHome } from '../../playground/stack/hermes-home.js';
import { killLeftovers } from '../../playground/stack/leftovers.js';
import { Stack, type StackOptions } from '../../playground/stack/stack.js';
import { hermesUnderTest } from './hermes.js';

/** How long a turn may take on a busy machine, with those that wait before it, milliseconds. */
const TURN_TIMEOUT_MS = 150_000;

/** How long a test may take, milliseconds. */
const TEST_TIMEOUT_MS = 180_000;

/** For a look at what happened: a folder in which worlds stay, with their records and logs (`ANGELIA_TEST_KEEP`). */
const KEEP_IN = process.env['ANGELIA_TEST_KEEP'] ?? null;

/** People of the playground. */
export const PEOPLE = HARBOUR.authors;

/** What a world is made of; what is left out is as usual: no streaming, everything runs. */
export interface WorldOptions extends Partial<Omit<StackOptions, 'root' | 'installation'>> {
  /** False: bridge and Hermes are started by the test. */
  readonly start?: boolean;
}

/** How the turn of a message ended. */
export interface TurnEnd {
  readonly ingestSeq: number;
  readonly state: string;
  readonly outcome: string;
  /** Texts of the agent's messages as they stand at the end of the turn. */
  readonly texts: readonly string[];
  /** They, joined by a line break. */
  readonly text: string;
}

/** The whole system, for a test: real bridge, real Hermes, playground and scripted model. */
export class World {
  private readonly silent = new Set<string>();
  private channels = 0;
  private closed = false;

  private constructor(readonly stack: Stack) {}

  /** Starts a world. */
  static async start(options: WorldOptions = {}): Promise<World> {
    const { start = true, ...stack } = options;
    const root = mkdtempSync(join(KEEP_IN ?? tmpdir(), 'angelia-world-'));
    const world = new World(
      await Stack.prepare({
        root,
        records: KEEP_IN === null ? null : join(root, 'records'),
        installation: hermesUnderTest(),
        streaming: false,
        ...stack,
        bridge: { logLevel: 'debug', ...stack.bridge },
      }),
    );
    if (!start) return world;
    try {
      await world.stack.start();
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  get playground(): BorgeePlayground {
    return this.stack.playground;
  }

  get model(): ScriptedModel {
    return this.stack.model;
  }

  get bridge(): BridgeProcess {
    return this.stack.bridge;
  }

  get hermes(): HermesGateway {
    return this.stack.hermes;
  }

  get home(): HermesHome {
    return this.stack.home;
  }

  /** A fresh channel. @returns its id */
  channel(): string {
    this.channels += 1;
    return this.playground.addChannel({ id: `channel-test-${this.channels}` }).id;
  }

  /** A fresh direct message. @returns its id */
  directMessage(personId: string = PEOPLE.Mira): string {
    this.channels += 1;
    return this.playground.addChannel({ id: `dm-test-${this.channels}`, type: 'dm', personId }).id;
  }

  /** A person says something. @returns the id of the message */
  say(channelId: string, text: string, personId: string = PEOPLE.Mira): string {
    return this.playground.say(channelId, personId, text).id;
  }

  /** The bridge calls itself online once its first frame is written; what is said before the server has read it would be lost. */
  async agentOnline(): Promise<void> {
    while (!this.playground.online) {
      await new Promise<void>((resolve) => {
        const stop = this.playground.recorder.onEntry(() => {
          stop();
          setImmediate(resolve);
        });
      });
    }
  }

  /** Sets the model's answers to `[[tag]]`. */
  script(tag: string, ...steps: readonly ModelStep[]): void {
    this.model.script(tag, steps);
  }

  /** Says something whose answer is scripted, and waits for the end of the turn. */
  async ask(channelId: string, tag: string, ...steps: readonly ModelStep[]): Promise<TurnEnd> {
    this.script(tag, ...steps);
    return this.ended(this.say(channelId, `Question [[${tag}]]`));
  }

  /** Waits for the end of a message's turn: the terminal commit, and what people see of it. */
  async ended(messageId: string): Promise<TurnEnd> {
    const line = await this.terminal(messageId);
    const taskId = `borgee-${String(line['ingestSeq'])}-${String(line['claim']).slice(0, 12)}`;
    await this.entry(
      (entry): entry is Recorded<TaskFinishedEntry> => entry.kind === 'task_finished' && entry.task_id === taskId,
    );
    return this.turnEnd(messageId, line);
  }

  /** Waits for the terminal commit and the first answer of a message that is shown as no task: slash commands. */
  async answered(messageId: string): Promise<TurnEnd> {
    const line = await this.terminal(messageId);
    const { channelId } = this.playground.world.message(messageId);
    const said = this.playground.recorder.entries.find(
      (entry) => entry.kind === 'sent' && entry.message_id === messageId,
    );
    await this.entry((entry) => entry.kind === 'answer' && entry.channel_id === channelId && entry.n > (said?.n ?? 0));
    return this.turnEnd(messageId, line);
  }

  /** Waits for an entry of the playground's record. */
  entry<T extends Recorded<PlaygroundEntry>>(matches: (entry: Recorded<PlaygroundEntry>) => entry is T): Promise<T>;
  entry(matches: (entry: Recorded<PlaygroundEntry>) => boolean): Promise<Recorded<PlaygroundEntry>>;
  entry(matches: (entry: Recorded<PlaygroundEntry>) => boolean): Promise<Recorded<PlaygroundEntry>> {
    return this.playground.waitFor(matches, TURN_TIMEOUT_MS, 'an entry of the playground');
  }

  /** Waits for a line of the bridge's log. @param event name of the catalogue */
  logged(
    event: string,
    fields: Readonly<Record<string, unknown>> = {},
    from = 0,
  ): Promise<Readonly<Record<string, unknown>>> {
    const wanted = Object.entries(fields);
    return this.bridge.logged(
      (line) => line['event'] === event && wanted.every(([name, value]) => line[name] === value),
      `${event} ${JSON.stringify(fields)}`,
      { from, timeoutMs: TURN_TIMEOUT_MS },
    );
  }

  /** Requests of turns whose newest user text holds this. */
  requestsFor(text: string): readonly ModelRequest[] {
    return this.model.chats.filter((request) => request.last_user.includes(text));
  }

  /** What the agent said in a channel, as it stands now. */
  answersIn(channelId: string): readonly string[] {
    return this.playground
      .messages(channelId)
      .filter((message) => message.byAgent && !message.deleted)
      .map((message) => message.body);
  }

  /** The auditor does not expect the model's text in answer to this message. */
  expectSilence(messageId: string): void {
    this.silent.add(messageId);
  }

  /** Copies the ledger. The bridge must have ended. */
  ledger(): LedgerRecord {
    const copy = join(this.stack.options.root, 'ledger-copy.sqlite3');
    copyLedger(this.home.ledgerFile, copy);
    return readLedger(copy);
  }

  /** Ends Hermes and the bridge and judges everything that happened, by the three records. */
  async audit(scope: AuditScope = {}): Promise<AuditReport> {
    await this.stack.stopProcesses();
    const { entries } = this.playground.recorder;
    const said = entries.filter((entry) => entry.kind === 'sent').map((entry) => entry.message_id);
    return audit(
      { chat: chatEvents(entries), model: modelRequests(this.model.recorder.entries), ledger: this.ledger() },
      { answered: said.filter((id) => !this.silent.has(id)), ...scope },
    );
  }

  /** Ends everything and removes it. @throws Error when the client broke a strict check or a process was left */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.stack.close();
    const left = killLeftovers(this.stack.options.root);
    if (KEEP_IN === null) this.home.remove();
    this.playground.assertClean();
    const running = this.stack.processes.running();
    if (left.length > 0 || running.length > 0) {
      throw new Error(`Processes were left behind: ${JSON.stringify([...left, ...running])}`);
    }
  }

  private terminal(messageId: string): Promise<Readonly<Record<string, unknown>>> {
    return this.logged('receipt.terminal', { messageId });
  }

  private turnEnd(messageId: string, line: Readonly<Record<string, unknown>>): TurnEnd {
    const { channelId } = this.playground.world.message(messageId);
    const timeline = this.playground.messages(channelId);
    const after = timeline
      .slice(timeline.findIndex((message) => message.id === messageId) + 1)
      .filter((message) => message.byAgent);
    const begin = after.findIndex((message) => message.replyToId === messageId || message.replyToId === null);
    const own = after.slice(begin === -1 ? after.length : begin);
    const next = own.findIndex((message) => message.replyToId !== null && message.replyToId !== messageId);
    const texts = own
      .slice(0, next === -1 ? own.length : next)
      .filter((message) => !message.deleted)
      .map((message) => message.body);
    return {
      ingestSeq: Number(line['ingestSeq']),
      state: String(line['state']),
      outcome: String(line['outcome']),
      texts,
      text: texts.join('\n'),
    };
  }
}

/**
 * One world for all tests of a file; it is closed after them.
 * @returns gives the world, inside of tests
 */
export function worldOfFile(options: WorldOptions = {}): () => World {
  jest.setTimeout(TEST_TIMEOUT_MS);
  let world: World | undefined;
  beforeAll(async () => void (world = await World.start(options)));
  afterAll(() => world?.close());
  return () => {
    if (world === undefined) throw new Error('The world has not started.');
    return world;
  };
}

/**
 * Declares the last test of a file: the auditor over everything that happened in it.
 * @param scope what it is to leave out
 */
export function auditAtTheEnd(world: () => World, scope: AuditScope = {}): void {
  it('[INB-1] [INB-2] [SCH-1] [TST-2] the three records agree: nothing lost, nothing repeated, no invariant broken', async () => {
    expect(await world().audit(scope)).toMatchObject({ lost: [], repeated: [], violations: [] });
  });
}
