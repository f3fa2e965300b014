// SPDX-License-Identifier: Apache-2.0
import { type ChatState, openChannel } from '../state/chat-state.js';

/** The open channel as people write it: `#general`, or the agent's name in the direct message with it. */
export function placeOf(state: ChatState): string {
  const channel = openChannel(state);
  if (channel === undefined) return 'Connecting';
  return channel.type === 'dm' ? (state.agent?.name ?? channel.name) : `#${channel.name}`;
}
