// SPDX-License-Identifier: Apache-2.0

/** A message of a chat completion request, as far as the scripted model reads it. */
export interface ModelMessage {
  readonly role: string;
  readonly text: string;
}

/** A chat completion request, decoded. */
export interface CompletionRequest {
  readonly messages: readonly ModelMessage[];
  /** Names of the tools that were offered. */
  readonly tools: readonly string[];
  readonly stream: boolean;
}

/** Decodes the body of a request leniently: what is missing or of another form counts as absent. */
export function readCompletion(body: unknown): CompletionRequest {
  const fields = objectOf(body);
  return {
    messages: listOf(fields['messages']).map(readMessage),
    tools: listOf(fields['tools'])
      .map((tool) => objectOf(objectOf(tool)['function'])['name'])
      .filter((name) => typeof name === 'string'),
    stream: fields['stream'] === true,
  };
}

/** Texts of one role, in order. */
export function textsOf(messages: readonly ModelMessage[], role: string): readonly string[] {
  return messages.filter((message) => message.role === role).map((message) => message.text);
}

function readMessage(value: unknown): ModelMessage {
  const { role, content } = objectOf(value);
  return { role: typeof role === 'string' ? role : '', text: contentText(content) };
}

/** A content is a text or a list of parts. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  const texts = listOf(content).map((part) => objectOf(part)['text']);
  return texts.filter((text) => typeof text === 'string').join('');
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
