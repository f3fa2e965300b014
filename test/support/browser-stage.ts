// SPDX-License-Identifier: Apache-2.0
import { jest } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { BorgeePlayground, harbour, type World } from '../../playground/borgee/index.js';
import { ScriptedAgent } from './browser-agent.js';
import { ChatPage, type PageOptions } from './browser-page.js';
import { openBrowser } from './browser.js';
import { type BuiltWeb, buildWeb } from './browser-web.js';

// A browser test waits for signals; this only bounds one that waits in vain, on a busy machine too.
jest.setTimeout(30_000);

/** The agent's name in the tests of the page. */
export const AGENT = { id: 'agent-hermes', name: 'Hermes' } as const;

/** The default world with our agent, empty. */
export function emptyWorld(): World {
  return harbour(AGENT);
}

/**
 * Everything that a browser test needs: the built page, a browser, and for each test a playground with a scripted agent
 * and pages. `endTest` closes what a test opened and fails if a page had a problem or the agent broke a rule.
 */
export class Stage {
  private web: BuiltWeb | undefined;
  private browser: Browser | undefined;
  private readonly pages: ChatPage[] = [];
  private readonly agents: ScriptedAgent[] = [];
  private readonly playgrounds: BorgeePlayground[] = [];

  /** Builds the page and starts the browser. */
  async open(): Promise<void> {
    this.web = await buildWeb();
    this.browser = await openBrowser();
  }

  /** Starts a playground that serves the page. @param port 0: any */
  async playground(world: World = emptyWorld(), port = 0): Promise<BorgeePlayground> {
    if (this.web === undefined) throw new Error('The stage is not open.');
    const playground = await BorgeePlayground.start({ world, port, webRoot: this.web.root });
    this.playgrounds.push(playground);
    return playground;
  }

  /** Connects a scripted agent. */
  async agent(playground: BorgeePlayground): Promise<ScriptedAgent> {
    const agent = await ScriptedAgent.connect(playground);
    this.agents.push(agent);
    return agent;
  }

  /** Opens the chat page. */
  async page(playground: BorgeePlayground, options?: PageOptions): Promise<ChatPage> {
    if (this.browser === undefined) throw new Error('The stage is not open.');
    const page = await ChatPage.open(this.browser, playground.origin, options);
    this.pages.push(page);
    return page;
  }

  /** Closes what the test opened. @throws Error if a page had a problem, or a strict check was broken */
  async endTest(): Promise<void> {
    const pages = this.pages.splice(0);
    await Promise.all(pages.map((page) => page.close()));
    await Promise.all(this.agents.splice(0).map((agent) => agent.close()));
    const playgrounds = this.playgrounds.splice(0);
    await Promise.all(playgrounds.map((playground) => playground.close()));
    for (const page of pages) page.assertClean();
    for (const playground of playgrounds) playground.assertClean();
  }

  /** Ends the browser and removes the built page. */
  async close(): Promise<void> {
    await this.browser?.close();
    await this.web?.remove();
  }
}
