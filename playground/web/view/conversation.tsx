// SPDX-License-Identifier: Apache-2.0
import { Component, createRef, type VNode } from 'preact';
import { type ChatAgent, type ChatChannel, type ChatMessage } from '../api/wire.js';
import { type ChatState, timelineOf } from '../state/chat-state.js';
import { type ChatSession } from '../state/session.js';
import { Times, untilMidnight } from '../text/times.js';
import { AgentLine } from './agent-line.js';
import { Composer } from './composer.js';
import { DeleteDialog } from './delete-dialog.js';
import { Notice } from './notice.js';
import { placeOf } from './place.js';
import { TimelineView } from './timeline-view.js';

interface ConversationProps {
  readonly channel: ChatChannel;
  readonly agent: ChatAgent;
  readonly state: ChatState;
  readonly session: ChatSession;
}

interface ConversationState {
  readonly editingId: string | null;
  readonly deleting: ChatMessage | null;
  readonly now: number;
}

/** One format for all channels: making it is slow. */
const TIMES = new Times();

/** The open channel: its messages, what the agent does, and the message box. Made anew for each channel (`key`). */
export class Conversation extends Component<ConversationProps, ConversationState> {
  override state: ConversationState = { editingId: null, deleting: null, now: Date.now() };
  readonly #box = createRef<HTMLTextAreaElement>();
  readonly #timeline = createRef<TimelineView>();
  #midnight: ReturnType<typeof setTimeout> | undefined;
  /** An edit that began in the message box leads back there. */
  #editedFromBox = false;
  readonly #actions = {
    beginEdit: (message: ChatMessage): void => this.#beginEdit(message, false),
    saveEdit: (message: ChatMessage, body: string): void => void this.#saveEdit(message, body),
    cancelEdit: (message: ChatMessage): void => this.#endEdit(message),
    askToDelete: (deleting: ChatMessage): void => this.setState({ deleting }),
  };

  override componentDidMount(): void {
    this.#planMidnight();
  }

  override componentWillUnmount(): void {
    clearTimeout(this.#midnight);
  }

  override render({ channel, agent, state, session }: ConversationProps, view: ConversationState): VNode {
    const { deleting } = view;
    return (
      <>
        <TimelineView
          viewRef={this.#timeline}
          channel={channel}
          agentName={agent.name}
          timeline={timelineOf(state, channel.id)}
          authorId={state.authorId}
          writingId={state.writing.get(channel.id)}
          editingId={view.editingId}
          now={view.now}
          times={TIMES}
          actions={this.#actions}
          onNeedOlder={() => void session.loadOlder(channel.id)}
          onNeed={(messageId) => session.loadUntil(channel.id, messageId)}
          onSuggest={(text) => this.#suggest(text)}
        />
        <div class="below">
          <AgentLine agent={agent} channelId={channel.id} stale={state.connection.kind === 'lost'} />
          {state.notice !== null && <Notice text={state.notice} onDismiss={() => session.dismissNotice()} />}
          <Composer
            boxRef={this.#box}
            place={placeOf(state)}
            authors={state.authors}
            authorId={state.authorId}
            draft={state.drafts.get(channel.id) ?? ''}
            onAuthor={(authorId) => session.chooseAuthor(authorId)}
            onDraft={(text) => session.setDraft(channel.id, text)}
            onSend={(text) => this.#send(text)}
            onEditLast={() => this.#editLast()}
          />
        </div>
        {deleting !== null && (
          <DeleteDialog
            message={deleting}
            onDelete={() => void this.#delete(deleting)}
            onKeep={() => this.setState({ deleting: null })}
          />
        )}
      </>
    );
  }

  /** "Today" becomes "yesterday" while the page is open. */
  #planMidnight(): void {
    const now = Date.now();
    this.#midnight = setTimeout(() => this.#planMidnight(), untilMidnight(now));
    this.setState({ now });
  }

  #suggest(text: string): void {
    const { session, channel } = this.props;
    session.setDraft(channel.id, text);
    this.#box.current?.focus();
  }

  #send(text: string): void {
    this.props.session.send(text);
    this.#timeline.current?.showLatest();
  }

  #editLast(): void {
    const { state, channel } = this.props;
    const { messages } = timelineOf(state, channel.id);
    const last = messages.findLast((message) => message.author_id === state.authorId && !message.deleted);
    if (last === undefined) return;
    this.#timeline.current?.reveal(last.id);
    this.#beginEdit(last, true);
  }

  #beginEdit(message: ChatMessage, fromBox: boolean): void {
    this.#editedFromBox = fromBox;
    this.setState({ editingId: message.id });
  }

  /** Closes the editor, unless the server did not take the text. */
  async #saveEdit(message: ChatMessage, body: string): Promise<void> {
    if (await this.props.session.edit(message, body)) this.#endEdit(message);
  }

  #endEdit(message: ChatMessage): void {
    this.setState({ editingId: null }, () => {
      if (this.#editedFromBox) this.#box.current?.focus();
      else this.#timeline.current?.focusMessage(message.id);
    });
  }

  /** The row stays and takes the focus, because its buttons are gone. */
  async #delete(message: ChatMessage): Promise<void> {
    this.setState({ deleting: null }, () => this.#timeline.current?.focusMessage(message.id));
    await this.props.session.remove(message);
  }
}
