// SPDX-License-Identifier: Apache-2.0
import type { AngeliaError } from '../../../common/errors.js';
import type { Telemetry } from '../../../common/telemetry.js';

/**
 * Refused attaches. A refused shim asks again several times a second: the same refusal is reported once, until another one comes or an
 * attach succeeds.
 */
export class LinkRefusals {
  /** The newest one that a person has to act on. */
  newest: AngeliaError | null = null;
  private reported: string | null = null;

  constructor(private readonly telemetry: Telemetry) {}

  /**
   * @param error what was refused; its `key` names the setting
   * @param actionable health shows it until an attach succeeds
   */
  note(error: AngeliaError, actionable: boolean): void {
    if (actionable) this.newest = error;
    const detail = error.details['key'] ?? error.details['field'];
    const key = detail === undefined || detail === null ? null : String(detail);
    const report = `${error.code} ${key ?? ''}`;
    if (report === this.reported) return;
    this.reported = report;
    this.telemetry.emit('link.refused', { code: error.code, key });
  }

  /** An attach succeeded. */
  clear(): void {
    this.newest = null;
    this.reported = null;
  }
}
