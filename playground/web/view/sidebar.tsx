// SPDX-License-Identifier: Apache-2.0
import { type VNode } from 'preact';
import { type ChatChannel } from '../api/wire.js';
import { type ChatState, visibleChannels, worksIn } from '../state/chat-state.js';
import { hashOf } from '../state/route.js';
import { Avatar } from './avatar.js';
import { CloseIcon, WingIcon } from './icons.js';
import { memo } from './memo.js';
import { ThemeSwitch } from './theme-switch.js';

/** The part of the state that the sidebar shows. */
export type SidebarProps = Pick<ChatState, 'agent' | 'authorId' | 'channels' | 'channelId' | 'unread'> & {
  readonly open: boolean;
  readonly onClose: () => void;
};

/** Channels by guild, the direct message with the agent, and the switch of the colour scheme. */
export const Sidebar = memo((props: SidebarProps): VNode => {
  const visible = visibleChannels(props);
  const guilds = Map.groupBy(
    visible.filter((channel) => channel.type === 'channel'),
    (channel) => channel.guild ?? 'Channels',
  );
  const direct = visible.filter((channel) => channel.type === 'dm');
  return (
    <aside class="sidebar" id="sidebar" aria-label="Sidebar" data-open={props.open}>
      <div class="brand">
        <span class="brand-mark">
          <WingIcon />
        </span>
        <span>
          <strong>Angelia</strong>
          <span class="brand-sub">playground</span>
        </span>
        <button type="button" class="icon-button drawer-close" onClick={props.onClose}>
          <CloseIcon />
          <span class="visually-hidden">Close sidebar</span>
        </button>
      </div>
      <nav aria-label="Channels">
        {[...guilds].map(([guild, channels]) => (
          <ChannelList key={guild} title={guild} listed={channels} {...props} />
        ))}
        {direct.length > 0 && <ChannelList title="Direct messages" listed={direct} {...props} />}
      </nav>
      <ThemeSwitch />
    </aside>
  );
});

function ChannelList(props: SidebarProps & { title: string; listed: readonly ChatChannel[] }): VNode {
  const { title, listed, channelId, agent, unread } = props;
  return (
    <>
      <h2>{title}</h2>
      <ul class="channels">
        {listed.map((channel) => (
          <li key={channel.id}>
            <a href={hashOf(channel.id)} aria-current={channel.id === channelId ? 'page' : undefined}>
              {channel.type === 'dm' ? (
                <Avatar id={agent?.id ?? ''} name={agent?.name ?? ''} agent />
              ) : (
                <span class="hash" aria-hidden="true">
                  #
                </span>
              )}
              <span class="channel-name">{channel.type === 'dm' ? (agent?.name ?? channel.name) : channel.name}</span>
              <ChannelState busy={agent !== null && worksIn(agent, channel.id)} unread={unread.get(channel.id) ?? 0} />
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What goes on in a channel that is not looked at. */
function ChannelState({ busy, unread }: { busy: boolean; unread: number }): VNode {
  return (
    <>
      {busy && (
        <span class="busy-dots" title="The agent is working here">
          <span class="visually-hidden">, the agent is working here</span>
        </span>
      )}
      {unread > 0 && (
        <span class="unread">
          {unread > 99 ? '99+' : unread}
          <span class="visually-hidden"> new</span>
        </span>
      )}
    </>
  );
}
