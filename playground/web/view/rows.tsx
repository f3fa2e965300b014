// SPDX-License-Identifier: Apache-2.0
import { type VNode } from 'preact';
import { type ChatMessage } from '../api/wire.js';
import { find, type Timeline } from '../state/timeline.js';
import { sameDay, type Times } from '../text/times.js';
import { memo } from './memo.js';
import { type MessageActions } from './message-actions.js';
import { MessageRow } from './message-row.js';

/** Messages of one author that are closer than this stand under one name, in milliseconds. */
const CONTINUED_WITHIN_MS = 5 * 60_000;

/** What the rows of a timeline depend on. */
export interface RowsProps {
  readonly timeline: Timeline;
  readonly start: number;
  readonly end: number;
  readonly now: number;
  readonly times: Times;
  readonly authorId: string | null;
  readonly writingId: string | undefined;
  readonly editingId: string | null;
  readonly currentId: string | undefined;
  readonly pointedOutId: string | null;
  readonly actions: MessageActions;
}

/** The drawn part of a timeline; untouched while somebody only types. */
export const Rows = memo((props: RowsProps): VNode => {
  const { timeline, start, end, now, times, authorId } = props;
  const rows = timeline.messages.slice(start, end).map((message, index) => {
    const before = timeline.messages[start + index - 1];
    const newDay = before === undefined || !sameDay(before.created_at, message.created_at);
    return (
      <MessageRow
        key={message.id}
        message={message}
        times={times}
        day={newDay ? times.day(message.created_at, now) : null}
        continued={!newDay && continues(before, message)}
        answered={message.reply_to_id === null ? undefined : find(timeline, message.reply_to_id)}
        own={message.author_id === authorId}
        editing={props.editingId === message.id}
        writing={props.writingId === message.id}
        current={props.currentId === message.id}
        pointedOut={props.pointedOutId === message.id}
        actions={props.actions}
      />
    );
  });
  return <ol class="messages">{rows}</ol>;
});

/** Whether a message goes on with the one before it. A reply says anew who speaks. */
function continues(before: ChatMessage, message: ChatMessage): boolean {
  return (
    before.author_id === message.author_id &&
    message.reply_to_id === null &&
    message.created_at - before.created_at < CONTINUED_WITHIN_MS
  );
}
