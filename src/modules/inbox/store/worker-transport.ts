// SPDX-License-Identifier: Apache-2.0
import { Worker } from 'node:worker_threads';
import { AngeliaError, ErrorCode } from '../../../common/errors.js';
import type { OpenedLedger } from './opened-types.js';
import type { LedgerTransport } from './ledger-transport.js';
import type { LedgerOptions } from './options.js';
import type { WireBatch, WireError, WireOutcome } from './wire.js';

/** What the store's thread is given at its birth. */
export interface WorkerStart {
  readonly options: LedgerOptions;
  /** Unix ms */
  readonly now: number;
}

/** Messages to the store's thread: a batch, or null to close and end. */
export type WorkerRequest = WireBatch | null;

/** First answer of the store's thread; every later one is the list of a batch's outcomes. */
export type WorkerGreeting = { readonly opened: OpenedLedger } | { readonly refused: WireError };

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: AngeliaError) => void;
}

/** The store's thread: one message each way for a batch. */
export class WorkerTransport implements LedgerTransport {
  private worker: Worker | null = null;
  private exited: Promise<void> = Promise.resolve();
  private waiting: Waiting | null = null;
  private lost: AngeliaError | null = null;
  private ending = false;

  /**
   * @param url compiled code of the thread
   * @param onLost the thread died by itself: nothing can be stored any more, and whether its last batch was committed is unknown
   */
  constructor(
    private readonly url: URL,
    private readonly options: LedgerOptions,
    private readonly onLost: (error: AngeliaError) => void,
  ) {}

  async open(now: number): Promise<OpenedLedger> {
    const answer = this.nextAnswer();
    this.start({ options: this.options, now });
    const greeting = (await answer) as WorkerGreeting;
    if ('opened' in greeting) return greeting.opened;
    this.ending = true;
    await this.exited;
    const { code, details, cause } = greeting.refused;
    throw new AngeliaError(code, details, cause);
  }

  run(batch: WireBatch): Promise<readonly WireOutcome[]> {
    if (this.lost !== null) return Promise.reject(this.lost);
    const answer = this.nextAnswer();
    this.post(batch);
    return answer as Promise<readonly WireOutcome[]>;
  }

  async close(): Promise<void> {
    this.ending = true;
    this.post(null);
    await this.exited;
  }

  private post(request: WorkerRequest): void {
    this.worker?.postMessage(request);
  }

  private start(workerData: WorkerStart): void {
    const worker = new Worker(this.url, { workerData, name: 'ledger' });
    this.worker = worker;
    worker.on('message', (answer: unknown) => {
      const waiting = this.waiting;
      this.waiting = null;
      waiting?.resolve(answer);
    });
    worker.on('error', (error) => this.lose(error));
    this.exited = new Promise((resolve) => {
      worker.once('exit', () => {
        if (!this.ending) this.lose(undefined);
        resolve();
      });
    });
  }

  private nextAnswer(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
  }

  private lose(cause: unknown): void {
    if (this.lost !== null) return;
    this.lost = new AngeliaError(ErrorCode.LedgerWriteFailed, { reason: 'thread_ended' }, cause);
    this.waiting?.reject(this.lost);
    this.waiting = null;
    this.onLost(this.lost);
  }
}
