// SPDX-License-Identifier: Apache-2.0

/** Id of the task that people see while a receipt is worked on (bpp 4.5). */
export function taskIdOf(ingestSeq: number, claim: string): string {
  return `borgee-${String(ingestSeq)}-${claim.slice(0, 12)}`;
}
