// SPDX-License-Identifier: Apache-2.0
import { Component, createRef, type RefObject, type TargetedKeyboardEvent, type VNode } from 'preact';
import { type ChatChannel, type ChatMessage } from '../api/wire.js';
import { type Timeline } from '../state/timeline.js';
import { type Times } from '../text/times.js';
import { EmptyHint } from './empty-hint.js';
import { DownIcon } from './icons.js';
import { type MessageActions } from './message-actions.js';
import { Rows } from './rows.js';
import { type Anchor, anchorOf, atEnd, restore, rowOf } from './scroll-anchor.js';
import {
  around,
  boundsOf,
  downwards,
  LATEST,
  settled,
  type TimelineWindow,
  trimmed,
  upwards,
} from './timeline-window.js';

/** Pixels before an end of the drawn rows at which more are drawn. */
const NEAR_PX = 800;

export interface TimelineViewProps {
  /** Holds the view while it is on the screen (Preact 11 gives `ref` to elements only). */
  readonly viewRef: RefObject<TimelineView | null>;
  readonly channel: ChatChannel;
  readonly agentName: string;
  readonly timeline: Timeline;
  readonly authorId: string | null;
  readonly writingId: string | undefined;
  readonly editingId: string | null;
  readonly now: number;
  readonly times: Times;
  readonly actions: Omit<MessageActions, 'showAnswered'>;
  /** Reads the page before what is known. */
  readonly onNeedOlder: () => void;
  /** Reads until a message is known; resolves to whether it is. */
  readonly onNeed: (messageId: string) => Promise<boolean>;
  /** A demo text was chosen. */
  readonly onSuggest: (text: string) => void;
}

interface TimelineViewState {
  readonly window: TimelineWindow;
  readonly currentId: string | null;
  readonly pointedOutId: string | null;
  /** Newest message when the reader left the end; null while reading there. */
  readonly leftAt: string | null;
}

/**
 * The messages of one channel. At most {@link MAX_ROWS} rows exist; more are drawn near the ends, and older pages read,
 * before the reader gets there. Whoever reads the end stays there; everybody else keeps the row that is looked at.
 * It is made anew for each channel (`key`).
 */
