// SPDX-License-Identifier: Apache-2.0
import type { PlaygroundEntry, Recorded, Recorder } from '../record/index.js';
import type { HeartbeatBounds } from './strict/heartbeat-rule.js';
import type { World } from './world/index.js';

/** How a playground is set up; every knob that can change while it runs stands in `Faults` or `AgentConnection`. */
export interface BorgeePlaygroundOptions {
  /** Port on 127.0.0.1; default: 0, the system chooses. */
  readonly port?: number;
  /** Key of the agent; default: a fresh one. */
  readonly apiKey?: string;
  /** Default: `agent-angelia`. */
  readonly agentId?: string;
  /** Display name of the agent; default: `Angelia`. */
  readonly agentName?: string;
  /** Default: a record in memory, which then ends with the playground; a given one stays open. */
  readonly recorder?: Recorder<PlaygroundEntry>;
  /** Content of the chat server; default: the world "Harbour". Its agent replaces `agentId` and `agentName`. */
  readonly world?: World;
  /** The agent's own messages come back to it, before or after the result of `send_message`, or not at all; default: `after`. */
  readonly echo?: EchoOrder;
  /** The agent's own edits and deletions come back to it as well; default: false. */
  readonly echoChanges?: boolean;
  /** Unsent frames behind which the outgoing buffer of a connection drops silently (the real server: 256); default: none is dropped. */
  readonly dropBehind?: number;
  /** What happens to messages while no agent is connected; default: `lose`, as the protocol has no replay (bpp 3.3). */
  readonly whileOffline?: 'lose' | 'queue';
  /** Bounds of check `heartbeat-interval`, ms; default: 15 000 to 40 000. */
  readonly heartbeat?: HeartbeatBounds;
  /** Record of an earlier process of this playground: its messages and tasks are there again. */
  readonly history?: readonly Recorded<PlaygroundEntry>[];
  /** Folder of the built chat page; default: none is served. */
  readonly webRoot?: string;
}

/** When the agent's own message comes back to it, seen from the result of its action. */
export type EchoOrder = 'before' | 'after' | 'off';
