// SPDX-License-Identifier: Apache-2.0

/** One event of a `text/event-stream`. */
export interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/**
 * Reads a `text/event-stream` piece by piece (WHATWG HTML, section 9.2.6). Pieces may end anywhere, inside a line too.
 * The browser's own EventSource is not used: it gives up for good on an answer like 503 and then forgets where it was.
 */
export class EventStreamReader {
  #rest = '';
  #id = '';
  #type = '';
  #data: string[] = [];

  /**
   * @param piece the next characters of the stream
   * @returns the events that this piece completes
   */
  push(piece: string): StreamedEvent[] {
    const text = this.#rest + piece;
    const heldBack = text.endsWith('\r') ? 1 : 0;
    const lines = text.slice(0, text.length - heldBack).split(/\r\n|\n|\r/u);
    this.#rest = (lines.pop() ?? '') + text.slice(text.length - heldBack);
    return lines.map((line) => this.#line(line)).filter((event) => event !== undefined);
  }

  /** Takes one line; returns the event that a blank line ends. */
  #line(line: string): StreamedEvent | undefined {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /u, '');
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#type = value;
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    return undefined;
  }

  /** Ends an event; one without data is none. */
  #dispatch(): StreamedEvent | undefined {
    const event = { id: this.#id, type: this.#type === '' ? 'message' : this.#type, data: this.#data.join('\n') };
    const empty = this.#data.length === 0;
    this.#type = '';
    this.#data = [];
    return empty ? undefined : event;
  }
}