export class TimelineView extends Component<TimelineViewProps, TimelineViewState> {
  override state: TimelineViewState = { window: LATEST, currentId: null, pointedOutId: null, leftAt: null };
  readonly #list = createRef<HTMLDivElement>();
  readonly #resizes = new ResizeObserver(() => this.#hold());
  readonly #actions: MessageActions = {
    ...this.props.actions,
    showAnswered: (message) => void this.#show(message.reply_to_id),
  };
  /** What the reader looked at last, and where the list stood then; the browser's own resizing comes after the fact. */
  #anchor: Anchor = { kind: 'end' };
  #notedTop = 0;

  static override getDerivedStateFromProps(
    props: TimelineViewProps,
    state: TimelineViewState,
  ): Partial<TimelineViewState> {
    return { window: settled(props.timeline.messages, state.window) };
  }

  override componentDidMount(): void {
    this.props.viewRef.current = this;
    const list = this.#list.current;
    if (list === null) return;
    this.#hold();
    this.#resizes.observe(list);
    this.#draw();
  }

  /** A scroll whose event is still to come counts already: what is drawn now must not take it back. */
  override getSnapshotBeforeUpdate(_props: TimelineViewProps, before: TimelineViewState): null {
    const list = this.#list.current;
    if (list !== null && list.scrollTop !== this.#notedTop) this.#note(list, before.window.last === null);
    return null;
  }

  override componentDidUpdate(): void {
    this.#hold();
    this.#draw();
  }

  override componentWillUnmount(): void {
    this.props.viewRef.current = null;
    this.#resizes.disconnect();
  }

  /** Goes to the newest message. */
  showLatest(): void {
    this.#anchor = { kind: 'end' };
    this.#notedTop = this.#list.current?.scrollTop ?? 0;
    this.setState({ window: LATEST, leftAt: null, currentId: null });
  }

  /** Draws a known message, wherever it is, and scrolls to it. */
  reveal(messageId: string): void {
    const { messages } = this.props.timeline;
    const index = messages.findLastIndex((message) => message.id === messageId);
    const [start, end] = boundsOf(messages, this.state.window);
    const window = index >= start && index < end ? this.state.window : around(messages, index);
    this.setState({ window }, () => this.#scrollTo(messageId, 'nearest'));
  }

  /** Puts the keyboard's focus on a message that is drawn. */
  focusMessage(messageId: string): void {
    const list = this.#list.current;
    if (list !== null) rowOf(list, messageId)?.focus({ preventScroll: true });
  }

  render({ timeline, channel, agentName, ...props }: TimelineViewProps, state: TimelineViewState): VNode {
    const [start, end] = boundsOf(timeline.messages, state.window);
    const drawn = timeline.messages.slice(start, end);
    const current = drawn.find((message) => message.id === state.currentId) ?? drawn.at(-1);
    const empty = timeline.loaded && timeline.messages.length === 0;
    return (
      <section class="timeline" aria-label="Messages" aria-busy={!timeline.loaded}>
        <div
          class="timeline-scroll"
          id="messages"
          ref={this.#list}
          tabIndex={-1}
          onScroll={() => this.#scrolled()}
          onKeyDown={(event) => this.#move(event)}
          onFocusIn={(event) => this.#focused(event.target)}
        >
          {!timeline.loaded && <p class="timeline-note">Loading messages…</p>}
          {empty && <EmptyHint channel={channel} agentName={agentName} onSuggest={props.onSuggest} />}
          {timeline.loaded && !empty && !timeline.more && start === 0 && (
            <p class="timeline-note">This is where the conversation begins.</p>
          )}
          {timeline.loaded && (
            <Rows
              timeline={timeline}
              start={start}
              end={end}
              now={props.now}
              times={props.times}
              authorId={props.authorId}
              writingId={props.writingId}
              editingId={props.editingId}
              currentId={current?.id}
              pointedOutId={state.pointedOutId}
              actions={this.#actions}
            />
          )}
        </div>
        {this.#latestButton(timeline.messages, state)}
      </section>
    );
  }

  #latestButton(messages: readonly ChatMessage[], { leftAt, window }: TimelineViewState): VNode | null {
    if (leftAt === null && window.last === null) return null;
    const fresh =
      leftAt === null ? 0 : messages.length - 1 - messages.findLastIndex((message) => message.id === leftAt);
    return (
      <button type="button" class="button to-latest" onClick={() => this.showLatest()}>
        <DownIcon />
        {fresh === 0 ? 'Newest messages' : `${fresh} new ${fresh === 1 ? 'message' : 'messages'}`}
      </button>
    );
  }

  /** Notes what the reader looks at now. */
  #note(list: HTMLElement, complete = this.state.window.last === null): void {
    this.#anchor = anchorOf(list, complete);
    this.#notedTop = list.scrollTop;
  }

  /** Keeps what the reader looks at in its place after something was drawn. The hint of an empty channel is read from its top. */
  #hold(): void {
    const list = this.#list.current;
    if (list === null || this.props.timeline.messages.length === 0) return;
    restore(list, this.#anchor);
    this.#note(list);
  }

  #scrolled(): void {
    const list = this.#list.current;
    if (list === null) return;
    this.#note(list);
    const { timeline } = this.props;
    const leftAt = this.#anchor.kind === 'end' ? null : (this.state.leftAt ?? timeline.messages.at(-1)?.id ?? null);
    if (leftAt !== this.state.leftAt) this.setState({ leftAt });
    this.#draw();
  }

  /** Draws more rows, or has older ones read, where the reader comes near an end of what is drawn. */
  #draw(): void {
    const list = this.#list.current;
    const { timeline, onNeedOlder } = this.props;
    if (list === null || !timeline.loaded) return;
    const { window } = this.state;
    const [start, end] = boundsOf(timeline.messages, window);
    const below = list.scrollHeight - list.clientHeight - list.scrollTop;
    if (list.scrollTop < NEAR_PX && start > 0) this.setState({ window: upwards(timeline.messages, window) });
    else if (below < NEAR_PX && end < timeline.messages.length) {
      this.setState({ window: downwards(timeline.messages, window) });
    } else if (atEnd(list) && trimmed(timeline.messages, window) !== window) this.setState({ window: LATEST });
    if (list.scrollTop < NEAR_PX && start === 0 && timeline.more) onNeedOlder();
  }

  /** Arrow keys, Home and End go from message to message. */
  #move(event: TargetedKeyboardEvent<HTMLElement>): void {
    const list = this.#list.current;
    const from = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-message]') : null;
    if (list === null || from === null || event.target !== from) return;
    const rows = [...list.querySelectorAll<HTMLElement>('[data-message]')];
    const at = rows.indexOf(from);
    const target = { ArrowUp: rows[at - 1], ArrowDown: rows[at + 1], Home: rows[0], End: rows.at(-1) }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    target.focus();
  }

  /** The row that has had the focus is the one that the tab key comes back to. */
  #focused(target: EventTarget | null): void {
    const currentId = target instanceof HTMLElement ? target.dataset['message'] : undefined;
    if (currentId !== undefined && currentId !== this.state.currentId) this.setState({ currentId });
  }

  /** Brings the reader to a message, from wherever it has to be read. */
  async #show(messageId: string | null): Promise<void> {
    if (messageId === null || !(await this.props.onNeed(messageId))) return;
    const { messages } = this.props.timeline;
    const index = messages.findLastIndex((message) => message.id === messageId);
    this.setState({ window: around(messages, index), currentId: messageId, pointedOutId: null }, () => {
      this.#scrollTo(messageId, 'center');
      this.focusMessage(messageId);
      this.setState({ pointedOutId: messageId });
    });
  }

  /** Scrolls to a drawn message, which is what the reader looks at from now on. */
  #scrollTo(messageId: string, block: 'center' | 'nearest'): void {
    const list = this.#list.current;
    if (list === null) return;
    rowOf(list, messageId)?.scrollIntoView({ block });
    this.#scrolled();
  }
}
