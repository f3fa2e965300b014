// SPDX-License-Identifier: Apache-2.0
import { readFile, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { ServerResponse } from 'node:http';
import { ChatError, sendBytes } from './http.js';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Serves the built chat page: `/` is index.html, `/assets/*` are its files; nothing outside the folder. */
export class StaticFiles {
  /** @param root folder of the built page; undefined: none */
  constructor(private readonly root: string | undefined) {}

  /** True for the addresses that belong to the page. */
  owns(path: string): boolean {
    return path === '/' || path.startsWith('/assets/');
  }

  /** Sends a file. @throws ChatError `not_found` */
  async send(path: string, response: ServerResponse): Promise<void> {
    const type = path === '/' ? TYPES['.html'] : TYPES[extname(path)];
    if (this.root === undefined || type === undefined) throw new ChatError('not_found');
    const file = path === '/' ? 'index.html' : path.slice('/assets/'.length);
    sendBytes(response, type, await this.read(path === '/' ? this.root : join(this.root, 'assets'), file));
  }

  /** Reads a file below a folder, whatever its name makes of itself. */
  private async read(root: string, name: string): Promise<Buffer> {
    try {
      const folder = await realpath(root);
      const file = await realpath(join(folder, decodeURIComponent(name)));
      if (!file.startsWith(folder + sep)) throw new ChatError('not_found');
      return await readFile(file);
    } catch {
      // Missing, unreadable, a folder, a broken escape or outside the root: for the browser it is simply not there.
      throw new ChatError('not_found');
    }
  }
}
