// SPDX-License-Identifier: Apache-2.0
import { API_ROOT } from './chat-api.js';
import { EventStreamReader, type StreamedEvent } from './event-stream.js';

/** Waits between two dials, in milliseconds: doubled from the first to the last. */
const FIRST_WAIT_MS = 250;
const LAST_WAIT_MS = 5_000;

/** What the feed tells: it opened, events came, it was lost and dials again at `retryAt` (milliseconds since 1970). */
export interface LiveFeedListener {
  opened(): void;
  events(events: readonly StreamedEvent[]): void;
  lost(retryAt: number): void;
}

/**
 * The live events of the chat server, for as long as the page lives. It dials again after every loss and resumes behind
 * the last event that it handed over (`Last-Event-ID`).
 */
export class LiveFeed {
  readonly #listener: LiveFeedListener;
  #lastEventId = '';
  #wait = FIRST_WAIT_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #connection = new AbortController();

  /** @param listener told of everything that happens, never before {@link start} */
  constructor(listener: LiveFeedListener) {
    this.#listener = listener;
  }

  /** Dials for the first time, and again at once when the browser says that the network is back. */
  start(): void {
    addEventListener('online', () => this.retryNow());
    void this.#run();
  }

  /** Ends the wait for the next dial; without effect while connected or dialling. */
  retryNow(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#run();
  }

  /** The connection proved to be of use: after the next loss the first wait is short again. */
  settle(): void {
    this.#wait = FIRST_WAIT_MS;
  }

  /** Ends a connection that turned out to be of no use; it counts as lost, and the next dial is planned. */
  drop(): void {
    this.#connection.abort();
  }

  /** One connection from dial to loss; then plans the next. */
  async #run(): Promise<void> {
    try {
      await this.#read();
    } catch {
      // Whatever ended the stream, the answer is the same: `lost` is told below and the next dial is planned.
    }
    const wait = this.#wait;
    this.#wait = Math.min(wait * 2, LAST_WAIT_MS);
    this.#timer = setTimeout(() => this.retryNow(), wait);
    this.#listener.lost(Date.now() + wait);
  }

  /** Reads one stream to its end. */
  async #read(): Promise<void> {
    const headers = {
      accept: 'text/event-stream',
      ...(this.#lastEventId === '' ? {} : { 'last-event-id': this.#lastEventId }),
    };
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    const response = await fetch(`${API_ROOT}/live`, { headers, cache: 'no-store', signal });
    if (!response.ok || response.body === null) return;
    this.#listener.opened();
    const events = new EventStreamReader();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const completed = events.push(piece.value);
      this.#lastEventId = completed.at(-1)?.id ?? this.#lastEventId;
      if (completed.length > 0) this.#listener.events(completed);
    }
  }
}
