// SPDX-License-Identifier: Apache-2.0
import { type RefObject, type TargetedKeyboardEvent, type VNode } from 'preact';
import { type ChatAuthor } from '../api/wire.js';
import { Avatar } from './avatar.js';
import { GrowingTextarea } from './growing-textarea.js';
import { SendIcon } from './icons.js';

/** The message box with the choice of who speaks. Enter sends, Shift+Enter breaks the line, Up edits the last message. */
export function Composer(props: {
  boxRef: RefObject<HTMLTextAreaElement | null>;
  place: string;
  authors: readonly ChatAuthor[];
  authorId: string | null;
  draft: string;
  onAuthor: (authorId: string) => void;
  onDraft: (text: string) => void;
  onSend: (text: string) => void;
  onEditLast: () => void;
}): VNode {
  const { boxRef, place, authors, authorId, draft, onSend } = props;
  const author = authors.find((each) => each.id === authorId);
  const empty = draft.trim() === '';
  const send = (): void => {
    if (!empty) onSend(draft);
    boxRef.current?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) send();
    else if (event.key === 'ArrowUp' && draft === '') props.onEditLast();
    else return;
    event.preventDefault();
  };
  return (
    <form
      class="composer"
      aria-label="Write a message"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <AuthorPicker authors={authors} authorId={authorId} onAuthor={props.onAuthor} />
      <div class="composer-box">
        <GrowingTextarea
          boxRef={boxRef}
          id="message-box"
          label={`Message ${place}`}
          placeholder={author === undefined ? `Message ${place}` : `Message ${place} as ${author.name}`}
          value={draft}
          onInput={props.onDraft}
          onKeyDown={onKeyDown}
        />
        <button type="submit" class="send" disabled={empty} title="Send">
          <SendIcon />
          <span class="visually-hidden">Send message</span>
        </button>
      </div>
      <p class="hint composer-hint">
        <kbd>Enter</kbd> sends <kbd>Shift</kbd>+<kbd>Enter</kbd> new line <kbd>↑</kbd> edits your last message
      </p>
    </form>
  );
}

/** Who speaks: one radio button for each person. */
function AuthorPicker(props: {
  authors: readonly ChatAuthor[];
  authorId: string | null;
  onAuthor: (authorId: string) => void;
}): VNode {
  return (
    <fieldset class="authors">
      <legend>Speak as</legend>
      {props.authors.map(({ id, name }) => (
        <label key={id}>
          <input
            type="radio"
            name="author"
            value={id}
            checked={id === props.authorId}
            onChange={() => props.onAuthor(id)}
          />
          <Avatar id={id} name={name} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}
