// SPDX-License-Identifier: Apache-2.0
import { parseArgs } from 'node:util';

/** Modes of the harness that this entry serves. */
const MODES = ['admit', 'turns', 'idle', 'fault'] as const;
export type SutMode = (typeof MODES)[number];

/** What the harness asks for (bench/peer/README.md). */
export interface SutOptions {
  readonly port: number;
  readonly reportPort: number;
  readonly home: string;
  readonly mode: SutMode;
  /** Messages after which the run ends. */
  readonly count: number;
  readonly limitSeconds: number;
  readonly answer: string;
  readonly dispatches: number;
  /** Time of a turn, in ms; stands for the model. */
  readonly handlerMs: number;
}

const text = (fallback = ''): { type: 'string'; default: string } => ({ type: 'string', default: fallback });

/** Reads the command line. @throws Error for a mode that is not served */
export function readSutOptions(argv: readonly string[] = process.argv.slice(2)): SutOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: text(),
      'report-port': text(),
      home: text(),
      mode: text('turns'),
      count: text('2000'),
      limit: text('45'),
      answer: text('ok, done'),
      'handler-ms': text('0'),
      dispatches: text('4'),
      preload: text('0'),
    },
  });
  const mode = MODES.find((name) => name === values.mode);
  if (mode === undefined) throw new Error(`mode ${values.mode} is not served here; served: ${MODES.join(', ')}`);
  return {
    port: Number(values.port),
    reportPort: Number(values['report-port']),
    home: values.home,
    mode,
    count: Number(values.count),
    limitSeconds: Number(values.limit),
    answer: values.answer,
    dispatches: Number(values.dispatches),
    handlerMs: Number(values['handler-ms']),
  };
}
