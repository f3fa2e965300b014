// SPDX-License-Identifier: Apache-2.0

/** What the playground does with an upgrade request instead of taking it. */
export type UpgradeFault =
  /** Answers with a status, with `Retry-After` (seconds or a date) if given. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  /** Closes the TCP connection without an answer. */
  | { readonly kind: 'close' }
  /** Never answers. */
  | { readonly kind: 'hang' }
  /** Answers 302 with this address. */
  | { readonly kind: 'redirect'; readonly location: string }
  /** Takes it and adds `x-borgee-agent-requests-version` once for each value (bpp 1.2); `['1']` negotiates normalized activity. */
  | { readonly kind: 'version-header'; readonly values: readonly string[] };

/** What the playground does with the result of an action. */
export type ResultFault =
  /** Executes it and answers later. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Executes it and answers at `releaseResults()`, on the connection that is current then: a late result. */
  | { readonly kind: 'hold' }
  /** Executes it and never answers. */
  | { readonly kind: 'drop' }
  /** Neither executes nor answers it. */
  | { readonly kind: 'ignore' }
  /** Executes it and answers twice. */
  | { readonly kind: 'duplicate' }
  /** Executes `count` actions, then answers them in reverse order. */
  | { readonly kind: 'reorder'; readonly count: number }
  /** Does not execute it and answers with an error code of the server. */
  | { readonly kind: 'refuse'; readonly code: string }
  /** Does not execute it and answers with `permission_denied`. */
  | { readonly kind: 'deny'; readonly requiredCapability?: string; readonly currentScope?: string }
  /** Does not execute it and answers with these fields of a `semantic_action_result`, legal or not. */
  | { readonly kind: 'reply'; readonly fields: Readonly<Record<string, unknown>> };

/** A rule for results: it acts on the next `times` actions of this name. */
export interface ResultRule {
  /** Default: every action. */
  readonly action?: string;
  /** Default: 1; Infinity: until cleared. */
  readonly times?: number;
  readonly fault: ResultFault;
}

/** Points of a connection's life at which the playground can end it. */
export type ClosePoint =
  /** Right after the 101, before `connect` was read. */
  | 'before-connect'
  /** `connect` was read, the answer to `get_me` not sent: at `get_me`. */
  | 'before-identity'
  /** An action other than `get_me` was executed and its result is pending. */
  | 'action-pending'
  /** An action other than `get_me` was read and not executed. */
  | 'action-unseen'
  /** A message or mention was written to the socket, between its receipt and its commit. */
  | 'after-delivery';

/** A close at a point. */
export interface PlannedClose {
  readonly at: ClosePoint;
  /** Close code; 1005: a close frame without a code; 1006: the TCP connection is cut. */
  readonly code: number;
  /** How often; default: 1. */
  readonly times?: number;
  /** Lets so many occasions pass first; default: 0. */
  readonly after?: number;
}
