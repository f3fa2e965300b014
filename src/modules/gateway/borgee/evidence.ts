// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';

/** What the protocol's clients compare when the same message comes again (bpp 3.4). */
export interface EvidencePayload {
  readonly kind: string;
  readonly channelId: string;
  /** As on the wire; an unknown one is `channel`. */
  readonly channelType: string;
  readonly messageId: string;
  readonly authorId: string;
  readonly authorName: string;
  readonly body: string;
  readonly createdAt: number;
  readonly reaction: { readonly added: boolean; readonly emoji: string; readonly userId: string } | null;
}

/**
 * Hash of the payload: SHA-256 of its JSON with keys sorted at every level, compact, non-ASCII raw (bpp 3.4).
 * @returns 32 bytes
 */
export function payloadHash(payload: EvidencePayload): Buffer {
  const { reaction } = payload;
  const sorted = {
    author_id: payload.authorId,
    author_name: payload.authorName,
    body: payload.body,
    channel_id: payload.channelId,
    channel_type: payload.channelType,
    created_at: payload.createdAt,
    kind: payload.kind,
    message_id: payload.messageId,
    reaction: reaction === null ? null : { added: reaction.added, emoji: reaction.emoji, user_id: reaction.userId },
  };
  return createHash('sha256').update(JSON.stringify(sorted)).digest();
}
