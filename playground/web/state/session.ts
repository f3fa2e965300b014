// SPDX-License-Identifier: Apache-2.0
import { ChatApi, ChatApiError } from '../api/chat-api.js';
import { LiveFeed } from '../api/live-feed.js';
import { decodeLiveEvent } from '../api/decode.js';
import { type ChatMessage, type ChatPage } from '../api/wire.js';
import { type ChatState, INITIAL_STATE, openChannel, timelineOf, withEntry } from './chat-state.js';
import { Memory } from './memory.js';
import { Outbox, type Outgoing } from './outbox.js';
import { channelOf, hashOf } from './route.js';
import { find, prepend } from './timeline.js';
import { withAuthor, withLive, withOpenChannel, withRun, withSnapshot, withTimeline } from './transitions.js';

/** Pages that one catching up reads at most; what lies before is read again when somebody scrolls there. */
const MAX_PAGES = 50;

/** The page's dealings with the server: it holds the state, and every change of it goes through here. */
export class ChatSession {
  readonly #api = new ChatApi();
  readonly #memory = new Memory();
  readonly #outbox = new Outbox(
    ({ channelId, authorId, text }) => this.#api.post(channelId, authorId, text),
    (unsent, error) => this.#putBack(unsent, error),
  );
  readonly #feed = new LiveFeed({
    opened: () => void this.#catchUp(),
    events: (events) => {
      const decoded = events.map(decodeLiveEvent).filter((event) => event !== undefined);
      this.#set(decoded.reduce(withLive, this.#state));
    },
    lost: (retryAt) => {
      this.#round += 1;
      this.#set({ ...this.#state, connection: { kind: 'lost', retryAt } });
    },
  });
  readonly #changed: (state: ChatState) => void;
  #state: ChatState = INITIAL_STATE;
  /** Counts connections; what an older one still answers is no longer the truth. */
  #round = 0;
  readonly #loadingOlder = new Map<string, Promise<void>>();

  /** @param changed gets every new state */
  constructor(changed: (state: ChatState) => void) {
    this.#changed = changed;
  }

  /** Reads what was kept, follows the address and connects. */
  start(): void {
    this.#set({
      ...this.#state,
      authorId: this.#memory.author,
      channelId: channelOf(location.hash),
      drafts: this.#memory.drafts(),
    });
    addEventListener('hashchange', () => this.#follow(channelOf(location.hash)));
    this.#feed.start();
  }

  /** Dials at once instead of at the planned time. */
  retryNow(): void {
    this.#feed.retryNow();
  }

  /** Lets somebody else speak. */
  chooseAuthor(authorId: string): void {
    this.#memory.author = authorId;
    const before = this.#state.channelId;
    this.#set(withAuthor(this.#state, authorId));
    if (this.#state.channelId !== before) this.#settleRoute();
  }

  /** Keeps what stands in the message box of a channel. */
  setDraft(channelId: string, text: string): void {
    this.#memory.keepDraft(channelId, text);
    this.#set({ ...this.#state, drafts: withEntry(this.#state.drafts, channelId, text === '' ? undefined : text) });
  }

  /** Says something in the open channel. If the server does not take it, the text is back in the message box. */
  send(text: string): void {
    const { channelId, authorId } = this.#state;
    if (channelId === null || authorId === null) return;
    this.setDraft(channelId, '');
    this.#set({ ...this.#state, notice: null });
    void this.#outbox.send({ channelId, authorId, text });
  }

  /** Replaces the text of an own message; resolves to whether the server took it. */
  edit(message: ChatMessage, body: string): Promise<boolean> {
    return this.#ask(() => this.#api.edit(message, body));
  }

  /** Deletes an own message; resolves to whether the server took it. */
  remove(message: ChatMessage): Promise<boolean> {
    return this.#ask(() => this.#api.remove(message));
  }

  /** Takes the notice away. */
  dismissNotice(): void {
    this.#set({ ...this.#state, notice: null });
  }

  /** Reads the page before what is known of a channel. One at a time; without effect if there is none. */
  loadOlder(channelId: string): Promise<void> {
    const running = this.#loadingOlder.get(channelId);
    if (running !== undefined) return running;
    const reading = this.#readOlder(channelId).finally(() => this.#loadingOlder.delete(channelId));
    this.#loadingOlder.set(channelId, reading);
    return reading;
  }

  /** Reads older pages until a message is known; resolves to whether it is. */
  async loadUntil(channelId: string, messageId: string): Promise<boolean> {
    for (;;) {
      const before = timelineOf(this.#state, channelId);
      if (find(before, messageId) !== undefined) return true;
      if (!before.more) return false;
      await this.loadOlder(channelId);
      if (timelineOf(this.#state, channelId).messages.length === before.messages.length) return false;
    }
  }

  #set(state: ChatState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#changed(state);
  }

  /** The address names another channel. */
  #follow(channelId: string | null): void {
    if (channelId === this.#state.channelId) return;
    this.#set(withOpenChannel(this.#state, channelId));
    this.#settleRoute();
    if (this.#state.connection.kind === 'live') void this.#loadOpen();
  }

  /** Lets the address name the open channel; one that does not exist gives way to the first. */
  #settleRoute(): void {
    const { agent, authors, channels } = this.#state;
    if (agent !== null && openChannel(this.#state) === undefined) {
      this.#set(withSnapshot(this.#state, { agent, authors, channels }));
    }
    const { channelId } = this.#state;
    if (channelId === null || channelOf(location.hash) === channelId) return;
    history.replaceState(null, '', hashOf(channelId));
    if (this.#state.connection.kind === 'live') void this.#loadOpen();
  }

  /** After each dial: reads the truth of the server, while live events are applied already. */
  async #catchUp(): Promise<void> {
    const round = ++this.#round;
    this.#set({ ...this.#state, connection: { kind: 'catching-up' } });
    try {
      const snapshot = await this.#api.snapshot();
      if (round !== this.#round) return;
      this.#set(withSnapshot(this.#state, snapshot));
      this.#settleRoute();
      const { channelId, channels, timelines } = this.#state;
      const wanted = channels.filter((channel) => channel.id === channelId || timelines.has(channel.id));
      for (const channel of wanted) await this.#readNewest(channel.id, round);
    } catch (error) {
      if (!(error instanceof ChatApiError)) throw error;
      if (round === this.#round) this.#feed.drop();
      return;
    }
    if (round !== this.#round) return;
    this.#feed.settle();
    this.#set({ ...this.#state, connection: { kind: 'live' } });
    await this.#loadOpen();
  }

  /** Reads the open channel, if that has not been done. */
  async #loadOpen(): Promise<void> {
    const { channelId } = this.#state;
    if (channelId === null || timelineOf(this.#state, channelId).loaded) return;
    await this.#read(() => this.#readNewest(channelId, this.#round));
  }

  /** Reads a channel from its newest message back over all that is known of it. */
  async #readNewest(channelId: string, round: number): Promise<void> {
    const known = timelineOf(this.#state, channelId);
    this.#set(withTimeline(this.#state, channelId, known));
    const seen = new Set(known.messages.map((message) => message.id));
    const oldest = known.loaded ? known.messages[0]?.id : undefined;
    let run: ChatPage = await this.#api.page(channelId);
    for (let pages = 1; pages < MAX_PAGES && run.more && oldest !== undefined && !covers(run, oldest); pages += 1) {
      const older = await this.#api.page(channelId, run.messages[0]?.id);
      run = { messages: [...older.messages, ...run.messages], more: older.more };
    }
    if (round === this.#round) this.#set(withRun(this.#state, channelId, run, seen));
  }

  async #readOlder(channelId: string): Promise<void> {
    const timeline = timelineOf(this.#state, channelId);
    const oldest = timeline.messages[0];
    if (!timeline.loaded || !timeline.more || oldest === undefined) return;
    await this.#read(async () => {
      const page = await this.#api.page(channelId, oldest.id);
      const now = timelineOf(this.#state, channelId);
      if (now.messages[0]?.id === oldest.id) this.#set(withTimeline(this.#state, channelId, prepend(now, page)));
    });
  }

  /** Does what a person asked for; a failure becomes the notice. */
  async #ask(work: () => Promise<void>): Promise<boolean> {
    this.dismissNotice();
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof ChatApiError)) throw error;
      this.#set({ ...this.#state, notice: error.message });
      return false;
    }
  }

  /** Reads something that nobody waits for. Without a connection the page says so already, and catching up reads it. */
  async #read(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ChatApiError)) throw error;
      if (error.code !== 'unreachable') this.#set({ ...this.#state, notice: error.message });
    }
  }

  /** Puts unsent texts back where they were typed, before what was typed since. */
  #putBack(unsent: readonly Outgoing[], error: unknown): void {
    if (!(error instanceof ChatApiError)) throw error;
    for (const channelId of new Set(unsent.map((outgoing) => outgoing.channelId))) {
      const texts = unsent.filter((outgoing) => outgoing.channelId === channelId).map((outgoing) => outgoing.text);
      const draft = this.#state.drafts.get(channelId);
      this.setDraft(channelId, [...texts, ...(draft === undefined ? [] : [draft])].join('\n'));
    }
    this.#set({ ...this.#state, notice: `Not sent. ${error.message} Your text is kept.` });
  }
}

/** Whether a run reaches back to a message. */
function covers(run: ChatPage, messageId: string): boolean {
  return run.messages.some((message) => message.id === messageId);
}
