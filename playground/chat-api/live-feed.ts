// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beginEvents } from './http.js';

/** Names of the events. `resync`: too much was missed, the page has to load its state and messages again. */
export type LiveEventName = 'agent' | 'deleted' | 'edited' | 'message' | 'resync';

interface LiveEvent {
  readonly number: number;
  readonly text: string;
}

/** Events that are kept for pages that come back. */
const KEPT_EVENTS = 5_000;

/** Bytes that may wait for a page that does not read; beyond it its stream ends and it comes back by itself. */
const SLOW_PAGE_BYTES = 4 * 1024 * 1024;

/** Pause between comments that keep the stream alive, ms. */
const KEEP_ALIVE_MS = 15_000;

/**
 * Server-Sent Events for the chat page. Ids are `<run>-<number>`: a page that comes back with `Last-Event-ID` gets what it missed, or
 * `resync` when that is no longer known (too long ago, or another run of the playground).
 */
export class LiveFeed {
  private readonly run = randomBytes(4).toString('hex');
  private readonly pages = new Set<ServerResponse>();
  private events: LiveEvent[] = [];
  private number = 0;
  private readonly keepAlive = setInterval(() => this.writeAll(': \n\n'), KEEP_ALIVE_MS);

  /** Tells every page. */
  tell(name: LiveEventName, data: unknown): void {
    const event: LiveEvent = { number: ++this.number, text: this.format(name, this.number, data) };
    this.events.push(event);
    if (this.events.length > KEPT_EVENTS * 2) this.events = this.events.slice(-KEPT_EVENTS);
    this.writeAll(event.text);
  }

  /** Takes a page. */
  open(request: IncomingMessage, response: ServerResponse): void {
    beginEvents(response);
    response.write(`retry: 500\n\n${this.missedBy(request.headers['last-event-id'])}`);
    this.pages.add(response);
    response.on('close', () => this.pages.delete(response));
  }

  /** Ends every stream. */
  close(): void {
    clearInterval(this.keepAlive);
    for (const page of this.pages) page.end();
    this.pages.clear();
  }

  private missedBy(lastId: string | string[] | undefined): string {
    if (typeof lastId !== 'string' || lastId === '') return '';
    const [run, count] = lastId.split('-');
    const last = Number(count);
    const oldest = this.events[0]?.number ?? this.number + 1;
    const known = run === this.run && Number.isSafeInteger(last) && last >= oldest - 1 && last <= this.number;
    if (!known) return this.format('resync', this.number, {});
    return this.events
      .filter((event) => event.number > last)
      .map((event) => event.text)
      .join('');
  }

  private format(name: LiveEventName, number: number, data: unknown): string {
    return `id: ${this.run}-${number}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  }

  private writeAll(text: string): void {
    for (const page of this.pages) {
      if (page.writableLength > SLOW_PAGE_BYTES) page.destroy();
      else page.write(text);
    }
  }
}
