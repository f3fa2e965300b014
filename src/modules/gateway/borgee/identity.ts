// SPDX-License-Identifier: Apache-2.0
import { AngeliaError, codeOf, ErrorCode } from '../../../common/errors.js';
import { SendError } from '../chat-server.js';
import type { ActionChannel } from './action-channel.js';
import type { ConnectionEnd } from './connection-end.js';
import { checkUserResult } from './wire/index.js';

/**
 * Asks the server who the key belongs to (bpp 1.4, BPP-1).
 * @param configuredId agent id of the settings, empty when it is to be learned
 * @returns the agent's id
 * @throws AngeliaError `identity_invalid` that names the rule: a malformed user, no agent, another agent
 * @throws SendError when there was no answer or a refusal
 */
export async function askIdentity(actions: ActionChannel, configuredId: string): Promise<string> {
  const checked = checkUserResult(await actions.perform('', 'get_me', {}));
  if (!checked.ok) throw refused({ rule: 'malformed_user', field: checked.problem.field });
  const { id, role } = checked.value;
  if (role !== 'agent') throw refused({ rule: 'not_an_agent' });
  if (configuredId !== '' && id !== configuredId) throw refused({ rule: 'another_agent' });
  return id;
}

/** How the connection ends when its identity could not be confirmed and bound. */
export function endOfGreeting(error: unknown): ConnectionEnd {
  if (error instanceof SendError) {
    return error.code === ErrorCode.ProtocolError
      ? { cause: 'identity_refused', code: ErrorCode.IdentityInvalid }
      : { cause: 'identity_unknown' };
  }
  const code = codeOf(error);
  return code === ErrorCode.LedgerWriteFailed || code === ErrorCode.LedgerClosed
    ? { cause: 'ledger' }
    : { cause: 'identity_refused', code };
}

function refused(details: { readonly rule: string; readonly field?: string }): AngeliaError {
  return new AngeliaError(ErrorCode.IdentityInvalid, { ...details });
}
