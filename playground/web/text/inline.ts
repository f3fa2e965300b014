// SPDX-License-Identifier: Apache-2.0

/** One piece of a line. Everything that comes from a message stays data: the view makes text nodes of it, never markup. */
export type Span =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly href: string; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis' | 'struck'; readonly spans: readonly Span[] };

/** Bounds of the patterns keep the scan linear, whatever stands in a message. */
const PATTERN = new RegExp(
  [
    /(?<tick>`{1,8})(?<code>[^`](?:[^\n]{0,2000}?[^`])??)\k<tick>(?!`)/u.source,
    /\[(?<label>[^[\]\n]{1,500})\]\((?<target>https?:\/\/[^\s()<>]{1,2000})\)/u.source,
    /(?<url>https?:\/\/[^\s<>"'`\\]{1,2000})/u.source,
    /\*\*(?<strong>\S(?:[^\n]{0,1000}?\S)??)\*\*(?!\*)/u.source,
    /(?<![\p{L}\p{N}*])\*(?<star>[^\s*](?:[^\n*]{0,1000}?[^\s*])??)\*(?![\p{L}\p{N}*])/u.source,
    /(?<![\p{L}\p{N}_])_(?<dash>[^\s_](?:[^\n_]{0,1000}?[^\s_])??)_(?![\p{L}\p{N}_])/u.source,
    /~~(?<struck>\S(?:[^\n]{0,1000}?\S)??)~~/u.source,
  ].join('|'),
  'gu',
);

/** Emphasis inside emphasis is followed this deep; deeper marks stay as they are typed. */
const MAX_DEPTH = 3;

/**
 * Splits a text into spans: code, links of http and https, strong, emphasised and struck text.
 * @param text one paragraph; line breaks stay in the text spans
 * @param depth how many marks surround it already
 * @returns spans in order; marks that do not close stay text
 */
export function parseInline(text: string, depth = 0): readonly Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const match of text.matchAll(PATTERN)) {
    const found = spanOf(match, depth);
    if (found === undefined) continue;
    if (match.index > from) spans.push({ kind: 'text', text: text.slice(from, match.index) });
    spans.push(found.span);
    from = match.index + found.length;
  }
  if (from < text.length) spans.push({ kind: 'text', text: text.slice(from) });
  return spans;
}

/** The text of spans without their marks: what a screen reader's announcement or a quotation shows. */
export function plainText(spans: readonly Span[]): string {
  return spans.map((span) => ('spans' in span ? plainText(span.spans) : span.text)).join('');
}

/** The span of a match and how many characters it takes; undefined if it is not to be marked. */
function spanOf(match: RegExpMatchArray, depth: number): { span: Span; length: number } | undefined {
  const { code, label, target, url, strong, star, dash, struck } = match.groups ?? {};
  const length = match[0].length;
  if (code !== undefined) return { span: { kind: 'code', text: code }, length };
  if (label !== undefined && target !== undefined) return link(target, label, length);
  if (url !== undefined) {
    const bare = withoutTrailingMarks(url);
    return link(bare, bare, bare.length);
  }
  if (depth >= MAX_DEPTH) return undefined;
  if (strong !== undefined) return { span: { kind: 'strong', spans: parseInline(strong, depth + 1) }, length };
  if (struck !== undefined) return { span: { kind: 'struck', spans: parseInline(struck, depth + 1) }, length };
  const emphasis = star ?? dash;
  if (emphasis === undefined) return undefined;
  return { span: { kind: 'emphasis', spans: parseInline(emphasis, depth + 1) }, length };
}

/** A link, if the address is one of http or https with a host; anything else stays text. */
function link(href: string, text: string, length: number): { span: Span; length: number } | undefined {
  const url = URL.parse(href);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  return { span: { kind: 'link', href: url.href, text }, length };
}

/** An address at the end of a sentence does not own the full stop, nor a bracket that it did not open. */
function withoutTrailingMarks(url: string): string {
  let end = url.length;
  let open = count(url, '(');
  let close = count(url, ')');
  for (;;) {
    const last = url.charAt(end - 1);
    if (last === ')' && close > open) close -= 1;
    else if (!'.,;:!?*_~]}'.includes(last)) return url.slice(0, end);
    if (last === '(') open -= 1;
    end -= 1;
  }
}

/** How often a character stands in a text. */
function count(text: string, character: string): number {
  let found = 0;
  for (const each of text) if (each === character) found += 1;
  return found;
}
