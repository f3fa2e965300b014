// SPDX-License-Identifier: Apache-2.0
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

/** How a page is opened. */
export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  readonly reducedMotion?: 'reduce' | 'no-preference';
  /** A screen that is touched: nothing hovers. */
  readonly touch?: boolean;
  /** Channel in the address. */
  readonly channelId?: string;
  /** Fixed time of the page, milliseconds since 1970; default: the real one. */
  readonly now?: number;
  /** Pixels of the screen for one of the page. */
  readonly scale?: number;
}

/** Milliseconds after which a wait for something on the page fails. */
const PATIENCE_MS = 10_000;

/** What Chromium itself writes when a server is away. */
const SERVER_AWAY = /net::ERR_(?:CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)/u;

/** The chat page in a browser of its own person, with everything that went wrong in it. */
export class ChatPage {
  /** Errors and warnings of the console, uncaught errors, refused resources, requests that would leave. */
  readonly problems: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly origin: string,
  ) {
    page.on('pageerror', (error) => this.problems.push(`uncaught: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.problems.push(message.text());
    });
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== this.origin) this.problems.push(`request to ${request.url()}`);
    });
  }

  /** Opens the page and waits until it is connected. */
  static async open(browser: Browser, origin: string, options: PageOptions = {}): Promise<ChatPage> {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 1200, height: options.height ?? 800 },
      colorScheme: options.scheme ?? 'light',
      reducedMotion: options.reducedMotion ?? 'no-preference',
      hasTouch: options.touch ?? false,
      isMobile: options.touch ?? false,
      deviceScaleFactor: options.scale ?? 1,
      locale: 'en-GB',
      timezoneId: 'UTC',
      serviceWorkers: 'block',
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    if (options.now !== undefined) await page.clock.setFixedTime(options.now);
    const chat = new ChatPage(context, page, origin);
    await page.goto(`${origin}/${options.channelId === undefined ? '' : `#/${options.channelId}`}`);
    await chat.connected();
    return chat;
  }

  /** Waits until the page shows what the server has. */
  async connected(): Promise<void> {
    await this.page.locator('.connection[data-state="live"]').waitFor({ state: 'attached' });
    await this.page.locator('.timeline[aria-busy="false"]').waitFor();
  }

  /** The scrolling list. */
  get list(): Locator {
    return this.page.locator('.timeline-scroll');
  }

  /** The message box. */
  get box(): Locator {
    return this.page.locator('#message-box');
  }

  /** The messages that are drawn, in order. */
  get messages(): Locator {
    return this.page.locator('[data-message]');
  }

  /** One message by its id. */
  message(id: string): Locator {
    return this.page.locator(`[data-message="${id}"]`);
  }

  /** Messages that show a text. */
  showing(text: string | RegExp): Locator {
    return this.messages.filter({ hasText: text });
  }

  /** Lets a person speak. */
  async speakAs(name: string): Promise<void> {
    await this.page.locator('.authors label', { hasText: name }).click();
  }

  /** Types a message and sends it with the Enter key. */
  async say(text: string): Promise<void> {
    await this.box.fill(text);
    await this.box.press('Enter');
  }

  /** Opens a channel from the sidebar. */
  async openChannel(name: string): Promise<void> {
    await this.page.locator('.channels a', { hasText: name }).click();
    await this.page.locator('.channels a[aria-current]', { hasText: name }).waitFor();
    await this.page.locator('.timeline[aria-busy="false"]').waitFor();
  }

  /** Where a message stands in the window, pixels from its upper edge. */
  async topOf(id: string): Promise<number> {
    return this.message(id).evaluate((row) => row.getBoundingClientRect().top);
  }

  /** Pixels from the end of the list. */
  async fromEnd(): Promise<number> {
    return this.list.evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop);
  }

  /** Forgets what Chromium wrote because the server was away, as a test wanted it. */
  forgiveAbsence(): void {
    const others = this.problems.filter((problem) => !SERVER_AWAY.test(problem));
    this.problems.splice(0, Infinity, ...others);
  }

  /** @throws Error with everything that went wrong on the page */
  assertClean(): void {
    if (this.problems.length > 0) throw new Error(`The page has problems:\n${this.problems.join('\n')}`);
  }

  /** Closes the page. */
  async close(): Promise<void> {
    await this.context.close();
  }
}
