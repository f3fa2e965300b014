// SPDX-License-Identifier: Apache-2.0
import { type VNode } from 'preact';
import { CloseIcon } from './icons.js';

/** Why something that the person asked for was not done. */
export function Notice({ text, onDismiss }: { text: string; onDismiss: () => void }): VNode {
  return (
    <div class="notice" role="alert">
      <span>{text}</span>
      <button type="button" class="icon-button" onClick={onDismiss}>
        <CloseIcon />
        <span class="visually-hidden">Dismiss</span>
      </button>
    </div>
  );
}
