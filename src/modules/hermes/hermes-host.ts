// SPDX-License-Identifier: Apache-2.0
import type { AngeliaError } from '../../common/errors.js';
import type {
  AdmissionSnapshot,
  AttachReport,
  EffectiveHermesSettings,
  EventReply,
  ShimEvent,
  ShimVersions,
  StartCommand,
} from './link/protocol.js';

/** Identities of the two official locks that the shim takes (D-8): digests, never the key. */
export interface OfficialLocks {
  readonly profile: string | null;
  readonly credential: string | null;
}

/** Answer to an attach. */
export type AttachVerdict =
  | {
      readonly accepted: true;
      /** events up to here are committed */ readonly ack: number;
      readonly locks: OfficialLocks;
    }
  | { readonly accepted: false; readonly error: AngeliaError };

/** Answers of the rest of Angelia to the link; implemented by runs. */
export interface HermesEventHandler {
  /** The epoch of this bridge process; the ledger counts it up at every start. */
  readonly epoch: number;

  /**
   * Judges a shim that proved the secret: checks the settings, applies its spool, reads the watermark. Nothing of the shim is
   * acted on before this resolves with `accepted`.
   */
  attaching(report: AttachReport): Promise<AttachVerdict>;

  /** The command stream is open: what the snapshot and the ledger disagree about is settled now. */
  attached(report: AttachReport): void;

  /** The stream ended. The admissions of that process stay as they are. */
  detached(instance: string): void;

  /**
   * Commits the effects of events and their watermark in one transaction.
   * @param events in order, `result` events included (they have no effect, but count for the watermark)
   * @returns replies by `seq`, after the commit
   * @throws AngeliaError when the ledger cannot be written; the shim tries again
   */
  apply(instance: string, events: readonly ShimEvent[]): Promise<ReadonlyMap<number, EventReply>>;
}

/** The Hermes process that is attached now. */
export interface AttachedHermes {
  readonly instance: string;
  readonly pid: number;
  readonly versions: ShimVersions;
  readonly settings: EffectiveHermesSettings;
  /** Unix ms */
  readonly since: number;
}

/** State of the link, for health and dispatch. */
export interface HermesHostStatus {
  readonly attached: AttachedHermes | null;
  /** The newest refusal, until an attach succeeds: the setting that is wrong, by name. */
  readonly refused: AngeliaError | null;
  /** Hermes announced its stop: no further admissions. */
  readonly stopping: boolean;
}

/** Answer of the shim to a start. */
export type StartReply =
  { readonly taken: true; readonly repeated: boolean } | { readonly taken: false; readonly code: string };

/** Hermes as the rest of Angelia sees it. */
export interface HermesHost {
  /** Names who answers the shim; once, before `listen()`. */
  setHandler(handler: HermesEventHandler): void;

  /** Opens the loopback server and writes the link file. */
  listen(): Promise<void>;

  /** Ends the command stream, closes the server, removes the own link file. Idempotent. */
  close(): Promise<void>;

  status(): HermesHostStatus;

  /**
   * Hands over a turn. The id of the command is `start:<admission>`.
   * @throws AngeliaError `link_detached` when the stream ended before an answer came: whether the shim took it is
   *   told by the next attach
   */
  startTurn(start: Omit<StartCommand, 'op'>): Promise<StartReply>;

  /** Interrupts a turn. @returns whether the process knows it. @throws AngeliaError `link_detached` */
  interruptTurn(admission: string): Promise<boolean>;

  /**
   * Suspends a session so that its next turn starts fresh (INB-3).
   * @param reason id of the claim that asks for it
   * @param busy suspend it although a turn of it runs (SCH-4)
   * @returns whether the session existed. @throws AngeliaError `link_detached` or `hermes_start_refused`
   */
  suspendSession(sessionKey: string, reason: string, busy?: boolean): Promise<{ existed: boolean }>;

  /**
   * Resets a session: its next turn starts fresh, and nobody is told (INB-5).
   * @param reason id of the decision that asks for it
   * @returns whether the session existed. @throws AngeliaError `link_detached` or `hermes_start_refused`
   */
  resetSession(sessionKey: string, reason: string): Promise<{ existed: boolean }>;

  /** Asks which admissions the attached process knows. @throws AngeliaError `link_detached` */
  knownAdmissions(): Promise<readonly AdmissionSnapshot[]>;
}
export const HERMES_HOST = Symbol('HERMES_HOST');
