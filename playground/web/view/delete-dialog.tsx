// SPDX-License-Identifier: Apache-2.0
import { type VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type ChatMessage } from '../api/wire.js';
import { excerpt } from '../text/blocks.js';

/** Characters of the message that the question shows. */
const QUOTE_LENGTH = 200;

/** Asks before a message is deleted. The browser itself keeps the focus inside, and gives it back. */
export function DeleteDialog(props: { message: ChatMessage; onDelete: () => void; onKeep: () => void }): VNode {
  const { message, onDelete, onKeep } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const answered = useRef(false);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  /** The first answer counts, at once: the browser tells of a closed dialog only with the next frame. */
  const answer = (then: () => void): void => {
    if (answered.current) return;
    answered.current = true;
    dialog.current?.close();
    then();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="delete-title"
      onCancel={() => answer(onKeep)}
      onClose={() => answer(onKeep)}
      onClick={(event) => {
        if (event.target === dialog.current) answer(onKeep);
      }}
    >
      <div class="dialog-body">
        <h2 id="delete-title">Delete this message?</h2>
        <blockquote>{excerpt(message.body, QUOTE_LENGTH)}</blockquote>
        <p>Everybody sees that a message was here, nobody sees what it said.</p>
        <div class="dialog-actions">
          <button type="button" class="button button-quiet" autofocus onClick={() => answer(onKeep)}>
            Keep
          </button>
          <button type="button" class="button button-danger" onClick={() => answer(onDelete)}>
            Delete
          </button>
        </div>
      </div>
    </dialog>
  );
}
