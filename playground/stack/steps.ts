// SPDX-License-Identifier: Apache-2.0
import { tone, type Terminal } from './terminal.js';

/** A step that failed, with its name. */
export class StepFailed extends Error {
  /**
   * @param step which one
   * @param cause why
   */
  constructor(
    readonly step: string,
    cause: unknown,
  ) {
    super(`${step}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'StepFailed';
  }
}

/** Shows the progress of steps that run one after another, each with its time. */
export class Steps {
  /** @param terminal where to show it */
  constructor(private readonly terminal: Terminal) {}

  /**
   * Runs one step.
   * @param name shown before and behind it
   * @param act does it and may return what to show beside the name
   * @throws StepFailed when it throws
   */
  async run(name: string, act: () => Promise<string | undefined>): Promise<void> {
    const begin = performance.now();
    const took = (): string => tone(this.terminal, 'quiet', `${((performance.now() - begin) / 1000).toFixed(1)} s`);
    try {
      const detail = await act();
      const mark = tone(this.terminal, 'good', '✓');
      this.terminal.line(`  ${mark} ${name.padEnd(12)} ${took()}${detail === undefined ? '' : `  ${detail}`}`);
    } catch (error) {
      this.terminal.line(`  ${tone(this.terminal, 'bad', '✗')} ${name.padEnd(12)} ${took()}`);
      throw new StepFailed(name, error);
    }
  }
}
