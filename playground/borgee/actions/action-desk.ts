// SPDX-License-Identifier: Apache-2.0
import type { SemanticActionFrame } from '../../../src/modules/gateway/borgee/wire/index.js';
import type { PlaygroundEntry, Recorder } from '../../record/index.js';
import type { AgentConnection, AnyFrame } from '../connection/agent-connection.js';
import { type Faults, ResultDelivery, type ResultFault } from '../faults/index.js';
import { inboundMessage } from '../inbound.js';
import type { EchoOrder } from '../options.js';
import type { ConnectionRules } from '../strict/connection-rules.js';
import type { Message, World } from '../world/index.js';
import { type ActionEffects, type ActionOutcome, runAction } from './actions.js';

/** Scope that a permission refusal names. */
const SCOPE = 'guild';

export interface ActionDeskOptions {
  readonly world: World;
  readonly recorder: Recorder<PlaygroundEntry>;
  readonly faults: Faults;
  readonly echo: EchoOrder;
  readonly echoChanges: boolean;
  /** Sends a frame to the agent's current connection. */
  readonly deliver: (frame: AnyFrame) => void;
  readonly current: () => AgentConnection | null;
}

/** Takes the agent's actions, executes them and sends their results and echoes in the order that the knobs ask for. */
export class ActionDesk {
  private readonly delivery = new ResultDelivery();

  constructor(private readonly options: ActionDeskOptions) {}

  /** Takes an action. */
  take(connection: AgentConnection, rules: ConnectionRules, frame: SemanticActionFrame): void {
    if (this.closesBefore(connection, frame)) return;
    const fault = this.options.faults.takeResult(frame.action);
    if (fault?.kind === 'ignore') return;
    const echoes: AnyFrame[] = [];
    const refusal = refusalBy(fault, frame, this.options.world.agent.id);
    const result = refusal ?? resultOf(frame.nonce, this.run(frame, echoes));
    if (this.closesAfter(connection, frame)) return;
    if (this.options.echo === 'before') this.send(echoes);
    this.delivery.deliver(() => {
      const target = fault?.kind === 'hold' ? this.options.current() : connection;
      if (target?.send(result) === true && frame.action === 'get_me' && target === connection) rules.identityTold();
    }, fault);
    if (this.options.echo === 'after') this.send(echoes);
  }

  /** Sends the results that were held. @returns how many */
  releaseResults(): number {
    return this.delivery.releaseAll();
  }

  /** Forgets every result that waits. */
  clear(): void {
    this.delivery.clear();
  }

  private run(frame: SemanticActionFrame, echoes: AnyFrame[]): ActionOutcome {
    return runAction(this.options.world, frame.action, frame.payload, this.effects(echoes));
  }

  private effects(echoes: AnyFrame[]): ActionEffects {
    const { world, recorder, echoChanges } = this.options;
    const echo = (message: Message, kind: string): void => {
      echoes.push(inboundMessage(world.agent, world.channel(message.channelId), message, kind));
    };
    return {
      posted: (message) => echo(message, 'message'),
      edited: (message) => echoChanges && echo(message, 'edited'),
      deleted: (message) => echoChanges && echo(message, 'deleted'),
      reacted: (messageId, emoji, added) => {
        const { channelId } = world.message(messageId);
        const reactor = { reactor_id: world.agent.id, emoji, added };
        recorder.append({ kind: 'reaction', message_id: messageId, channel_id: channelId, ...reactor });
      },
    };
  }

  private send(frames: readonly AnyFrame[]): void {
    for (const frame of frames) this.options.deliver(frame);
  }

  private closesBefore(connection: AgentConnection, frame: SemanticActionFrame): boolean {
    return this.closes(connection, frame.action === 'get_me' ? 'before-identity' : 'action-unseen');
  }

  private closesAfter(connection: AgentConnection, frame: SemanticActionFrame): boolean {
    return frame.action !== 'get_me' && this.closes(connection, 'action-pending');
  }

  private closes(connection: AgentConnection, at: 'before-identity' | 'action-unseen' | 'action-pending'): boolean {
    const code = this.options.faults.takeClose(at);
    if (code !== null) connection.close(code);
    return code !== null;
  }
}

/** The frame that a fault answers with instead of executing the action, or null. */
function refusalBy(fault: ResultFault | null, frame: SemanticActionFrame, agentId: string): AnyFrame | null {
  const { nonce, action } = frame;
  switch (fault?.kind) {
    case 'refuse':
      return resultOf(nonce, { error: fault.code });
    case 'deny':
      return {
        type: 'permission_denied',
        agent_id: agentId,
        request_id: nonce,
        attempted_action: action,
        required_capability: fault.requiredCapability ?? action,
        current_scope: fault.currentScope ?? SCOPE,
        denied_at: Date.now(),
      };
    case 'reply':
      return { type: 'semantic_action_result', nonce, status: 'ok', payload: '', error: '', ...fault.fields };
    case 'delay':
    case 'hold':
    case 'drop':
    case 'ignore':
    case 'duplicate':
    case 'reorder':
    case undefined:
      return null;
  }
}

/** The result of an executed action; a null payload travels as an empty text (bpp 2.3). */
function resultOf(nonce: string, outcome: ActionOutcome): AnyFrame {
  const head = { type: 'semantic_action_result', nonce };
  if ('error' in outcome) return { ...head, status: 'error', payload: '', error: outcome.error };
  const payload = outcome.value === null ? '' : JSON.stringify(outcome.value);
  return { ...head, status: 'ok', payload, error: '' };
}
