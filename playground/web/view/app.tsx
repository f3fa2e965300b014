// SPDX-License-Identifier: Apache-2.0
import { Component, createRef, type TargetedMouseEvent, type VNode } from 'preact';
import { type ChatState, openChannel, visibleChannels } from '../state/chat-state.js';
import { type ChatSession } from '../state/session.js';
import { ChannelHeader } from './channel-header.js';
import { ConnectionBar } from './connection-bar.js';
import { Conversation } from './conversation.js';
import { placeOf } from './place.js';
import { Sidebar } from './sidebar.js';

/** From this width on the sidebar stands beside the messages; `styles/sidebar.css` has the same number. */
const WIDE = '(min-width: 50rem)';

interface AppProps {
  readonly state: ChatState;
  readonly session: ChatSession;
}

interface AppState {
  readonly drawerOpen: boolean;
}

/** The whole page. On a narrow screen the sidebar is a drawer, and while it is open the rest is inert. */
export class App extends Component<AppProps, AppState> {
  override state: AppState = { drawerOpen: false };
  readonly #wide = matchMedia(WIDE);
  readonly #menu = createRef<HTMLButtonElement>();

  override componentDidMount(): void {
    this.#wide.addEventListener('change', this.#widthChanged);
  }

  override componentDidUpdate(before: AppProps): void {
    const { state } = this.props;
    const unread = unreadIn(state);
    const title = `${unread > 0 ? `(${unread}) ` : ''}${placeOf(state)} · Angelia playground`;
    if (document.title !== title) document.title = title;
    if (before.state.channelId !== state.channelId && this.state.drawerOpen) this.#shutDrawer();
  }

  override componentWillUnmount(): void {
    this.#wide.removeEventListener('change', this.#widthChanged);
  }

  override render({ state, session }: AppProps, { drawerOpen }: AppState): VNode {
    const channel = openChannel(state);
    const { agent, connection } = state;
    return (
      <div
        class="page"
        onKeyDown={(event) => {
          if (event.key === 'Escape' && drawerOpen) this.#shutDrawer();
        }}
      >
        <SkipLink target="messages">Skip to messages</SkipLink>
        <SkipLink target="message-box">Skip to message box</SkipLink>
        <Sidebar
          agent={agent}
          authorId={state.authorId}
          channels={state.channels}
          channelId={state.channelId}
          unread={state.unread}
          open={drawerOpen}
          onClose={this.#shutDrawer}
        />
        {drawerOpen && <div class="backdrop" onClick={this.#shutDrawer} />}
        <main inert={drawerOpen}>
          <ChannelHeader
            channel={channel}
            agent={agent}
            stale={connection.kind === 'lost'}
            unread={unreadIn(state)}
            drawerOpen={drawerOpen}
            menuRef={this.#menu}
            onMenu={() => this.#openDrawer()}
          />
          <ConnectionBar connection={connection} onRetry={() => session.retryNow()} />
          {channel !== undefined && agent !== null && (
            <Conversation key={channel.id} channel={channel} agent={agent} state={state} session={session} />
          )}
          <div class="visually-hidden" role="log" aria-label="New messages">
            {state.announcements.map(({ id, text }) => (
              <p key={id}>{text}</p>
            ))}
          </div>
        </main>
      </div>
    );
  }

  readonly #widthChanged = (): void => this.setState({ drawerOpen: false });

  readonly #shutDrawer = (): void => this.setState({ drawerOpen: false }, () => this.#menu.current?.focus());

  #openDrawer(): void {
    this.setState({ drawerOpen: true }, () => document.querySelector<HTMLElement>('#sidebar .drawer-close')?.focus());
  }
}

/** New messages in the channels that are not open. */
function unreadIn(state: ChatState): number {
  return visibleChannels(state).reduce((sum, channel) => sum + (state.unread.get(channel.id) ?? 0), 0);
}

/** A link that only keyboards see. It moves the focus itself: the address already names the channel. */
function SkipLink({ target, children }: { target: string; children: string }): VNode {
  const go = (event: TargetedMouseEvent<HTMLAnchorElement>): void => {
    event.preventDefault();
    document.getElementById(target)?.focus();
  };
  return (
    <a class="skip-link" href={`#${target}`} onClick={go}>
      {children}
    </a>
  );
}
