// SPDX-License-Identifier: Apache-2.0
import { type VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type ChatMessage } from '../api/wire.js';
import { excerpt } from '../text/blocks.js';

/** Characters of the message that the question shows. */
const QUOTE_LENGTH = 200;

/** What the dialog returns when the message is to go; Escape and everything else keep it. */
const DELETE = 'delete';

/** Asks before a message is deleted. The browser itself keeps the focus inside, and gives it back. */
export function DeleteDialog(props: { message: ChatMessage; onDelete: () => void; onKeep: () => void }): VNode {
  const { message, onDelete, onKeep } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const close = (answer: string): void => dialog.current?.close(answer);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="delete-title"
      onClose={(event) => (event.currentTarget.returnValue === DELETE ? onDelete() : onKeep())}
      onClick={(event) => {
        if (event.target === dialog.current) close('');
      }}
    >
      <div class="dialog-body">
        <h2 id="delete-title">Delete this message?</h2>
        <blockquote>{excerpt(message.body, QUOTE_LENGTH)}</blockquote>
        <p>Everybody sees that a message was here, nobody sees what it said.</p>
        <div class="dialog-actions">
          <button type="button" class="button button-quiet" autofocus onClick={() => close('')}>
            Keep
          </button>
          <button type="button" class="button button-danger" onClick={() => close(DELETE)}>
            Delete
          </button>
        </div>
      </div>
    </dialog>
  );
}
