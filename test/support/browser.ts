// SPDX-License-Identifier: Apache-2.0
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Names under which Debian and others install it. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** A browser of the system, as root in a container too, that calls nobody by itself. */
const FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--font-render-hinting=none',
  '--metrics-recording-only',
  '--no-first-run',
  '--no-pings',
  '--force-color-profile=srgb',
  // Every name but this machine's own is unknown, so nothing can leave even by mistake.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/**
 * The Chromium of the system.
 * @throws Error with what to install; a test run without a browser fails, it never skips
 */
export function findChromium(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
  if (found === undefined)
    throw new Error('Chromium is missing: apt-get install chromium fonts-noto-core fonts-noto-color-emoji');
  return found;
}

/** Starts the browser; whoever starts it closes it. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: FLAGS, ignoreDefaultArgs: ['--hide-scrollbars'] });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
