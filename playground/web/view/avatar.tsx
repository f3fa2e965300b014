// SPDX-License-Identifier: Apache-2.0
import { type VNode } from 'preact';
import { WingIcon } from './icons.js';

/** Hues of `styles/message.css`. */
const HUES = 6;

/** The round mark of a person (initial, own colour) or of the agent (wing). The name stands beside it as text. */
export function Avatar({ id, name, agent = false }: { id: string; name: string; agent?: boolean }): VNode {
  if (agent) {
    return (
      <span class="avatar avatar-agent" aria-hidden="true">
        <WingIcon />
      </span>
    );
  }
  const [initial = '?'] = name.trim();
  return (
    <span class={`avatar hue-${hueOf(id)}`} aria-hidden="true">
      {initial.toLocaleUpperCase()}
    </span>
  );
}

/** The same colour for the same person, always. */
function hueOf(id: string): number {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973;
  return sum % HUES;
}
