// SPDX-License-Identifier: Apache-2.0

/** Version of the link protocol (docs/link.md). */
export const LINK_PROTOCOL = 1;

/** Versions of the other side. */
export interface ShimVersions {
  readonly shim: string;
  readonly hermes: string;
  readonly python: string;
  readonly protocol: number;
}

/** What Hermes really uses, as its own objects say (HST-7). */
export interface EffectiveHermesSettings {
  readonly group_sessions_per_user: boolean;
  readonly thread_sessions_per_user: boolean;
  readonly busy_input_mode: string;
  readonly multiplex_profiles: boolean;
  readonly streaming: { readonly enabled: boolean; readonly transport: string };
  /** Threads that serve turns (D-18). */
  readonly worker_threads: number;
  /** The official plugin's entry point is enabled in this profile (D-17). */
  readonly official_plugin_enabled: boolean;
}

/** Hermes's command table (D-12). */
export interface CommandTable {
  readonly version: string;
  readonly builtin: readonly { readonly name: string; readonly aliases: readonly string[] }[];
  readonly plugin: readonly string[];
}

/** State of one admission in the memory of the Hermes process. */
export interface AdmissionSnapshot {
  /** Claim token. */
  readonly id: string;
  readonly state: 'taken' | 'started' | 'ended';
}

/** Unsent events of an earlier Hermes process (docs/link.md, section 6). */
export interface Spool {
  readonly instance: string;
  readonly events: readonly ShimEvent[];
}

/** What the shim brings at attach (docs/link.md, section 3). */
export interface AttachReport {
  readonly instance: string;
  readonly pid: number;
  readonly versions: ShimVersions;
  readonly platform: Readonly<Record<string, unknown>>;
  readonly hermes: EffectiveHermesSettings;
  readonly commands: CommandTable;
  readonly sessions: { readonly cleared: readonly string[] };
  readonly admissions: readonly AdmissionSnapshot[];
  readonly first_unacknowledged: number;
  readonly spool?: Spool;
}

/** A turn handed to Hermes (docs/link.md, section 4). */
export interface StartCommand {
  readonly op: 'start';
  readonly admission: string;
  readonly chat: {
    readonly id: string;
    readonly type: 'dm' | 'channel';
    readonly name: string;
    readonly thread_id: string | null;
  };
  readonly author: { readonly id: string; readonly name: string };
  readonly message_id: string;
  readonly text: string;
  /** Unique per turn: it keeps Hermes's agent cache from answering with another session's history. */
  readonly prompt: string;
  /** Unix ms */
  readonly sent_at: number;
  /** The text begins with `/`: `started` is already committed. */
  readonly command: boolean;
  /** Control work: it runs beside the busy turn of its session, or is refused with `not_active` when that has ended (SCH-3). */
  readonly bypass: boolean;
  /** The receipt was released before: clear the resume flag and rewind an unfinished exchange first. */
  readonly clean: boolean;
}

export interface SuspendCommand {
  readonly op: 'suspend';
  readonly session_key: string;
  /** Suspend it although a turn of it runs (SCH-4). */
  readonly busy: boolean;
}

/** The operator decided about a receipt of that session: it begins afresh, without a notice (INB-5). */
export interface ResetCommand {
  readonly op: 'reset';
  readonly session_key: string;
}

/** Asks which admissions the process knows (watchdog). */
export interface AdmissionsCommand {
  readonly op: 'admissions';
}

export interface InterruptCommand {
  readonly op: 'interrupt';
  readonly admission: string;
}

export type LinkCommand = StartCommand | SuspendCommand | ResetCommand | InterruptCommand | AdmissionsCommand;

/** Usage of one provider and model within a turn, in tokens. */
export interface ModelUsage {
  readonly provider: string;
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly requests: number;
}

/** How a turn ended in Hermes (docs/link.md, section 5). */
export type TurnOutcome = 'completed' | 'failed' | 'cancelled' | 'withdrawn' | 'not_started';

/** Flags that the hooks of one turn left behind (running-hermes, section 6). */
export interface TurnFlags {
  readonly dispatched: boolean;
  readonly started: boolean;
  readonly completed: boolean;
  readonly interrupted: boolean;
}

interface Numbered {
  /** Position in the queue of one Hermes process, from 1. */
  readonly seq: number;
}

/** Answer to a command. */
export interface ResultEvent extends Numbered {
  readonly type: 'result';
  readonly command: string;
  readonly ok: boolean;
  readonly code?: string;
  readonly repeated?: boolean;
  readonly existed?: boolean;
  readonly known?: boolean;
  readonly admissions?: readonly AdmissionSnapshot[];
}

export interface ParkedEvent extends Numbered {
  readonly type: 'parked';
  readonly admission: string;
}

export interface StartedEvent extends Numbered {
  readonly type: 'started';
  readonly admission: string;
}

export interface WithdrawnEvent extends Numbered {
  readonly type: 'withdrawn';
  readonly admission: string;
}

export interface SendEvent extends Numbered {
  readonly type: 'send';
  readonly admission: string;
  /** Local message id that Hermes was given. */
  readonly handle: string;
  readonly chat_id: string;
  readonly text: string;
  readonly reply_to?: string;
}

export interface EditEvent extends Numbered {
  readonly type: 'edit';
  readonly admission: string;
  readonly handle: string;
  readonly text: string;
  readonly final: boolean;
}

export interface DeleteEvent extends Numbered {
  readonly type: 'delete';
  readonly admission: string;
  readonly handle: string;
}

export interface QuestionEvent extends Numbered {
  readonly type: 'question';
  readonly admission: string;
  readonly kind: 'clarify' | 'approval' | 'choice';
  /** Unique in its process. */
  readonly question: string;
  /** The shim has answered Hermes already. */
  readonly answered: boolean;
}

export interface EndedEvent extends Numbered {
  readonly type: 'ended';
  readonly admission: string;
  readonly outcome: TurnOutcome;
  /** Of the last failed model request; never its text. */
  readonly error?: { readonly status: number | null; readonly reason: string };
  readonly flags: TurnFlags;
  readonly usage: readonly ModelUsage[];
}

export interface DroppedEvent extends Numbered {
  readonly type: 'dropped';
  readonly what: 'internal_event' | 'send_without_turn' | 'send_before_start' | 'error_text' | 'late_output';
  readonly admission?: string;
}

export interface StoppingEvent extends Numbered {
  readonly type: 'stopping';
}

/** Everything that the shim reports, in its order. */
export type ShimEvent =
  | ResultEvent
  | ParkedEvent
  | StartedEvent
  | WithdrawnEvent
  | SendEvent
  | EditEvent
  | DeleteEvent
  | QuestionEvent
  | EndedEvent
  | DroppedEvent
  | StoppingEvent;

/** Reply to one event, by its number. */
export interface EventReply {
  readonly go?: boolean;
}

/** Events whose effects are committed by the handler; `result` is settled by the link itself. */
export type TurnEvent = Exclude<ShimEvent, ResultEvent>;
