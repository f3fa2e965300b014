// SPDX-License-Identifier: Apache-2.0
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BorgeePlayground } from '../borgee/index.js';

/** What has to be the same in the next run on a kept folder: a ledger belongs to one origin and one agent. */
export interface KeptPlayground {
  readonly port: number;
  readonly apiKey: string;
}

const FILE = 'playground.json';

/** @returns what an earlier run on this folder kept; null for a new one */
export function readKept(root: string): KeptPlayground | null {
  let text: string;
  try {
    text = readFileSync(join(root, FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return JSON.parse(text) as KeptPlayground;
}

/** Keeps the playground's port and key for the next run. */
export function keep(root: string, playground: Pick<BorgeePlayground, 'origin' | 'apiKey'>): void {
  const kept: KeptPlayground = { port: Number(new URL(playground.origin).port), apiKey: playground.apiKey };
  writeFileSync(join(root, FILE), `${JSON.stringify(kept)}\n`, { mode: 0o600 });
}
