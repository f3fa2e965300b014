// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BorgeePlayground } from './borgee/index.js';
import { keyFromFile } from './key-file.js';
import { SCRIPTED_MODEL_NAME, ScriptedModel } from './model/index.js';
import { type ModelEntry, type PlaygroundEntry, readEntries, Recorder } from './record/index.js';

/** Pause between the words of the scripted model, ms: an ordinary answer takes one to two seconds. */
const DELAY_MS = 35;

/** Entries that stay in memory: nobody in this process waits for older ones. */
const KEPT_ENTRIES = 10_000;

const USAGE = `Usage: main.js --key-file FILE [--record DIR] [--web DIR] [--port N] [--model-port N] [--delay-ms N]
  --key-file FILE  the agent's key, made there (mode 0600) when the file is missing
  --record DIR     writes playground.jsonl and model.jsonl there; what an earlier run left there is shown again
  --web DIR        folder of the built chat page
  --port N         port of the chat server, default: any
  --model-port N   port of the scripted model, default: any
  --delay-ms N     pause between the words of the scripted model, default: ${DELAY_MS}
`;

interface MainOptions {
  readonly keyFile: string;
  readonly record: string | undefined;
  readonly web: string | undefined;
  readonly port: number;
  readonly modelPort: number;
  readonly delayMs: number;
}

/** Reads the command line. @throws Error that says what is wrong */
function readOptions(args: readonly string[]): MainOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      'key-file': text,
      record: text,
      web: text,
      port: { ...text, default: '0' },
      'model-port': { ...text, default: '0' },
      'delay-ms': { ...text, default: String(DELAY_MS) },
    },
  });
  const keyFile = values['key-file'];
  if (keyFile === undefined) throw new Error('--key-file is missing.');
  return {
    keyFile,
    record: values.record,
    web: values.web,
    port: integer('--port', values.port, 65_535),
    modelPort: integer('--model-port', values['model-port'], 65_535),
    delayMs: integer('--delay-ms', values['delay-ms'], 60_000),
  };
}

function integer(flag: string, text: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > most) throw new Error(`${flag} is a number from 0 to ${most}.`);
  return value;
}

/** Starts chat server and model, says where they are, and runs until a signal comes. */
async function main(options: MainOptions): Promise<void> {
  const { record } = options;
  const playgroundFile = record === undefined ? undefined : join(record, 'playground.jsonl');
  const modelFile = record === undefined ? undefined : join(record, 'model.jsonl');
  const history = playgroundFile === undefined ? [] : readEntries<PlaygroundEntry>(playgroundFile);
  const playgroundRecord = recorder<PlaygroundEntry>(playgroundFile);
  const modelRecord = recorder<ModelEntry>(modelFile);
  const stopped = firstSignal();
  const model = await ScriptedModel.start({
    port: options.modelPort,
    delayMs: options.delayMs,
    recorder: modelRecord,
  });
  const playground = await BorgeePlayground.start({
    port: options.port,
    apiKey: keyFromFile(options.keyFile),
    recorder: playgroundRecord,
    // People who try Angelia out should not lose what they say while the bridge still starts.
    whileOffline: 'queue',
    history,
    ...(options.web === undefined ? {} : { webRoot: options.web }),
  }).catch(async (error: unknown) => {
    await model.close();
    throw error;
  });
  const { origin, agentId } = playground;
  const ready = { origin, agent_id: agentId, model_url: model.url, model_name: SCRIPTED_MODEL_NAME, pid: process.pid };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
  await stopped;
  await Promise.all([playground.close(), model.close()]);
  await Promise.all([playgroundRecord.close(), modelRecord.close()]);
}

function recorder<E extends { readonly kind: string }>(file: string | undefined): Recorder<E> {
  return new Recorder<E>({ keep: KEPT_ENTRIES, ...(file === undefined ? {} : { file }) });
}

function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  });
}

try {
  await main(readOptions(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : 'The playground failed.'}\n${USAGE}`);
  process.exitCode = 1;
}
