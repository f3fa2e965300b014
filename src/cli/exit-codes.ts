// SPDX-License-Identifier: Apache-2.0
import { ErrorCode } from '../common/errors.js';

/** Exit codes of the commands; those above 63 are the ones of sysexits. */
export const EXIT = {
  done: 0,
  /** The bridge said no; for `status`: at least one reason is red. */
  refused: 1,
  usage: 64,
  unavailable: 69,
  noPermission: 77,
  configuration: 78,
} as const;

const BY_CODE: ReadonlyMap<ErrorCode, number> = new Map([
  [ErrorCode.BridgeUnreachable, EXIT.unavailable],
  [ErrorCode.AdminTokenRefused, EXIT.noPermission],
  [ErrorCode.ScopeMissing, EXIT.noPermission],
  [ErrorCode.SecretFileMode, EXIT.noPermission],
  [ErrorCode.ConfigInvalid, EXIT.configuration],
  [ErrorCode.ConfirmationMissing, EXIT.usage],
  [ErrorCode.RequestInvalid, EXIT.usage],
]);

/** @returns the exit code for an error */
export function exitCodeOf(code: ErrorCode): number {
  return BY_CODE.get(code) ?? EXIT.refused;
}
