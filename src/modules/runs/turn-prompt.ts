// SPDX-License-Identifier: Apache-2.0
import type { ClaimedReceipt } from '../inbox/index.js';

/**
 * The system part of one turn: where the conversation stands (BPP-11) and the claim, which makes the prompt unique. Only a
 * prompt that differs from turn to turn keeps Hermes's agent cache from answering with another session's history (hermes-surface 5.1).
 * Ids are quoted as JSON, so that none can forge a line.
 */
export function turnPrompt(receipt: ClaimedReceipt): string {
  const { context } = receipt;
  const facts: [string, string | null][] = [
    ['server (guild) id', context?.guildId ?? null],
    ['channel id', receipt.channelId],
    ['top-level channel id', context?.topLevelChannelId ?? null],
    ['thread id', context?.threadId ?? null],
    ['message id', receipt.messageId],
  ];
  const lines = facts.flatMap(([name, value]) => (value === null ? [] : [`- ${name}: ${JSON.stringify(value)}`]));
  return ['Conversation on the Borgee chat server:', ...lines, `- turn: ${receipt.claim}`].join('\n');
}
