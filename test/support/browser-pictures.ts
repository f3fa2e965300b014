// SPDX-License-Identifier: Apache-2.0
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ChatPage } from './browser-page.js';

const IMAGES = resolve(import.meta.dirname, '../../docs/images');

/** Pictures are made in every run; only a run with `PICTURES=1` puts them into docs/images. */
const KEPT = process.env['PICTURES'] === '1';

/** Makes a picture of what a page shows. @returns the PNG */
export async function takePicture(chat: ChatPage, name: string): Promise<Buffer> {
  const picture = await chat.page.screenshot({ animations: 'disabled', caret: 'hide' });
  if (KEPT) {
    await mkdir(IMAGES, { recursive: true });
    await writeFile(join(IMAGES, `${name}.png`), picture);
  }
  return picture;
}
