// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, type UpArguments, UsageError } from './arguments.js';
import { CHECK_MESSAGES, type CheckResult, collectEvidence, converse, judgeEvidence, surviveKill } from './check.js';
import { EnvironmentError, readEnvironment, type UpEnvironment } from './environment.js';
import { GrowingFile } from './growing-file.js';
import { keep, readKept } from './kept-home.js';
import { killLeftovers } from './leftovers.js';
import { lastLines, ProcessEnded } from './managed-process.js';
import { prettyLine } from './pretty-log.js';
import { repository } from './repository.js';
import { EVIDENCE_FILES, Stack } from './stack.js';
import { StepFailed, Steps } from './steps.js';
import { type Terminal, terminalOf, tone } from './terminal.js';

/** Exit codes (sysexits and the shell's convention for Ctrl-C). */
const EXIT = { ok: 0, failed: 1, usage: 64, interrupted: 130 } as const;

/** Lines of a log that are shown when its part fails. */
const LAST_LINES = 20;

/** Pause between the words of the scripted model, so that people see them come, milliseconds. */
const WORD_DELAY_MS = 35;

/** Entries of the records that stay in memory while a person looks on. */
const KEPT_ENTRIES = 10_000;

/** Signals that end the command; the second one ends it at once. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Somebody wants the command to end. */
class Interrupted extends Error {}

