// SPDX-License-Identifier: Apache-2.0
import { type VNode } from 'preact';
import { type ChatAgent } from '../api/wire.js';
import { worksIn } from '../state/chat-state.js';

/**
 * What the agent does in this channel. The line keeps its height, so that nothing moves when the words come and go.
 * `stale`: the connection is lost, so nobody knows.
 */
export function AgentLine(props: { agent: ChatAgent; channelId: string; stale: boolean }): VNode {
  const { agent, channelId, stale } = props;
  const busy = !stale && worksIn(agent, channelId);
  return (
    <p class="agent-line" role="status">
      {busy && (
        <>
          <span class="busy-dots" aria-hidden="true" />
          {agent.name} is working…
        </>
      )}
      {!stale && !agent.online && `${agent.name} is offline.`}
    </p>
  );
}
