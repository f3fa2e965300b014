// SPDX-License-Identifier: Apache-2.0
import { type VNode } from 'preact';
import { type ChatMessage } from '../api/wire.js';
import { excerpt } from '../text/blocks.js';
import { type Times } from '../text/times.js';
import { Avatar } from './avatar.js';
import { DeleteIcon, EditIcon, ReplyIcon } from './icons.js';
import { memo } from './memo.js';
import { type MessageActions } from './message-actions.js';
import { MessageEditor } from './message-editor.js';
import { MessageText } from './message-text.js';

/** Characters of the answered message that stand above a reply. */
const QUOTE_LENGTH = 120;

/** What a row shows; every value is replaced when it changes. */
export interface MessageRowProps {
  readonly message: ChatMessage;
  readonly times: Times;
  /** Label of the day that begins with this message. */
  readonly day: string | null;
  /** The message before is of the same author and close in time: name and picture are not said again. */
  readonly continued: boolean;
  /** The message that this one answers, if it is known. */
  readonly answered: ChatMessage | undefined;
  /** The person who speaks wrote it. */
  readonly own: boolean;
  readonly editing: boolean;
  /** The agent is writing it. */
  readonly writing: boolean;
  /** The row that the tab key reaches. */
  readonly current: boolean;
  /** Somebody was brought here from a reply. */
  readonly pointedOut: boolean;
  readonly actions: MessageActions;
}

/** One message with the day before it. */
export const MessageRow = memo((props: MessageRowProps): VNode => {
  const { message, times, day, continued, writing, current, pointedOut } = props;
  const classes = [
    'message',
    message.by_agent && 'of-agent',
    continued && 'is-continued',
    writing && 'is-writing',
    pointedOut && 'is-pointed-out',
    props.editing && 'is-edited',
  ];
  return (
    <li>
      {day !== null && <p class="day">{day}</p>}
      <article
        class={classes.filter(Boolean).join(' ')}
        data-message={message.id}
        tabIndex={current ? 0 : -1}
        aria-label={`${message.author_name}, ${times.clock(message.created_at)}`}
        aria-busy={writing}
      >
        {!continued && <Avatar id={message.author_id} name={message.author_name} agent={message.by_agent} />}
        <div class="message-head">
          {!continued && <span class="author">{message.author_name}</span>}
          {!continued && message.by_agent && <span class="badge">agent</span>}
          <time dateTime={new Date(message.created_at).toISOString()} title={times.full(message.created_at)}>
            {times.clock(message.created_at)}
          </time>
        </div>
        <Answered {...props} />
        <Content {...props} />
      </article>
    </li>
  );
});

/** The first line of the message that this one answers, as the way there. */
function Answered({ message, answered, current, actions }: MessageRowProps): VNode | null {
  if (message.reply_to_id === null || message.deleted) return null;
  return (
    <button type="button" class="answered" tabIndex={current ? 0 : -1} onClick={() => actions.showAnswered(message)}>
      <ReplyIcon />
      <span class="visually-hidden">In reply to </span>
      <span class="answered-author">{answered?.author_name ?? 'an earlier message'}</span>
      {answered !== undefined && (
        <span class="answered-text">{answered.deleted ? 'message deleted' : excerpt(answered.body, QUOTE_LENGTH)}</span>
      )}
    </button>
  );
}

/** Text, tombstone or editor, and the actions of an own message. */
function Content({ message, times, own, editing, current, actions }: MessageRowProps): VNode {
  if (message.deleted) return <p class="tombstone">Message deleted</p>;
  if (editing) return <MessageEditor message={message} actions={actions} />;
  const edited = message.edited_at !== null && !message.by_agent ? message.edited_at : null;
  return (
    <>
      <MessageText body={message.body} edited={edited === null ? null : times.full(edited)} />
      {own && (
        <div class="message-actions">
          <button type="button" tabIndex={current ? 0 : -1} title="Edit" onClick={() => actions.beginEdit(message)}>
            <EditIcon />
            <span class="visually-hidden">Edit message</span>
          </button>
          <button type="button" tabIndex={current ? 0 : -1} title="Delete" onClick={() => actions.askToDelete(message)}>
            <DeleteIcon />
            <span class="visually-hidden">Delete message</span>
          </button>
        </div>
      )}
    </>
  );
}
