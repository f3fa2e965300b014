// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AngeliaError, codeOf, ErrorCode } from '../../../common/errors.js';
import type { Telemetry } from '../../../common/telemetry.js';
import type { HermesEventHandler } from '../hermes-host.js';
import { answerJson, callerHasGone, readJson, unavailable, wrongSetting } from './http-exchange.js';
import type { LinkLimits } from './link-options.js';
import type { LinkRefusals } from './link-refusals.js';
import type { LinkSessions } from './link-sessions.js';
import type { NonceTable } from './nonce-table.js';
import { prove, sameText } from './proof.js';
import { type AttachReport, LINK_PROTOCOL } from './protocol.js';
import { readAttach, readChallenge, readProtocol, readReport } from './schemas.js';
import type { SerialQueue } from './serial-queue.js';

/** A challenge is two short fields; nobody has proved anything yet. */
const CHALLENGE_MAX_BYTES = 4_096;

/** Refusals of the handler that say nothing about a setting: the shim asks again. */
const TRY_AGAIN: ReadonlySet<ErrorCode> = new Set([
  ErrorCode.Internal,
  ErrorCode.LedgerClosed,
  ErrorCode.LedgerCorrupt,
  ErrorCode.LedgerMode,
  ErrorCode.LedgerNotDurable,
  ErrorCode.LedgerWriteFailed,
  ErrorCode.LinkDetached,
]);

/** What the desk works with. */
export interface AttachDeskParts {
  readonly secret: string;
  readonly limits: LinkLimits;
  readonly nonces: NonceTable;
  readonly sessions: LinkSessions;
  readonly refusals: LinkRefusals;
  /** Attaches and events run one after another: an attach reads the watermark after the last commit. */
  readonly queue: SerialQueue;
  readonly telemetry: Telemetry;
  readonly handler: () => HermesEventHandler;
}

/** Lets a shim in: both sides prove the secret, then the report is judged (docs/link.md, sections 2 and 3). */
export class AttachDesk {
  constructor(private readonly parts: AttachDeskParts) {}

  /** `POST /link/v1/challenge` */
  async challenge(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { secret, nonces, refusals, sessions, handler } = this.parts;
    const body = await readJson(request, CHALLENGE_MAX_BYTES);
    const offered = readProtocol(body);
    if (offered !== LINK_PROTOCOL) {
      const error = new AngeliaError(ErrorCode.LinkProtocolUnsupported, {
        key: 'protocol',
        expected: LINK_PROTOCOL,
        offered,
      });
      refusals.note(error, !sessions.isTaken);
      throw error;
    }
    const { shim_nonce } = readChallenge(body);
    const bridge_nonce = nonces.issue(shim_nonce);
    const { epoch } = handler();
    const proof = prove(secret, 'bridge', shim_nonce, bridge_nonce, epoch);
    answerJson(response, 200, { protocol: LINK_PROTOCOL, bridge_nonce, epoch, proof });
  }

  /** `POST /link/v1/attach` */
  async attach(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { bridge_nonce, proof, report } = readAttach(await readJson(request, this.parts.limits.link_max_body_bytes));
    const token = this.requireProof(bridge_nonce, proof);
    const checked = this.readReport(report);
    await this.parts.queue.run(() => this.admit(checked, token, response));
  }

  /** @returns proof of the new session */
  private requireProof(bridgeNonce: string, proof: string): string {
    const { secret, nonces, refusals, handler } = this.parts;
    const shimNonce = nonces.take(bridgeNonce);
    if (shimNonce === null || !sameText(proof, prove(secret, 'shim', bridgeNonce, shimNonce, handler().epoch))) {
      const error = new AngeliaError(ErrorCode.LinkProofInvalid);
      refusals.note(error, false);
      throw error;
    }
    return prove(secret, 'session', shimNonce, bridgeNonce);
  }

  /** A report that cannot be read comes from a shim that knows the secret: somebody has to install the matching one. */
  private readReport(report: unknown): AttachReport {
    try {
      return readReport(report);
    } catch (error) {
      if (error instanceof AngeliaError) this.parts.refusals.note(error, !this.parts.sessions.isTaken);
      throw error;
    }
  }

  private async admit(report: AttachReport, token: string, response: ServerResponse): Promise<void> {
    const { sessions, refusals, handler } = this.parts;
    if (callerHasGone(response)) return;
    try {
      sessions.makeRoomFor(report.instance);
    } catch (error) {
      if (error instanceof AngeliaError) refusals.note(error, false);
      throw error;
    }
    try {
      const verdict = await handler().attaching(report);
      if (!verdict.accepted) throw verdict.error;
      // A shim that gave up while it was judged opens no stream: it attaches again.
      if (callerHasGone(response)) return;
      sessions.begin(report, token);
      refusals.clear();
      answerJson(response, 200, { ack: verdict.ack, locks: verdict.locks });
    } catch (error) {
      this.refuse(response, error);
    }
  }

  private refuse(response: ServerResponse, error: unknown): void {
    const code = codeOf(error);
    if (code === ErrorCode.Internal)
      this.parts.telemetry.emit('error.unexpected', { where: 'link.attach', code, ids: {} });
    const named = error instanceof AngeliaError ? error : new AngeliaError(ErrorCode.Internal, {}, error);
    this.parts.refusals.note(named, true);
    const { status, body } = TRY_AGAIN.has(code) ? unavailable(error) : wrongSetting(named);
    answerJson(response, status, body);
  }
}
