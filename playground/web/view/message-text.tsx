// SPDX-License-Identifier: Apache-2.0
import { Fragment, type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type Block, parseBlocks } from '../text/blocks.js';
import { type Span } from '../text/inline.js';
import { memo } from './memo.js';

/** Characters that are shown of a very long message before somebody asks for the rest. */
const SHOWN_LENGTH = 20_000;

/**
 * The text of a message: light Markdown as elements, everything that was typed as text nodes. `edited` is the time of the
 * last change in words, which is said at its end.
 */
export const MessageText = memo(({ body, edited }: { body: string; edited: string | null }): VNode => {
  const [whole, setWhole] = useState(false);
  const cut = !whole && body.length > SHOWN_LENGTH;
  const blocks = parseBlocks(cut ? body.slice(0, SHOWN_LENGTH) : body);
  const mark = edited === null ? null : <EditedMark time={edited} />;
  const inLine = blocks.at(-1)?.kind === 'paragraph';
  return (
    <div class="text" dir="auto">
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} mark={index === blocks.length - 1 ? mark : null} />
      ))}
      {!inLine && mark}
      {cut && (
        <button type="button" class="button button-quiet" onClick={() => setWhole(true)}>
          Show the whole message ({body.length.toLocaleString()} characters)
        </button>
      )}
    </div>
  );
});

function EditedMark({ time }: { time: string }): VNode {
  return (
    <span class="edited" title={time}>
      edited
    </span>
  );
}

/** One block; a paragraph takes the mark at its end. */
function BlockView({ block, mark }: { block: Block; mark: VNode | null }): VNode {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p>
          <Spans spans={block.spans} />
          {mark}
        </p>
      );
    case 'heading':
      return (
        <p class="heading">
          <Spans spans={block.spans} />
        </p>
      );
    case 'quote':
      return (
        <blockquote>
          <Spans spans={block.spans} />
        </blockquote>
      );
    case 'rule':
      return <hr />;
    case 'code':
      return <CodeBlock language={block.language} text={block.text} />;
    case 'list':
      return <ListView block={block} />;
  }
}

/** Code scrolls sideways, so it can take the keyboard's focus. */
function CodeBlock({ language, text }: { language: string; text: string }): VNode {
  const label = language === '' ? 'Code' : `Code, ${language}`;
  return (
    <div class="code">
      {language !== '' && (
        <span class="code-language" aria-hidden="true">
          {language}
        </span>
      )}
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>{text}</code>
      </pre>
    </div>
  );
}

function ListView({ block }: { block: Extract<Block, { kind: 'list' }> }): VNode {
  const items = block.items.map(({ depth, number, spans }, index) => (
    <li key={index} class={number === null ? `bullet depth-${depth}` : `depth-${depth}`} value={number ?? undefined}>
      <Spans spans={spans} />
    </li>
  ));
  return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
}

function Spans({ spans }: { spans: readonly Span[] }): VNode {
  return (
    <>
      {spans.map((span, index) => (
        <Fragment key={index}>{spanView(span)}</Fragment>
      ))}
    </>
  );
}

function spanView(span: Span): VNode | string {
  switch (span.kind) {
    case 'text':
      return span.text;
    case 'code':
      return <code>{span.text}</code>;
    case 'link':
      return (
        <a href={span.href} target="_blank" rel="noopener noreferrer nofollow" title={span.href}>
          {span.text}
        </a>
      );
    case 'strong':
      return (
        <strong>
          <Spans spans={span.spans} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Spans spans={span.spans} />
        </em>
      );
    case 'struck':
      return (
        <s>
          <Spans spans={span.spans} />
        </s>
      );
  }
}
