// SPDX-License-Identifier: Apache-2.0
import { type VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type ChatMessage } from '../api/wire.js';
import { excerpt } from '../text/blocks.js';

/** Asks before a message is deleted. Escape and a click beside it keep the message. */
export function DeleteDialog(props: { message: ChatMessage; onDelete: () => void; onKeep: () => void }): VNode {
  const { message, onDelete, onKeep } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="delete-title"
      onCancel={(event) => {
        event.preventDefault();
        onKeep();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onKeep();
      }}
    >
      <div class="dialog-body">
        <h2 id="delete-title">Delete this message?</h2>
        <blockquote>{excerpt(message.body, 200)}</blockquote>
        <p>Everybody sees that a message was here, nobody sees what it said.</p>
        <div class="dialog-actions">
          <button type="button" class="button button-quiet" autofocus onClick={onKeep}>
            Keep
          </button>
          <button type="button" class="button button-danger" onClick={onDelete}>
            Delete
          </button>
        </div>
      </div>
    </dialog>
  );
}