/** One run of `bin/up`. */
class Up {
  private readonly stopped = new AbortController();
  private readonly screen: Terminal;
  private readonly steps: Steps;
  private readonly root: string;
  /** Folder of the records; of a check it is the evidence. */
  private readonly records: string;
  private readonly setupSeconds: number;
  private stack: Stack | null = null;
  private ready: number | null = null;
  /** The step that runs; after Ctrl-C it is still on its way. */
  private acting: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly args: UpArguments,
    private readonly environment: UpEnvironment,
  ) {
    this.setupSeconds = this.elapsed();
    this.screen = terminalOf(args.check ? process.stderr : process.stdout, environment.noColor);
    this.steps = new Steps(this.screen);
    this.root = args.home ?? mkdtempSync(join(tmpdir(), 'angelia-up-'));
    mkdirSync(this.root, { recursive: true, mode: 0o700 });
    this.records = args.evidence ?? join(this.root, args.check ? 'evidence' : 'records');
    for (const name of STOP_SIGNALS) process.on(name, this.onSignal);
  }

  /** Runs until the end. @returns the exit code */
  async run(): Promise<number> {
    try {
      await this.bringUp();
      return this.args.check ? await this.check() : await this.stay();
    } catch (error) {
      return this.explain(error);
    } finally {
      await this.tearDown();
    }
  }

  private readonly onSignal = (): void => {
    if (this.stopped.signal.aborted) killLeftovers(this.root);
    this.stopped.abort(new Interrupted());
  };

  /** Seconds since the command began. */
  private elapsed(at = Date.now()): number {
    return Math.round(at - this.args.startedAt * 1000) / 1000;
  }

  private async bringUp(): Promise<void> {
    const { hermes: version } = this.args;
    this.screen.line(`Starting (Hermes Agent ${version}${this.environment.model === null ? '' : ', real model'})`);
    await this.step('Playground', async () => {
      const stack = await this.prepare();
      this.stack = stack;
      return stack.playground.origin;
    });
    const stack = this.current;
    await this.step('Bridge', async () => {
      await stack.bridge.start();
      await stack.bridge.ready();
      return `pid ${stack.bridge.pid}`;
    });
    await this.step('Hermes', async () => {
      await stack.hermes.start();
      await stack.hermes.ready();
      return `pid ${stack.hermes.pid}`;
    });
    await this.step('Connected', async () => {
      await stack.bridge.connected();
      return undefined;
    });
    this.ready = this.elapsed();
  }

  private async prepare(): Promise<Stack> {
    const kept = readKept(this.root);
    if (this.args.check) {
      for (const name of Object.values(EVIDENCE_FILES)) rmSync(join(this.records, name), { force: true });
    }
    const { hermes: version } = this.args;
    const stack = await Stack.prepare({
      root: this.root,
      installation: { venv: repository.hermesEnvironment(version), version },
      streaming: true,
      model: this.environment.model,
      wordDelayMs: WORD_DELAY_MS,
      records: this.records,
      ...(this.args.check ? {} : { keepEntries: KEPT_ENTRIES }),
      playground: { dropBehind: 256, whileOffline: 'queue', ...kept },
    });
    keep(this.root, stack.playground);
    return stack;
  }

  /** Runs a step; Ctrl-C ends the wait for it. */
  private step(name: string, act: () => Promise<string | undefined>): Promise<void> {
    return this.steps.run(name, () => {
      const acting = act();
      this.acting = acting;
      return Promise.race([acting, this.interruption()]);
    });
  }

  private interruption(): Promise<never> {
    const { signal } = this.stopped;
    return new Promise((_resolve, reject) => {
      const end = (): void => reject(new Interrupted());
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    });
  }

  private get current(): Stack {
    if (this.stack === null) throw new Error('The playground does not run.');
    return this.stack;
  }

  /** Shows the bridge's log until somebody ends the command or a part ends by itself. */
  private async stay(): Promise<number> {
    const { bridge, hermes, playground } = this.current;
    const address = tone(this.screen, 'strong', playground.origin);
    this.screen.line(`\n  Chat page: ${address}\n  Ctrl-C ends everything.\n`);
    const log = new GrowingFile(bridge.logFile, (line) => this.screen.line(prettyLine(line, this.screen)));
    const ended = Promise.race([
      bridge.exited.then((exit) => new ProcessEnded('bridge', exit, bridge.logFile)),
      hermes.exited.then((exit) => new ProcessEnded('Hermes gateway', exit, hermes.outputFile)),
    ]);
    try {
      throw await Promise.race([ended, this.interruption()]);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      this.screen.line('\nStopping');
      await this.current.stopProcesses();
      return EXIT.ok;
    } finally {
      log.close();
    }
  }

  /** Talks to the agent without a person and judges what came of it. */
  private async check(): Promise<number> {
    const stack = this.current;
    let run: Awaited<ReturnType<typeof converse>> = { messageIds: [], firstAnswerAt: null };
    await this.step('Conversation', async () => {
      run = await converse(stack, this.stopped.signal);
      return `${run.messageIds.length} messages`;
    });
    await this.step('Bridge killed', async () => {
      run = { ...run, messageIds: [...run.messageIds, ...(await surviveKill(stack, this.stopped.signal))] };
      return 'in the middle of a turn, and started again';
    });
    let complaints: string[] = [];
    await this.step('Stop', async () => {
      complaints = await collectEvidence(stack, this.records);
      return undefined;
    });
    const report = judgeEvidence(this.records, run.messageIds);
    complaints.push(...report.violations.map(({ invariant, what }) => `${invariant}: ${what}`));
    for (const complaint of complaints) this.screen.line(`  ${tone(this.screen, 'bad', complaint)}`);
    this.printResult({
      first_answer_s: run.firstAnswerAt === null ? null : this.elapsed(run.firstAnswerAt),
      answers: report.answers,
      lost: report.lost.length,
      repeated: report.repeated.length,
    });
    return report.holds && complaints.length === 0 ? EXIT.ok : EXIT.failed;
  }

  private printResult(outcome: Omit<CheckResult, 'setup_s' | 'ready_s'>): void {
    const result: CheckResult = { setup_s: this.setupSeconds, ready_s: this.ready, ...outcome };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }

  /** Says what failed, with the last lines of the log of the failing part. */
  private explain(error: unknown): number {
    const cause = error instanceof StepFailed ? error.cause : error;
    if (cause instanceof Interrupted) {
      this.screen.line('Interrupted.');
      return EXIT.interrupted;
    }
    const sentence = error instanceof Error ? error.message : String(error);
    this.screen.line(tone(this.screen, 'bad', `Failed: ${sentence}`));
    const log = this.logOf(error, cause);
    if (log !== null) {
      this.screen.line(`Last lines of ${log}:`);
      for (const line of lastLines(log, LAST_LINES)) this.screen.line(`  ${prettyLine(line, this.screen)}`);
    }
    if (this.args.check) this.printResult({ first_answer_s: null, answers: 0, lost: CHECK_MESSAGES, repeated: 0 });
    return EXIT.failed;
  }

  private logOf(error: unknown, cause: unknown): string | null {
    if (cause instanceof ProcessEnded) return cause.outputFile;
    if (this.stack === null || !(error instanceof StepFailed)) return null;
    return error.step === 'Hermes' ? this.stack.hermes.outputFile : this.stack.bridge.logFile;
  }

  private async tearDown(): Promise<void> {
    await this.stack?.stopProcesses();
    await this.acting.catch(() => undefined);
    await this.stack?.close();
    killLeftovers(this.root);
    for (const name of STOP_SIGNALS) process.off(name, this.onSignal);
    if (this.args.home === null) rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Reads what was asked for and does it. @returns the exit code */
async function main(): Promise<number> {
  try {
    const args = readArguments(process.argv.slice(2));
    const environment = readEnvironment();
    if (args.check && environment.model !== null) {
      throw new UsageError('--check uses the scripted model, whose record it judges; leave MODEL_BASE_URL unset.');
    }
    return await new Up(args, environment).run();
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof EnvironmentError)) throw error;
    process.stderr.write(`bin/up: ${error.message}\nbin/up --help tells what it takes.\n`);
    return EXIT.usage;
  }
}

process.exitCode = await main();
