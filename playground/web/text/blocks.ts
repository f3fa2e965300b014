// SPDX-License-Identifier: Apache-2.0
import { parseInline, plainText, type Span } from './inline.js';

/** An entry of a list; `depth` 0 to 3 from its indentation, `number` as typed, null for a bullet. */
export interface ListItem {
  readonly depth: number;
  readonly number: number | null;
  readonly spans: readonly Span[];
}

/** One block of a message. */
export type Block =
  | { readonly kind: 'paragraph' | 'heading' | 'quote'; readonly spans: readonly Span[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly ListItem[] }
  | { readonly kind: 'rule' };

const FENCE = /^ {0,3}(?<mark>`{3,}|~{3,})[ \t]*(?<language>[\w+#.-]{0,40})[^`\n]*$/u;
const HEADING = /^#{1,6}[ \t]+(?<text>.+)$/u;
const QUOTE = /^>[ \t]?(?<text>.*)$/u;
const ITEM = /^(?<indent>[ \t]{0,12})(?<marker>[-*+•]|\d{1,9}[.)])[ \t]+(?<text>.+)$/u;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*$/u;

/**
 * Reads the light Markdown of a chat message, line by line. A code fence that is still open (a streamed answer) runs to
 * the end, so that its text never shows up as paragraphs first.
 * @param body text of a message, any content
 * @returns blocks in order; nothing of the text is lost but marks and blank lines
 */
export function parseBlocks(body: string): readonly Block[] {
  const lines = body.replaceAll(/\r\n?/gu, '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const [block, next] = readBlock(lines, at);
    if (block !== undefined) blocks.push(block);
    at = next;
  }
  return blocks;
}

/** The beginning of a message as one line of plain text, for quotations and announcements. */
export function excerpt(body: string, length: number): string {
  const texts = parseBlocks(body.slice(0, length * 4)).map(blockText);
  const line = texts.join(' ').replaceAll(/\s+/gu, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1).trimEnd()}…` : line;
}

/** The text of a block without marks. */
function blockText(block: Block): string {
  switch (block.kind) {
    case 'code':
      return block.text;
    case 'list':
      return block.items.map((item) => plainText(item.spans)).join(' ');
    case 'rule':
      return '';
    default:
      return plainText(block.spans);
  }
}

/** Reads the block that begins at a line; returns it (none for a blank line) and the line after it. */
function readBlock(lines: readonly string[], at: number): [Block | undefined, number] {
  const line = lines[at] ?? '';
  if (line.trim() === '') return [undefined, at + 1];
  const fence = FENCE.exec(line)?.groups;
  if (fence?.['mark'] !== undefined) return readCode(lines, at, fence['mark'], fence['language'] ?? '');
  const heading = HEADING.exec(line)?.groups?.['text'];
  if (heading !== undefined) return [{ kind: 'heading', spans: parseInline(heading) }, at + 1];
  if (RULE.test(line)) return [{ kind: 'rule' }, at + 1];
  if (QUOTE.test(line)) return readQuote(lines, at);
  if (ITEM.test(line)) return readList(lines, at);
  return readParagraph(lines, at);
}

/** A fenced block up to its closing fence or the end of the message. */
function readCode(lines: readonly string[], at: number, mark: string, language: string): [Block, number] {
  let end = at + 1;
  while (end < lines.length && !closes(lines[end] ?? '', mark)) end += 1;
  return [{ kind: 'code', language, text: lines.slice(at + 1, end).join('\n') }, end + 1];
}

/** Whether a line closes a fence: the same character, at least as long, nothing else. */
function closes(line: string, mark: string): boolean {
  const text = line.trim();
  return text.length >= mark.length && text === mark.charAt(0).repeat(text.length);
}

/** Consecutive lines that begin with `>`. */
function readQuote(lines: readonly string[], at: number): [Block, number] {
  const texts: string[] = [];
  let end = at;
  for (; end < lines.length; end += 1) {
    const text = QUOTE.exec(lines[end] ?? '')?.groups?.['text'];
    if (text === undefined) break;
    texts.push(text);
  }
  return [{ kind: 'quote', spans: parseInline(texts.join('\n')) }, end];
}

/** Consecutive entries; a line that is indented below an entry goes on with it. */
function readList(lines: readonly string[], at: number): [Block, number] {
  const items: { depth: number; marker: string; text: string }[] = [];
  let end = at;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? '';
    const { indent = '', marker, text } = ITEM.exec(line)?.groups ?? {};
    const last = items.at(-1);
    if (marker !== undefined && text !== undefined) items.push({ depth: depthOf(indent), marker, text });
    else if (last !== undefined && /^\s+\S/u.test(line) && !FENCE.test(line)) last.text += `\n${line.trim()}`;
    else break;
  }
  const ordered = /^\d/u.test(items[0]?.marker ?? '');
  return [{ kind: 'list', ordered, items: items.map(toItem) }, end];
}

/** Two spaces or a tab are one level. */
function depthOf(indent: string): number {
  return Math.min(3, Math.floor(indent.replaceAll('\t', '  ').length / 2));
}

/** An entry with its number and spans. */
function toItem({ depth, marker, text }: { depth: number; marker: string; text: string }): ListItem {
  return { depth, number: /^\d/u.test(marker) ? Number.parseInt(marker, 10) : null, spans: parseInline(text) };
}

/** Lines up to a blank one or one that begins another block; their breaks stay. */
function readParagraph(lines: readonly string[], at: number): [Block, number] {
  let end = at + 1;
  while (end < lines.length && !beginsBlock(lines[end] ?? '')) end += 1;
  return [{ kind: 'paragraph', spans: parseInline(lines.slice(at, end).join('\n')) }, end];
}

/** Whether a line ends the paragraph before it. */
function beginsBlock(line: string): boolean {
  return line.trim() === '' || [FENCE, HEADING, RULE, QUOTE, ITEM].some((pattern) => pattern.test(line));
}
