// SPDX-License-Identifier: Apache-2.0
import { type TargetedKeyboardEvent, type VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type ChatMessage } from '../api/wire.js';
import { GrowingTextarea } from './growing-textarea.js';
import { type MessageActions } from './message-actions.js';

/** Changes an own message in its place: Enter saves, Escape leaves it as it was. */
export function MessageEditor({ message, actions }: { message: ChatMessage; actions: MessageActions }): VNode {
  const [text, setText] = useState(message.body);
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    box.current?.focus();
    box.current?.setSelectionRange(message.body.length, message.body.length);
  }, [message.id]);

  const save = (): void => {
    if (text.trim() === '' || text === message.body) actions.cancelEdit(message);
    else actions.saveEdit(message, text);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === 'Escape') actions.cancelEdit(message);
    else if (event.key === 'Enter' && !event.shiftKey) save();
    else return;
    event.preventDefault();
  };

  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <GrowingTextarea boxRef={box} label="Edit message" value={text} onInput={setText} onKeyDown={onKeyDown} />
      <div class="editor-actions">
        <span class="hint">Enter saves, Escape cancels</span>
        <button type="button" class="button button-quiet" onClick={() => actions.cancelEdit(message)}>
          Cancel
        </button>
        <button type="submit" class="button">
          Save
        </button>
      </div>
    </form>
  );
}
