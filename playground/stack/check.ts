// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { type AuditReport, audit, chatEvents, copyLedger, modelRequests, readLedger } from '../audit/index.js';
import { HARBOUR } from '../borgee/index.js';
import { type ModelEntry, type PlaygroundEntry, readEntries, type Recorded } from '../record/index.js';
import { EVIDENCE_FILES, type Stack } from './stack.js';

/** How long all answers together may take after the last message was said, milliseconds. */
const ANSWERS_TIMEOUT_MS = 120_000;

/** Where the check talks: two channels with several authors and a direct message. */
const PLACES = [
  { channel: HARBOUR.channels.general, authors: [HARBOUR.authors.Mira, HARBOUR.authors.Jonas, HARBOUR.authors.Mira] },
  {
    channel: HARBOUR.channels.engineering,
    authors: [HARBOUR.authors.Aiko, HARBOUR.authors.Mira, HARBOUR.authors.Jonas],
  },
  { channel: HARBOUR.directMessages.Mira, authors: [HARBOUR.authors.Mira, HARBOUR.authors.Mira, HARBOUR.authors.Mira] },
] as const;

/** Pieces in which the model streams an answer of the check, and the pause between two, milliseconds. */
const STREAMED = { chunks: 12, delayMs: 60 } as const;

/** What the check said and when the first answer stood. */
export interface CheckRun {
  readonly messageIds: readonly string[];
  /** Unix ms of the end of the first answered turn; null when there was none. */
  readonly firstAnswerAt: number | null;
}

/** What `bin/up --check` prints as its last line. */
export interface CheckResult {
  readonly setup_s: number;
  readonly ready_s: number | null;
  readonly first_answer_s: number | null;
  readonly answers: number;
  readonly lost: number;
  readonly repeated: number;
}

/** Messages of the conversation. */
const CONVERSATION = PLACES.reduce((sum, place) => sum + place.authors.length, 0);

/** Number of messages that a check says: the conversation, the turn in which the bridge is killed, and the one after it. */
export const CHECK_MESSAGES = CONVERSATION + 2;

/** Says everything at once, so that messages of one place have to wait for each other, and waits for the answers. */
export async function converse(stack: Stack, signal: AbortSignal): Promise<CheckRun> {
  const messageIds: string[] = [];
  const begin = Date.now();
  for (const round of [0, 1, 2] as const) {
    for (const { channel, authors } of PLACES) {
      const tag = `check-${messageIds.length + 1}`;
      stack.model.script(tag, [{ text: answerFor(tag), ...STREAMED }]);
      messageIds.push(stack.playground.say(channel, authors[round], `Please answer question ${tag} [[${tag}]]`).id);
    }
  }
  await allFinished(stack, messageIds.length, signal);
  const first = stack.playground.recorder.entries.find((entry) => entry.kind === 'task_finished' && entry.at >= begin);
  return { messageIds, firstAnswerAt: first?.at ?? null };
}

/**
 * Kills the bridge in the middle of a streamed turn and starts it again: that turn has to finish, and the next message to be answered.
 * @returns ids of the two messages
 */
export async function surviveKill(stack: Stack, signal: AbortSignal): Promise<readonly string[]> {
  const [channel, author] = [HARBOUR.channels.random, HARBOUR.authors.Aiko];
  const say = (tag: string, step: { readonly holdAfter?: number }): string => {
    stack.model.script(tag, [{ text: answerFor(tag), ...STREAMED, ...step }]);
    return stack.playground.say(channel, author, `Please answer question ${tag} [[${tag}]]`).id;
  };
  const killed = say('check-killed', { holdAfter: STREAMED.chunks / 2 });
  await stack.model.waitForHold('check-killed');
  const preview = await entryOf(stack, (entry) => entry.kind === 'answer' && entry.reply_to_id === killed);
  await entryOf(
    stack,
    (entry) => entry.kind === 'edited' && 'message_id' in preview && entry.message_id === preview.message_id,
  );
  await stack.bridge.kill();
  await stack.bridge.start();
  await stack.bridge.connected();
  stack.model.release('check-killed');
  const after = say('check-after-kill', {});
  await allFinished(stack, CHECK_MESSAGES, signal);
  return [killed, after];
}

/** Waits for an entry of the playground's record. */
function entryOf(
  stack: Stack,
  match: (entry: Recorded<PlaygroundEntry>) => boolean,
): Promise<Recorded<PlaygroundEntry>> {
  return stack.playground.waitFor(match, ANSWERS_TIMEOUT_MS, 'the killed turn');
}

/** A text of its own for each question, long enough to stream. */
function answerFor(tag: string): string {
  const sentences = ['The lighthouse', 'The harbour', 'The ferry', 'The market'].map(
    (place) => `${place} belongs to the answer of ${tag}.`,
  );
  return sentences.join(' ');
}

/** Waits until so many tasks have ended, or gives up: what is missing then shows in the verdict. */
async function allFinished(stack: Stack, count: number, signal: AbortSignal): Promise<void> {
  const { recorder } = stack.playground;
  const finished = new Set<string>();
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stopListening();
      resolve();
    };
    const timer = setTimeout(done, ANSWERS_TIMEOUT_MS);
    const take = (entry: Recorded<PlaygroundEntry>): void => {
      if (entry.kind === 'task_finished') finished.add(entry.task_id);
      if (finished.size >= count) done();
    };
    const stopListening = recorder.onEntry(take);
    signal.addEventListener('abort', done, { once: true });
    recorder.entries.forEach(take);
  });
}

/**
 * Judges a check by its evidence, the way that anybody else can do it again.
 * @param evidence folder with the three records
 * @param messageIds what was said; default: everything that people said
 */
export function judgeEvidence(evidence: string, messageIds?: readonly string[]): AuditReport {
  const playground = readEntries<PlaygroundEntry>(join(evidence, EVIDENCE_FILES.playground));
  const model = readEntries<ModelEntry>(join(evidence, EVIDENCE_FILES.model));
  const ledger = readLedger(join(evidence, EVIDENCE_FILES.ledger));
  const said = playground.filter((entry) => entry.kind === 'sent').map((entry) => entry.message_id);
  const report = audit(
    { chat: chatEvents(playground), model: modelRequests(model), ledger },
    { answered: messageIds ?? said },
  );
  const strict = playground.filter((entry) => entry.kind === 'violation');
  if (strict.length === 0) return report;
  const broken = strict.map(({ check, detail }) => ({ invariant: 'strictChecks', what: `${check}: ${detail}` }));
  return { ...report, violations: [...report.violations, ...broken], holds: false };
}

/** Ends bridge and Hermes and puts the ledger beside the other records. @returns sentences about processes that ended badly */
export async function collectEvidence(stack: Stack, evidence: string): Promise<string[]> {
  const hermes = await stack.hermes.stop();
  const bridge = await stack.bridge.stop();
  await stack.close();
  copyLedger(stack.home.ledgerFile, join(evidence, EVIDENCE_FILES.ledger));
  const ends = Object.entries({ Hermes: hermes, bridge });
  return ends.flatMap(([name, exit]) => {
    if (exit === null || (exit.code === 0 && !exit.forced)) return [];
    return [
      `${name} ended with ${exit.signal ?? `exit code ${String(exit.code)}`}${exit.forced ? ' after it was killed' : ''}.`,
    ];
  });
}
