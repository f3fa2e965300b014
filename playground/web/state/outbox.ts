// SPDX-License-Identifier: Apache-2.0

/** A text on its way to the server. */
export interface Outgoing {
  readonly channelId: string;
  readonly authorId: string;
  readonly text: string;
}

/** Sends texts one after the other, so that they arrive in the order in which they were typed. */
export class Outbox {
  readonly #post: (outgoing: Outgoing) => Promise<void>;
  readonly #failed: (unsent: readonly Outgoing[], error: unknown) => void;
  readonly #waiting: Outgoing[] = [];
  #sending = false;

  /**
   * @param post sends one text; rejects if the server did not take it
   * @param failed gets what is unsent when one text fails: it and all behind it, so that none overtakes another
   */
  constructor(
    post: (outgoing: Outgoing) => Promise<void>,
    failed: (unsent: readonly Outgoing[], error: unknown) => void,
  ) {
    this.#post = post;
    this.#failed = failed;
  }

  /** Takes a text; it is sent when those before it are. Resolves when nothing is waiting any more. */
  async send(outgoing: Outgoing): Promise<void> {
    this.#waiting.push(outgoing);
    if (this.#sending) return;
    this.#sending = true;
    try {
      for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
        await this.#post(next);
        this.#waiting.shift();
      }
    } catch (error) {
      this.#failed(this.#waiting.splice(0), error);
    } finally {
      this.#sending = false;
    }
  }
}
