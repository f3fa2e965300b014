// SPDX-License-Identifier: Apache-2.0

/**
 * The lane of a conversation: Hermes's own session key (BPP-2). Turns of one lane run one after another.
 * @param channelType `dm` or `channel`
 * @param channelId id of the channel, thread or direct message
 */
export function laneKey(channelType: 'dm' | 'channel', channelId: string): string {
  return `agent:main:borgee:${channelType}:${channelId}`;
}
