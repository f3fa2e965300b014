// SPDX-License-Identifier: Apache-2.0

/** @returns the decoded line of a JSON log; null when it is no JSON object */
export function logLine(text: string): Readonly<Record<string, unknown>> | null {
  if (!text.startsWith('{')) return null;
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return null;
  }
}
