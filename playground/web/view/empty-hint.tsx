// SPDX-License-Identifier: Apache-2.0
import { type VNode } from 'preact';
import { type ChatChannel } from '../api/wire.js';
import { WingIcon } from './icons.js';

/** Words that the scripted model of the playground listens to, each in a sentence that can be sent as it is. */
const SUGGESTIONS: readonly {
  readonly before: string;
  readonly word: string;
  readonly after: string;
  readonly what: string;
}[] = [
  { before: 'Use a ', word: 'tool', after: ', please', what: 'answers after a tool call' },
  { before: 'Tell me a ', word: 'long', after: ' story', what: 'streams a long answer' },
  { before: 'Run into an ', word: 'error', after: '', what: 'the model fails' },
  { before: 'Be ', word: 'slow', after: ' this time', what: 'takes its time' },
];

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
        Nothing has been said yet. Write something and {agentName} answers here. With the scripted model, a word in your
        message decides what happens:
      </p>
      <ul class="suggestions">
        {SUGGESTIONS.map(({ before, word, after, what }) => (
          <li key={word}>
            <button type="button" onClick={() => onSuggest(before + word + after)}>
              <span class="suggestion-text">
                {before}
                <strong>{word}</strong>
                {after}
              </span>
              <span class="suggestion-what">{what}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
