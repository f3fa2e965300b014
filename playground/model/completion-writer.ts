// SPDX-License-Identifier: Apache-2.0
import type { ServerResponse } from 'node:http';
import type { ToolCall } from './steps.js';

/** Figures that a provider would count; the scripted model has no tokens. */
const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } as const;

/** Writes one completion in the form of OpenAI's chat completions, streamed or whole. */
export class CompletionWriter {
  private text = '';
  private readonly head: Readonly<Record<string, unknown>>;

  /** @param number of the request, makes ids unique */
  constructor(
    private readonly response: ServerResponse,
    private readonly number: number,
    model: string,
    private readonly stream: boolean,
  ) {
    this.head = { id: `chatcmpl-${number}`, created: Math.floor(Date.now() / 1000), model };
  }

  /** What was written so far. */
  get written(): string {
    return this.text;
  }

  /** Begins: headers and the first delta with the role. */
  begin(): void {
    if (!this.stream) return;
    this.response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    this.chunk({ role: 'assistant', content: '' });
  }

  /** A piece of the text. */
  piece(text: string): void {
    this.text += text;
    if (this.stream) this.chunk({ content: text });
  }

  /** Ends: tool calls, the reason, the usage. */
  end(calls: readonly ToolCall[]): void {
    const wire = calls.map((call, index) => ({
      id: `call_${this.number}_${index}`,
      type: 'function',
      function: { name: call.tool, arguments: JSON.stringify(call.args ?? {}) },
    }));
    const reason = calls.length === 0 ? 'stop' : 'tool_calls';
    if (!this.stream) {
      this.whole(wire, reason);
      return;
    }
    wire.forEach((call, index) => this.chunk({ tool_calls: [{ index, ...call }] }));
    this.chunk({}, reason);
    this.event({ choices: [], usage: USAGE });
    this.response.end('data: [DONE]\n\n');
  }

  /** Answers with an error instead. */
  error(status: number, message: string): void {
    sendJson(this.response, status, { error: { message, type: 'scripted_error', code: status } });
  }

  private whole(calls: readonly object[], reason: string): void {
    const message = {
      role: 'assistant',
      content: this.text === '' && calls.length > 0 ? null : this.text,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
    const choices = [{ index: 0, message, finish_reason: reason }];
    sendJson(this.response, 200, { ...this.head, object: 'chat.completion', choices, usage: USAGE });
  }

  private chunk(delta: object, reason: string | null = null): void {
    this.event({ choices: [{ index: 0, delta, finish_reason: reason }] });
  }

  private event(fields: object): void {
    this.response.write(`data: ${JSON.stringify({ ...this.head, object: 'chat.completion.chunk', ...fields })}\n\n`);
  }
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
