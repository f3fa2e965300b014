// SPDX-License-Identifier: Apache-2.0
import { type VNode } from 'preact';
import { DEMO_WORDS } from '../../model/default-answers.js';
import { type ChatChannel } from '../api/wire.js';
import { WingIcon } from './icons.js';

/** What an empty channel says: whom one talks to here, and what is worth trying. */
export function EmptyHint(props: {
  channel: ChatChannel;
  agentName: string;
  onSuggest: (text: string) => void;
}): VNode {
  const { channel, agentName, onSuggest } = props;
  const place = channel.type === 'dm' ? `This is your conversation with ${agentName}` : `This is #${channel.name}`;
  return (
    <div class="empty">
      <span class="empty-mark" aria-hidden="true">
        <WingIcon />
      </span>
      <h2>{place}</h2>
      <p>
        Nothing has been said yet. Write something, and {agentName} answers here. With the model that comes with the
        playground, one of these words alone shows something special:
      </p>
      <ul class="suggestions">
        {Object.entries(DEMO_WORDS).map(([word, what]) => (
          <li key={word}>
            <button type="button" onClick={() => onSuggest(word)}>
              <strong>{word}</strong>
              <span>{what}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
