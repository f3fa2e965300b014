// SPDX-License-Identifier: Apache-2.0

/** What every line of a record carries; the recorder adds it. */
export interface Stamp {
  /** Number of the line within this process, from 1. */
  readonly n: number;
  /** Unix ms */
  readonly at: number;
  /** CLOCK_MONOTONIC in ns as decimal digits; one clock for all processes of a machine. */
  readonly mono_ns: string;
}

/** A frame on the wire. Exactly one of `frame`, `text`, `base64` and `sha256` tells its content. */
export interface FrameEntry {
  readonly kind: 'frame';
  /** `in`: from the agent's client, `out`: written to its socket, `dropped`: fell out of a full outgoing buffer. */
  readonly dir: 'in' | 'out' | 'dropped';
  readonly conn: number;
  /** The frame's `type`, or null when it has none. */
  readonly type: string | null;
  readonly bytes: number;
  /** The decoded frame. */
  readonly frame?: Readonly<Record<string, unknown>>;
  /** Text that is no JSON object. */
  readonly text?: string;
  /** A binary message. */
  readonly base64?: string;
  /** A frame above 256 KiB: only its SHA-256 is kept. */
  readonly sha256?: string;
}

/** An upgrade request; the key itself never stands in a record. */
export interface UpgradeEntry {
  readonly kind: 'upgrade';
  /** Number of the connection that came of it, or null. */
  readonly conn: number | null;
  readonly url: string;
  readonly http_version: string;
  /** All headers by lower-case name, without `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly authorization: 'absent' | 'wrong' | 'right';
  /** HTTP status of the answer; null: none was given (closed or hung on purpose). */
  readonly status: number | null;
}

/** A message of a person, as the chat server stored it. */
export interface SentEntry {
  readonly kind: 'sent';
  readonly message_id: string;
  readonly channel_id: string;
  readonly channel_type: string;
  readonly author_id: string;
  readonly body: string;
  /** Kind under which it is delivered to the agent: `message` or `mention`. */
  readonly delivered_as: string;
  /** An agent was connected at that moment. */
  readonly agent_online: boolean;
}

/** A message of the agent (`send_message`). */
export interface AnswerEntry {
  readonly kind: 'answer';
  readonly message_id: string;
  /** The message it answers; null: a message of its own. */
  readonly reply_to_id: string | null;
  readonly channel_id: string;
  readonly content: string;
}

export interface EditedEntry {
  readonly kind: 'edited';
  readonly message_id: string;
  readonly channel_id: string;
  readonly content: string;
  readonly by_agent: boolean;
}

export interface DeletedEntry {
  readonly kind: 'deleted';
  readonly message_id: string;
  readonly channel_id: string;
  readonly by_agent: boolean;
}

export interface ReactionEntry {
  readonly kind: 'reaction';
  readonly message_id: string;
  readonly channel_id: string;
  readonly reactor_id: string;
  readonly emoji: string;
  readonly added: boolean;
}

/** `repeated`: the same start came again on a later connection. */
export interface TaskStartedEntry {
  readonly kind: 'task_started';
  readonly task_id: string;
  readonly channel_id: string;
  readonly repeated: boolean;
}

export interface TaskFinishedEntry {
  readonly kind: 'task_finished';
  readonly task_id: string;
  readonly channel_id: string;
  readonly outcome: string;
  readonly reason: string;
  readonly repeated: boolean;
}

/** End of a connection. `code`: what the closing side sent; 1006: none. */
export interface CloseEntry {
  readonly kind: 'close';
  readonly conn: number;
  readonly code: number;
  readonly by: 'client' | 'playground';
}

/** The client broke a strict check. */
export interface ViolationEntry {
  readonly kind: 'violation';
  readonly conn: number | null;
  readonly check: string;
  readonly detail: string;
}

/** A WebSocket control frame of the client, or our pong to it. */
export interface ControlEntry {
  readonly kind: 'control';
  readonly conn: number;
  readonly dir: 'in' | 'out';
  readonly frame: 'ping' | 'pong';
}

/** The playground opens or closes its port. */
export interface ListeningEntry {
  readonly kind: 'listening' | 'down';
  readonly port: number;
}

/** A line of `playground.jsonl`. */
export type PlaygroundEntry =
  | AnswerEntry
  | CloseEntry
  | ControlEntry
  | DeletedEntry
  | EditedEntry
  | FrameEntry
  | ListeningEntry
  | ReactionEntry
  | SentEntry
  | TaskFinishedEntry
  | TaskStartedEntry
  | UpgradeEntry
  | ViolationEntry;

/** A request at the scripted model, at its arrival. */
export interface ModelRequestEntry {
  /** `chat`: a turn; `aux`: without tools (titles); `probe`: anything that is no completion. */
  readonly kind: 'chat' | 'aux' | 'probe';
  /** Number of the request, from 1. */
  readonly request: number;
  readonly method: string;
  readonly path: string;
  readonly stream: boolean;
  /** Tag and step of the script that answers; null: the default answer. */
  readonly tag: string | null;
  readonly step: number | null;
  /** All system texts, joined by a blank line. */
  readonly system: string;
  /** The texts of the user, oldest first. */
  readonly user: readonly string[];
  /** The last of them, whole: it holds the message of the person that this request works on. */
  readonly last_user: string;
  /** Role of the last message: `user` for a new turn, `tool` for the step after a tool call. */
  readonly last_role: string | null;
  /** Names of the tools that were offered. */
  readonly tools: readonly string[];
}

/** A step of a script waits until the test releases it. */
export interface ModelHeldEntry {
  readonly kind: 'held';
  readonly request: number;
  readonly tag: string | null;
}

/** The connection of a request has ended. */
export interface ModelClosedEntry {
  readonly kind: 'closed';
  readonly request: number;
  readonly status: number;
  /** False: the client went away before the answer was complete. */
  readonly complete: boolean;
  /** The text that was written, whole; empty for tool calls and errors. The auditor compares it with what stands in the channel. */
  readonly text: string;
}

/** A line of `model.jsonl`. */
export type ModelEntry = ModelRequestEntry | ModelHeldEntry | ModelClosedEntry;
