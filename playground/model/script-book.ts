// SPDX-License-Identifier: Apache-2.0
import type { ModelMessage } from './messages.js';
import type { ModelStep } from './steps.js';

/** `[[tag]]` in a text of the user. */
const TAG = /\[\[([\w-]+)\]\]/g;

/** What a script with no further step answers. */
const AFTER_THE_END: ModelStep = { text: 'Done.' };

/** The step that answers a request. */
export interface ChosenStep {
  readonly tag: string;
  /** Number of the step: answers that the tagged message has got so far. */
  readonly index: number;
  readonly step: ModelStep;
}

/** Scripts by tag. */
export class ScriptBook {
  private readonly scripts = new Map<string, readonly ModelStep[]>();

  /** Sets the steps for a tag: the first answers the tagged message, the next what follows its tool calls, and so on. */
  set(tag: string, steps: readonly ModelStep[]): void {
    this.scripts.set(tag, steps);
  }

  /**
   * The step that answers these messages. The **last** tag counts: after an interrupted turn its text stays in the history and Hermes
   * joins it with the next one. A later message without a tag belongs to the script only while that still has steps (Hermes itself
   * asks again after an empty answer).
   * @returns null when no script answers
   */
  choose(messages: readonly ModelMessage[]): ChosenStep | null {
    const at = messages.findLastIndex((message) => message.role === 'user' && tagOf(message.text) !== null);
    const tagged = messages[at];
    const tag = tagged === undefined ? null : tagOf(tagged.text);
    const steps = tag === null ? undefined : this.scripts.get(tag);
    if (tag === null || steps === undefined) return null;
    const following = messages.slice(at + 1);
    const index = following.filter((message) => message.role === 'assistant').length;
    const step = steps[index];
    if (step !== undefined) return { tag, index, step };
    return following.some((message) => message.role === 'user') ? null : { tag, index, step: AFTER_THE_END };
  }
}

/** The last tag of a text, or null. */
export function tagOf(text: string): string | null {
  return [...text.matchAll(TAG)].at(-1)?.[1] ?? null;
}
