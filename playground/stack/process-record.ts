// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from 'node:fs';

/** One process of the stack. Times are Unix milliseconds. */
export interface ProcessEntry {
  readonly pid: number;
  readonly role: string;
  readonly start: number;
  readonly end: number | null;
  /** Exit code; null while it runs or when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
}

/** Keeps which processes the stack started and when they ended; evidence for an auditor (`processes.jsonl`). */
export class ProcessRecord {
  private readonly entries: ProcessEntry[] = [];

  /** @param file where to keep it as JSON lines, rewritten at each change; null: in memory only */
  constructor(private readonly file: string | null = null) {}

  /** All processes in the order of their start. */
  list(): readonly ProcessEntry[] {
    return [...this.entries];
  }

  /** Those that have not ended. */
  running(): readonly ProcessEntry[] {
    return this.entries.filter((entry) => entry.end === null);
  }

  /** Notes a start. @returns a function that notes the end */
  started(pid: number, role: string): (code: number | null, signal: string | null) => void {
    const index = this.entries.length;
    const entry: ProcessEntry = { pid, role, start: Date.now(), end: null, code: null, signal: null };
    this.entries.push(entry);
    this.write();
    return (code, signal) => {
      this.entries[index] = { ...entry, end: Date.now(), code, signal };
      this.write();
    };
  }

  private write(): void {
    if (this.file === null) return;
    writeFileSync(this.file, this.entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 });
  }
}
