// SPDX-License-Identifier: Apache-2.0
import { type HermesVersion, HERMES_VERSIONS } from './workshop.js';

/** Parts of `bin/test`, in the order in which they run. */
export const PARTS = ['lint', 'rules', 'unit', 'conformance', 'shim', 'e2e', 'faults', 'browser'] as const;
export type Part = (typeof PARTS)[number];

/** Parts of a quick run. */
export const QUICK_PARTS: readonly Part[] = ['lint', 'rules', 'unit', 'conformance', 'shim', 'e2e'];

/** The one e2e file of a quick run. */
export const QUICK_E2E_FILE = 'test/e2e/conversation.spec.ts';

/** Newest version: what is run once runs with it. */
export const NEWEST_HERMES: HermesVersion = '0.19.0';

const MINUTE_MS = 60_000;

/** One call of Jest. */
export interface JestRun {
  /** Projects of jest.config.mjs, each a part of its own name. */
  readonly projects: readonly Part[];
  /** Hermes that the tests work with, and the network namespace with loopback only; null: neither. */
  readonly hermes: HermesVersion | null;
  /** Measures what the tests touch (QLT-1). */
  readonly coverage: boolean;
  /** Files at a time; undefined: as many as there are processors. Tests with real processes take turns. */
  readonly workers: number | undefined;
  /** Only files whose path matches. */
  readonly files: readonly string[];
  readonly timeoutMs: number;
}

/**
 * Plans the calls of Jest.
 * @param parts what is asked for
 * @param quick one e2e file on the newest Hermes instead of all on both
 */
export function planJestRuns(parts: ReadonlySet<Part>, quick: boolean): JestRun[] {
  const plain = { hermes: null, workers: undefined, files: [], timeoutMs: 10 * MINUTE_MS };
  const runs: JestRun[] = [];
  if (parts.has('rules')) runs.push({ ...plain, projects: ['rules'], coverage: false });
  const measured = (['unit', 'conformance'] as const).filter((part) => parts.has(part));
  if (measured.length > 0) runs.push({ ...plain, projects: measured, coverage: measured.length === 2 });
  const real = { coverage: false, workers: 1, timeoutMs: 30 * MINUTE_MS };
  const versions = quick ? [NEWEST_HERMES] : HERMES_VERSIONS;
  const files = quick ? [QUICK_E2E_FILE] : [];
  for (const part of ['e2e', 'faults'] as const) {
    if (parts.has(part))
      runs.push(
        ...versions.map((hermes) => ({ ...real, projects: [part], hermes, files: part === 'e2e' ? files : [] })),
      );
  }
  if (parts.has('browser')) runs.push({ ...real, projects: ['browser'], hermes: NEWEST_HERMES, files: [] });
  return runs;
}

/** Reads part names. @throws Error naming the word that is none */
export function parseParts(words: readonly string[], quick: boolean): Set<Part> {
  const unknown = words.find((word) => !PARTS.some((part) => part === word));
  if (unknown !== undefined) throw new Error(`there is no part ${unknown}; parts: ${PARTS.join(', ')}`);
  if (words.length === 0) return new Set(quick ? QUICK_PARTS : PARTS);
  return new Set(PARTS.filter((part) => words.includes(part)));
}
