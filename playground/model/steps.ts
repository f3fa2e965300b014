// SPDX-License-Identifier: Apache-2.0

/** A call of a tool that the model asks for. */
export interface ToolCall {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** One answer of the model: a text, tool calls, both, or an error status. */
export interface ModelStep {
  readonly text?: string;
  /** Pieces into which the text is cut for streaming; default: 1. */
  readonly chunks?: number;
  /** The pieces themselves, instead of `text` and `chunks`. */
  readonly pieces?: readonly string[];
  /** Pause after each piece, ms; default: 0. */
  readonly delayMs?: number;
  /** Pause before the first byte, ms; default: 0. */
  readonly firstDelayMs?: number;
  /** Waits before the first byte until `release(tag)`. */
  readonly hold?: boolean;
  /** Waits after so many pieces until `release(tag)`. */
  readonly holdAfter?: number;
  readonly tool?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Several tool calls in one answer. */
  readonly tools?: readonly ToolCall[];
  /** Answers with this HTTP status and an error instead of a completion. */
  readonly status?: number;
  /** Text of that error; default: a neutral one. */
  readonly error?: string;
  /** Cuts the connection after the pieces, without an end. */
  readonly cut?: boolean;
}

/** The tool calls of a step. */
export function toolCallsOf(step: ModelStep): readonly ToolCall[] {
  if (step.tools !== undefined) return step.tools;
  return step.tool === undefined ? [] : [{ tool: step.tool, ...(step.args === undefined ? {} : { args: step.args }) }];
}

/** The pieces of a step's text; none is cut inside a character. */
export function piecesOf(step: ModelStep): readonly string[] {
  if (step.pieces !== undefined) return step.pieces;
  const characters = Array.from(step.text ?? '');
  const size = Math.max(1, Math.ceil(characters.length / (step.chunks ?? 1)));
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += size) {
    pieces.push(characters.slice(start, start + size).join(''));
  }
  return pieces;
}
