// SPDX-License-Identifier: Apache-2.0
import type { ErrorCode } from '../../common/errors.js';
import type { BorgeeSettings } from '../../config/index.js';

/** Where a conversation stands, as the chat server tells it (BPP-11). */
export interface ConversationContext {
  readonly guildId: string | null;
  readonly topLevelChannelId: string | null;
  readonly threadId: string | null;
  readonly taskId: string | null;
}

/** Why an event ends at its receipt and starts no turn. */
export type IgnoredOutcome =
  | 'ignored_edited'
  | 'ignored_deleted'
  | 'ignored_reaction'
  | 'ignored_self_authored'
  | 'ignored_outbound_echo'
  | 'ignored_remote_control'
  | 'ignored_unknown_kind'
  | 'undecodable';

/** One event of the chat server, decoded and checked; every one of them becomes a receipt. */
export interface InboundEvent {
  /** Kind on the wire (`message`, `mention`, `edited`, …), `undecodable` for a poison event. */
  readonly kind: string;
  readonly channelId: string;
  /** `dm` or `channel` (every other type of the wire is a channel; an unknown one too). */
  readonly channelType: 'dm' | 'channel';
  readonly messageId: string;
  readonly authorId: string;
  readonly authorName: string;
  /** Text; empty for everything but messages. */
  readonly body: string;
  /** Unix time in ms as the server says. */
  readonly sourceCreatedAt: number;
  readonly context: ConversationContext | null;
  /** First 16 bytes of the SHA-256 of the whole payload: evidence when the same message comes again in another form. */
  readonly evidence: Buffer;
  /** Null: an ordinary turn. Else the receipt is terminal from its insert on. */
  readonly ignored: IgnoredOutcome | null;
}

/** Takes what the gateway reads; implemented by the inbox. */
export interface InboundHandler {
  /**
   * Stores one event.
   * @returns when the receipt is committed (INB-1)
   * @throws AngeliaError when the ledger cannot be written; the event is kept by the gateway and given again
   */
  receive(event: InboundEvent): Promise<void>;

  /** One write that proves the ledger can be written again. @throws AngeliaError when it cannot */
  probe(): Promise<void>;

  /** Keeps the id of a message that the gateway sent by itself (bpp 3.6). @throws AngeliaError when the ledger cannot be written */
  rememberOutbound(messageId: string, channelId: string): Promise<void>;
}
export const INBOUND_HANDLER = Symbol('INBOUND_HANDLER');

/** What became of an action that did not succeed. */
export type SendOutcome =
  /** The frame never left: it may be sent again. */
  | 'not_sent'
  /** The server said no, or no frame can hold it: it never happened and sending it again does not help. */
  | 'refused'
  /** The frame left and no answer came: it may have happened. */
  | 'uncertain';

/** Rejection of a send, edit or delete. */
export class SendError extends Error {
  /**
   * @param outcome what is known about its effect
   * @param code our code
   * @param serverCode the server's own code, if it gave one
   */
  constructor(
    readonly outcome: SendOutcome,
    readonly code: ErrorCode,
    readonly serverCode: string | null = null,
  ) {
    super(`${outcome}: ${code}`);
    this.name = 'SendError';
  }
}

/** A task of the agent that people see as "busy" (bpp 4.5). */
export interface AgentTask {
  readonly taskId: string;
  readonly channelId: string;
  /** Unix ms */
  readonly startedAt: number;
}

/** How a task ended. `reason` only with `failed`. */
export interface TaskEnd {
  readonly outcome: 'completed' | 'failed' | 'cancelled';
  readonly finishedAt: number;
}

/** State of the connection, for health. */
export type ChatServerState =
  | 'unconfigured'
  | 'connecting'
  | 'online'
  | 'reconnecting'
  | 'intake_paused'
  /** The operator closed the connection. */
  | 'paused'
  | 'auth_failed'
  | 'disabled'
  | 'misconfigured'
  | 'stopped';

export interface ChatServerStatus {
  readonly state: ChatServerState;
  /** Why it is not online. */
  readonly reason: ErrorCode | null;
  /** Unix ms since when. */
  readonly since: number;
  /** Connection attempts since the last stable connection. */
  readonly attempt: number;
  /** Bytes read from the socket and not yet committed. */
  readonly queuedBytes: number;
  /** Counters since the start of the process, by name. */
  readonly counters: Readonly<Record<string, number>>;
}

/** The agent's identity at a server. */
export interface AgentIdentity {
  readonly origin: string;
  readonly agentId: string;
}

/** A chat server as the rest of Angelia sees it; one implementation per protocol. */
export interface ChatServer {
  /**
   * (Re)connects with these settings and this key; resolves at once, the connection is made in the background.
   * The same settings and key again change nothing.
   */
  configure(settings: BorgeeSettings, apiKey: string): void;

  /** Asks a refused server again now instead of at the next probe (SIGHUP). */
  retryNow(): void;

  /**
   * The operator closes the connection, or opens it again (OPS-5). Writes under way get their answers first, what was read is handed over; what
   * people write meanwhile never arrives, for the wire has no replay.
   */
  setPaused(paused: boolean): void;

  /** Ends the connection; resolves when everything read was handed over and the socket is closed. Idempotent. */
  close(): Promise<void>;

  status(): ChatServerStatus;

  /** True while actions can be sent. */
  readonly online: boolean;

  /** Called at each change of `online`. @returns a function that ends it */
  onOnlineChange(listener: (online: boolean) => void): () => void;

  /**
   * Called once per connection with the identity that the server confirmed, before any turn; a throw ends the connection for good
   * (`ledger_write_failed`: until the next attempt).
   */
  onIdentity(listener: (identity: AgentIdentity) => Promise<void>): void;

  /**
   * Cuts a text so that each piece fits into one frame, at grapheme edges; always progresses.
   * @returns at least one piece; the pieces joined are the text
   */
  split(channelId: string, replyToId: string | null, text: string): string[];

  /** @returns the id that the server gave. @throws SendError */
  sendMessage(message: { channelId: string; content: string; replyToId: string | null }): Promise<string>;

  /** @throws SendError */
  editMessage(edit: { messageId: string; content: string }): Promise<void>;

  /** @throws SendError */
  deleteMessage(messageId: string): Promise<void>;

  /** Shows the agent busy; repeated after a reconnect until it certainly arrived. */
  taskStarted(task: AgentTask): void;

  /**
   * Ends a task that `taskStarted` announced, after a reconnect too; does nothing for an unknown one.
   * @returns when the frame certainly arrived or the gateway closes
   */
  taskFinished(taskId: string, end: TaskEnd): Promise<void>;
}
export const CHAT_SERVER = Symbol('CHAT_SERVER');
