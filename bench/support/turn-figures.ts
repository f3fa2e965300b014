// SPDX-License-Identifier: Apache-2.0
import type { Telemetry } from '../../src/common/telemetry.js';
import type { SutOptions } from './options.js';
import { factLine, type ReportPort } from './report-port.js';

/** Counts what the bridge commits, tells the harness, and knows when the run is over. */
export class TurnFigures {
  private acked = 0;
  private terminal = 0;
  private lateLines = '';
  private readonly writing = new Map<number, number>();
  private readonly sends: number[] = [];
  private finish!: () => void;
  private readonly done = new Promise<void>((resolve) => {
    this.finish = resolve;
  });

  constructor(
    private readonly options: SutOptions,
    private readonly report: ReportPort,
  ) {}

  listen(telemetry: Telemetry): void {
    telemetry.on('receipt.committed', ({ messageId }) => {
      this.report.tell(factLine('A', messageId));
      this.acked += 1;
      if (this.options.mode === 'admit' && this.acked === this.options.count) this.finish();
    });
    telemetry.on('receipt.terminal', ({ messageId }) => {
      if (this.options.mode === 'idle') this.report.tell(factLine('D', messageId));
      else this.lateLines += factLine('D', messageId);
      this.terminal += 1;
      this.finishTurns();
    });
    telemetry.on('outbox.writing', ({ outboxId }) => this.writing.set(outboxId, performance.now()));
    telemetry.on('outbox.settled', ({ outboxId }) => {
      const started = this.writing.get(outboxId);
      this.writing.delete(outboxId);
      if (started !== undefined) this.sends.push(performance.now() - started);
      this.finishTurns();
    });
  }

  /** A run of turns is over when every receipt is terminal and every answer has its result. */
  private finishTurns(): void {
    const { mode, count, answer } = this.options;
    if (mode === 'admit' || mode === 'fault') return;
    if (this.terminal >= count && (answer === '' || this.sends.length >= count)) this.finish();
  }

  /** @returns whether the limit ended the run */
  async finished(limitSeconds: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(true), limitSeconds * 1000);
    });
    const timedOut = await Promise.race([this.done.then(() => false), limit]);
    clearTimeout(timer);
    return timedOut;
  }

  /** Lines that the harness takes at the end. */
  late(): string {
    return this.lateLines;
  }

  summary(): Readonly<Record<string, number>> {
    const ordered = [...this.sends].sort((a, b) => a - b);
    const at = (q: number): number => ordered[Math.max(0, Math.ceil(q * ordered.length) - 1)] ?? 0;
    const sends = ordered.length === 0 ? {} : { answer_send_p50_ms: at(0.5), answer_send_p99_ms: at(0.99) };
    return { acked: this.acked, terminal: this.terminal, ...sends };
  }
}
