// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../../common/errors.js';
import type { QuestionEvent } from '../hermes/index.js';

/** Sentences of ours that people read in a channel. They hold no text of Hermes, of a provider or of a person. */

/** The model request failed; Hermes's own error text is dropped. */
export function modelFailedNotice(status: number | null): string {
  const code = status === null ? ErrorCode.ModelFailed : `${ErrorCode.ModelFailed}, HTTP ${String(status)}`;
  return `The agent could not answer: its model request failed (${code}).`;
}

/** The turn was interrupted before its end. */
export const INTERRUPTED_NOTICE = `The agent was stopped before it had finished (${ErrorCode.TurnInterrupted}). Send the message again if it is still needed.`;

/** The message cannot be handed to the agent at all, for example because of its size. */
export const NOT_TAKEN_NOTICE = `The agent cannot take this message (${ErrorCode.HermesStartRefused}).`;

/** A slash command that channels may not use. */
export function commandRefusedNotice(allowed: readonly string[]): string {
  return `This command is not available here (${ErrorCode.CommandRefused}). Available: ${allowed.map((name) => `/${name}`).join(', ')}.`;
}

/** The agent asked something that nobody can answer yet. */
export function questionNotice(kind: QuestionEvent['kind']): string {
  switch (kind) {
    case 'clarify':
      return 'The agent wanted to ask a question, but questions cannot be answered in this channel; it goes on without an answer.';
    case 'approval':
      return 'The agent asked for an approval, but approvals cannot be given in this channel; the action was denied.';
    case 'choice':
      return 'The agent offered a choice, but choices cannot be made in this channel; nothing was changed.';
  }
}
