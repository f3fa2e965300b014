// SPDX-License-Identifier: Apache-2.0
import { ERROR_SENTENCES, type ErrorCode, type ErrorDetails } from '../../../common/errors.js';

/** One thing that an operator should know. Red: messages wait or get lost sight of. Yellow: worth a look. */
export interface HealthReason {
  /** Stable name, for alerts. */
  readonly name: string;
  readonly severity: 'red' | 'yellow';
  readonly code: ErrorCode | null;
  readonly sentence: string;
  readonly details: ErrorDetails;
}

/** A red reason that an error code explains. */
export function redOf(name: string, code: ErrorCode, details: ErrorDetails = {}): HealthReason {
  return { name, severity: 'red', code, sentence: ERROR_SENTENCES[code], details };
}

/** A reason with a sentence of its own. */
export function reason(
  name: string,
  severity: HealthReason['severity'],
  sentence: string,
  details: ErrorDetails = {},
): HealthReason {
  return { name, severity, code: null, sentence, details };
}
