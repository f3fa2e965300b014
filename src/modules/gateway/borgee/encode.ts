// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from 'node:crypto';
import type { AgentTask, TaskEnd } from '../chat-server.js';
import {
  type AgentConfigAckFrame,
  type AgentConfigUpdateFrame,
  CAPABILITIES,
  type ClientFrame,
  type ConnectFrame,
  type HeartbeatFrame,
  PLUGIN_ID,
  PROTOCOL_VERSION,
  type SemanticActionFrame,
  type TaskFinishedFrame,
  type TaskStartedFrame,
} from './wire/index.js';

/** What people read about a running task; neutral, the same for every task (bpp 4.5). */
export const TASK_SUBJECT = 'Working on a message';

/** JSON text of a frame: compact, non-ASCII raw (bpp 1.10). */
export function encodeFrame(frame: ClientFrame): string {
  return JSON.stringify(frame);
}

/** First frame of every connection. */
export function connectFrame(): ConnectFrame {
  return {
    type: 'connect',
    plugin_id: PLUGIN_ID,
    token: '',
    version: PROTOCOL_VERSION,
    capabilities: JSON.stringify(CAPABILITIES),
  };
}

/** One action with a fresh nonce. @param agentId empty until the identity is known */
export function actionFrame(agentId: string, action: string, payload: object): SemanticActionFrame {
  return { type: 'semantic_action', agent_id: agentId, action, payload: JSON.stringify(payload), nonce: randomUUID() };
}

/** @param now Unix ms */
export function heartbeatFrame(agentId: string, now: number): HeartbeatFrame {
  return { type: 'heartbeat', plugin_id: PLUGIN_ID, agent_id: agentId, status: 'online', reason: '', timestamp: now };
}

export function taskStartedFrame(agentId: string, task: AgentTask): TaskStartedFrame {
  return {
    type: 'task_started',
    task_id: task.taskId,
    agent_id: agentId,
    channel_id: task.channelId,
    subject: TASK_SUBJECT,
    started_at: task.startedAt,
  };
}

export function taskFinishedFrame(agentId: string, task: AgentTask, end: TaskEnd): TaskFinishedFrame {
  return {
    type: 'task_finished',
    task_id: task.taskId,
    agent_id: agentId,
    channel_id: task.channelId,
    outcome: end.outcome,
    reason: end.outcome === 'failed' ? 'unknown' : '',
    finished_at: end.finishedAt,
  };
}

/** The one answer of a Hermes bridge to a config update: refused, for no nameable reason (BPP-6, bpp 3.7). */
export function configAckFrame(update: AgentConfigUpdateFrame): AgentConfigAckFrame {
  return {
    type: 'agent_config_ack',
    cursor: update.cursor,
    agent_id: update.agent_id,
    schema_version: update.schema_version,
    idempotency_key: update.idempotency_key,
    status: 'rejected',
    reason: 'unknown',
    applied_at: 0,
  };
}
