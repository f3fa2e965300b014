// SPDX-License-Identifier: Apache-2.0
import { type RefObject, type VNode } from 'preact';
import { type ChatAgent, type ChatChannel } from '../api/wire.js';
import { Avatar } from './avatar.js';
import { MenuIcon } from './icons.js';

/** Where one is, and how the agent is. */
export function ChannelHeader(props: {
  channel: ChatChannel | undefined;
  agent: ChatAgent | null;
  /** Newest of the agent's states is not known: the connection is lost. */
  stale: boolean;
  /** New messages in channels that are not open; on a narrow screen the sidebar does not show them. */
  unread: number;
  drawerOpen: boolean;
  menuRef: RefObject<HTMLButtonElement | null>;
  onMenu: () => void;
}): VNode {
  const { channel, agent, stale, unread, drawerOpen, menuRef, onMenu } = props;
  return (
    <header class="channel-header">
      <button
        type="button"
        class="icon-button drawer-open"
        ref={menuRef}
        aria-expanded={drawerOpen}
        aria-controls="sidebar"
        onClick={onMenu}
      >
        <MenuIcon />
        <span class="visually-hidden">Open sidebar{unread > 0 && `, ${unread} new in other channels`}</span>
        {unread > 0 && <span class="unread-dot" aria-hidden="true" />}
      </button>
      <div class="channel-title">
        <Title channel={channel} agent={agent} />
      </div>
      {agent !== null && <Presence agent={agent} stale={stale} />}
    </header>
  );
}

function Title({ channel, agent }: { channel: ChatChannel | undefined; agent: ChatAgent | null }): VNode {
  if (channel === undefined) return <h1>Angelia playground</h1>;
  if (channel.type === 'dm') {
    return (
      <>
        <h1>{agent?.name ?? channel.name}</h1>
        <span class="channel-sub">Direct message</span>
      </>
    );
  }
  return (
    <>
      <h1>
        <span class="hash" aria-hidden="true">
          #
        </span>
        {channel.name}
      </h1>
      {channel.guild !== null && <span class="channel-sub">{channel.guild}</span>}
    </>
  );
}

/** The agent's name and state; the dot only repeats what the words say. */
function Presence({ agent, stale }: { agent: ChatAgent; stale: boolean }): VNode {
  const state = presenceOf(agent, stale);
  return (
    <p class="presence" data-state={state}>
      <Avatar id={agent.id} name={agent.name} agent />
      <span class="presence-name">{agent.name}</span>
      <span class="presence-dot" aria-hidden="true" />
      <span class="presence-state">{state}</span>
    </p>
  );
}

function presenceOf(agent: ChatAgent, stale: boolean): 'unknown' | 'offline' | 'working' | 'online' {
  if (stale) return 'unknown';
  if (!agent.online) return 'offline';
  return agent.busy.length > 0 ? 'working' : 'online';
}
