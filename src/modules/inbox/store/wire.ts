// SPDX-License-Identifier: Apache-2.0
import type { AngeliaError, ErrorCode, ErrorDetails } from '../../../common/errors.js';
import type { AdmitResult, NewReceipt } from './receipt-types.js';
import type { StepName } from './steps.js';

/** One step on its way to the store's thread: its name and its packed arguments. */
export type WireStep = readonly [name: StepName, args: readonly unknown[]];

/** Steps that become one commit. */
export interface WireBatch {
  /** Unix ms of the clock that Angelia runs on. */
  readonly now: number;
  readonly steps: readonly WireStep[];
}

/** An `AngeliaError` that crosses the threads. */
export interface WireError {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly cause: Error | undefined;
}

/** What became of a step; the value is packed. */
export type WireOutcome = { readonly value: unknown } | { readonly error: WireError };

/** @returns the error as plain data, since a clone would lose its class */
export function packError({ code, details, cause }: AngeliaError): WireError {
  return { code, details, cause: plainCause(cause) };
}

/** SQLite's errors are none that a clone knows. A parser's message is left out: it quotes what it read. */
function plainCause(cause: unknown): Error | undefined {
  if (!(cause instanceof Error)) return undefined;
  return new Error(cause instanceof SyntaxError ? cause.name : `${cause.name}: ${cause.message}`);
}

/**
 * A receipt as a list: a clone writes the names of an object's properties for every single one, and copies the whole buffer behind a
 * slice. Both cost more than the insert itself, so the hot step travels without names and with its hashes as text.
 */
export function packReceipt(receipt: NewReceipt): readonly unknown[] {
  return [
    receipt.dedupeKey.toString('latin1'),
    receipt.evidence.toString('latin1'),
    receipt.kind,
    receipt.lane,
    receipt.channelId,
    receipt.channelType,
    receipt.messageId,
    receipt.authorId,
    receipt.authorName,
    receipt.body,
    receipt.sourceBody,
    receipt.dispatchClass,
    receipt.context,
    receipt.sourceCreatedAt,
    receipt.receivedAt,
    receipt.terminal,
    receipt.checkEcho,
  ] satisfies PackedReceipt;
}

type PackedReceipt = [
  dedupeKey: string,
  evidence: string,
  kind: string,
  lane: string,
  channelId: string,
  channelType: NewReceipt['channelType'],
  messageId: string,
  authorId: string,
  authorName: string,
  body: string,
  sourceBody: string | null,
  dispatchClass: NewReceipt['dispatchClass'],
  context: NewReceipt['context'],
  sourceCreatedAt: number,
  receivedAt: number,
  terminal: NewReceipt['terminal'],
  checkEcho: boolean,
];

/** Inverse of `packReceipt`. */
export function unpackReceipt(packed: readonly unknown[]): NewReceipt {
  const [
    dedupeKey,
    evidence,
    kind,
    lane,
    channelId,
    channelType,
    messageId,
    authorId,
    authorName,
    body,
    sourceBody,
    dispatchClass,
    context,
    sourceCreatedAt,
    receivedAt,
    terminal,
    checkEcho,
  ] = packed as PackedReceipt;
  return {
    dedupeKey: Buffer.from(dedupeKey, 'latin1'),
    evidence: Buffer.from(evidence, 'latin1'),
    kind,
    lane,
    channelId,
    channelType,
    messageId,
    authorId,
    authorName,
    body,
    sourceBody,
    dispatchClass,
    context,
    sourceCreatedAt,
    receivedAt,
    terminal,
    checkEcho,
  };
}

type PackedAdmitResult = [ingestSeq: number, duplicate: boolean, state: AdmitResult['state'], outcome: string | null];

/** The answer to an admission as a list, for the same reason. */
export function packAdmitResult({ ingestSeq, duplicate, state, outcome }: AdmitResult): readonly unknown[] {
  return [ingestSeq, duplicate, state, outcome] satisfies PackedAdmitResult;
}

/** Inverse of `packAdmitResult`. */
export function unpackAdmitResult(packed: unknown): AdmitResult {
  const [ingestSeq, duplicate, state, outcome] = packed as PackedAdmitResult;
  return { ingestSeq, duplicate, state, outcome };
}
