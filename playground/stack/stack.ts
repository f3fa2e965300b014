// SPDX-License-Identifier: Apache-2.0
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BorgeePlayground, type BorgeePlaygroundOptions } from '../borgee/index.js';
import { SCRIPTED_MODEL_NAME, ScriptedModel } from '../model/index.js';
import { type ModelEntry, type PlaygroundEntry, readEntries, Recorder } from '../record/index.js';
import { type BridgeOptions, BridgeProcess } from './bridge-process.js';
import { HermesGateway, type HermesInstallation } from './hermes-gateway.js';
import { HermesHome, type ModelEndpoint } from './hermes-home.js';
import { ProcessRecord } from './process-record.js';
import { repository } from './repository.js';

/** What a stack is made of. */
export interface StackOptions {
  /** Folder that holds everything of this run. */
  readonly root: string;
  readonly installation: HermesInstallation;
  /** Answers stream by edits. */
  readonly streaming: boolean;
  /** A real model; null: the scripted one. */
  readonly model?: ModelEndpoint | null;
  /** Pause between the words of an answer without a script, ms; default: 0. */
  readonly wordDelayMs?: number;
  /** Takes the records as files; null: in memory only. What an earlier run left there is shown again. */
  readonly records?: string | null;
  /** Entries that stay in memory; default: all. */
  readonly keepEntries?: number;
  readonly playground?: BorgeePlaygroundOptions;
  readonly bridge?: BridgeOptions;
  /** Further keys of the platform block. */
  readonly platform?: Readonly<Record<string, unknown>>;
  /** Top-level keys of Hermes's config.yaml. */
  readonly overrides?: Readonly<Record<string, unknown>>;
  /** Further variables of the Hermes process. */
  readonly hermesEnv?: Readonly<Record<string, string>>;
}

/** Names of the records in the folder of evidence. */
export const EVIDENCE_FILES = {
  playground: 'playground.jsonl',
  model: 'model.jsonl',
  processes: 'processes.jsonl',
  ledger: 'ledger.sqlite3',
} as const;

/**
 * Everything that talks to each other on one machine: playground and scripted model in this process, the real bridge and the real
 * Hermes gateway as children. The two children are started by the caller, in the order that it wants.
 */
export class Stack {
  private constructor(
    readonly options: StackOptions,
    readonly playground: BorgeePlayground,
    readonly model: ScriptedModel,
    readonly processes: ProcessRecord,
    readonly home: HermesHome,
    readonly bridge: BridgeProcess,
    readonly hermes: HermesGateway,
    private readonly recorders: readonly [Recorder<PlaygroundEntry>, Recorder<ModelEntry>],
  ) {}

  /** Starts playground and model and writes the profile. @throws the system's error when a port is taken or a folder closed */
  static async prepare(options: StackOptions): Promise<Stack> {
    mkdirSync(options.root, { recursive: true, mode: 0o700 });
    const records = options.records ?? null;
    if (records !== null) mkdirSync(records, { recursive: true, mode: 0o700 });
    const recorderOf = (name: string): { file?: string; keep?: number } => ({
      ...(records === null ? {} : { file: join(records, name) }),
      ...(options.keepEntries === undefined ? {} : { keep: options.keepEntries }),
    });
    const history = records === null ? [] : readEntries<PlaygroundEntry>(join(records, EVIDENCE_FILES.playground));
    const facts = new Recorder<PlaygroundEntry>(recorderOf(EVIDENCE_FILES.playground));
    const requests = new Recorder<ModelEntry>(recorderOf(EVIDENCE_FILES.model));
    const processes = new ProcessRecord(records === null ? null : join(records, EVIDENCE_FILES.processes));
    const web = repository.webRoot;
    const playground = await BorgeePlayground.start({
      recorder: facts,
      history,
      ...(existsSync(web) ? { webRoot: web } : {}),
      ...options.playground,
    });
    const model = await ScriptedModel.start({ recorder: requests, delayMs: options.wordDelayMs ?? 0 });
    const home = new HermesHome({
      root: options.root,
      model: options.model ?? { baseUrl: model.url, name: SCRIPTED_MODEL_NAME, apiKey: 'none-needed' },
      serverUrl: playground.origin,
      apiKey: playground.apiKey,
      streaming: options.streaming,
      ...(options.platform === undefined ? {} : { platform: options.platform }),
      ...(options.overrides === undefined ? {} : { overrides: options.overrides }),
    });
    home.write();
    const bridge = new BridgeProcess(home, processes, options.bridge);
    const hermes = new HermesGateway(options.installation, home, processes, options.hermesEnv);
    return new Stack(options, playground, model, processes, home, bridge, hermes, [facts, requests]);
  }

  /** Starts bridge and Hermes and waits until messages are answered. @throws ProcessEnded when one of them ends */
  async start(): Promise<void> {
    await this.bridge.start();
    await this.bridge.ready();
    await this.hermes.start();
    await this.hermes.ready();
    await this.bridge.connected();
  }

  /** Ends Hermes, then the bridge; the playground stays. */
  async stopProcesses(): Promise<void> {
    await this.hermes.stop();
    await this.bridge.stop();
  }

  /** Ends everything; the records are complete afterwards. */
  async close(): Promise<void> {
    await this.stopProcesses();
    await this.playground.close();
    await this.model.close();
    for (const recorder of this.recorders) await recorder.close();
  }
}
