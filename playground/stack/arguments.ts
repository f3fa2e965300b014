// SPDX-License-Identifier: Apache-2.0
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** Versions of Hermes that are supported (HST-12); the first is the default. */
export const HERMES_VERSIONS = ['0.19.0', '0.18.2'] as const;
export type HermesVersion = (typeof HERMES_VERSIONS)[number];

/** What `bin/up` was asked for. */
export interface UpArguments {
  readonly hermes: HermesVersion;
  /** Keeps its state here between runs; null: a throwaway folder. */
  readonly home: string | null;
  /** Without a person: messages, answers, verdict. */
  readonly check: boolean;
  /** Takes the records of a check. */
  readonly evidence: string | null;
  /** Unix seconds at which the command began, as bash wrote them. */
  readonly startedAt: number;
}

/** The command line is wrong; the text says how. */
export class UsageError extends Error {
  /** @param sentence what is wrong */
  constructor(sentence: string) {
    super(sentence);
    this.name = 'UsageError';
  }
}

/**
 * Reads the command line of `bin/up`.
 * @param argv the arguments after the script's name
 * @param now Unix seconds, used when no start was given
 * @throws UsageError for everything that is not understood
 */
export function readArguments(argv: readonly string[], now: number = Date.now() / 1000): UpArguments {
  const values = parse(argv);
  const hermes = HERMES_VERSIONS.find((version) => version === (values.hermes ?? HERMES_VERSIONS[0]));
  if (hermes === undefined) throw new UsageError(`--hermes takes ${HERMES_VERSIONS.join(' or ')}.`);
  const check = values.check ?? false;
  if (values.evidence !== undefined && !check) throw new UsageError('--evidence belongs to --check.');
  const startedAt = values['started-at'] === undefined ? now : Number(values['started-at'].replace(',', '.'));
  if (!Number.isFinite(startedAt)) throw new UsageError('--started-at takes Unix seconds.');
  return { hermes, home: path(values.home), check, evidence: path(values.evidence), startedAt };
}

interface Values {
  readonly hermes?: string | undefined;
  readonly home?: string | undefined;
  readonly check?: boolean | undefined;
  readonly evidence?: string | undefined;
  readonly 'started-at'?: string | undefined;
}

function parse(argv: readonly string[]): Values {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        hermes: { type: 'string' },
        home: { type: 'string' },
        check: { type: 'boolean' },
        evidence: { type: 'string' },
        'started-at': { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function path(value: string | undefined): string | null {
  if (value === undefined) return null;
  if (value === '') throw new UsageError('A folder name is empty.');
  return resolve(value);
}
