// SPDX-License-Identifier: Apache-2.0
import { type StreamedEvent } from './event-stream.js';
import { type ChatAgent, type ChatMessage, type LiveEvent } from './wire.js';

/**
 * The live event that a streamed one carries.
 * @returns undefined for a kind that changes nothing here. `resync` is such: the page reads the truth after every dial anyway
 */
export function decodeLiveEvent(event: StreamedEvent): LiveEvent | undefined {
  switch (event.type) {
    case 'message':
    case 'edited':
    case 'deleted':
      return { type: event.type, message: JSON.parse(event.data) as ChatMessage };
    case 'agent':
      return { type: 'agent', agent: JSON.parse(event.data) as ChatAgent };
    default:
      return undefined;
  }
}
