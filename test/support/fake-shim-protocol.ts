// SPDX-License-Identifier: Apache-2.0
import { createHmac } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { AdmissionSnapshot, LinkCommand } from '../../src/modules/hermes/index.js';

/** Longest line of the command stream (docs/link.md, section 4). */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** A command as it came over the wire. */
export type ReceivedCommand = LinkCommand & { readonly id: string; readonly epoch: number };

/** What the shim says to a command; the link's own fields are added. */
export interface CommandAnswer {
  readonly ok: boolean;
  readonly code?: string;
  readonly existed?: boolean;
  readonly known?: boolean;
  readonly admissions?: readonly AdmissionSnapshot[];
}

/** The bridge said no, or broke the protocol; `reason` is its code or ours. */
export class ShimRefused extends Error {
  constructor(
    readonly reason: string,
    readonly status: number | null = null,
    readonly body: Readonly<Record<string, unknown>> = {},
  ) {
    super(`${reason} ${status ?? ''}`);
  }
}

/** The proof of docs/link.md, written down a second time. */
export function hmac(secret: string, ...parts: readonly (string | number)[]): string {
  return createHmac('sha256', Buffer.from(secret, 'ascii')).update(parts.join('\n'), 'utf8').digest('hex');
}

/** Reads a link file as strictly as docs/link.md describes it. @throws ShimRefused */
export function readLinkFile(path: string): { host: string; port: number; secret: string; pid: number } {
  if ((statSync(path).mode & 0o137) !== 0) throw new ShimRefused('link_file_mode');
  const file = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  const { protocol, host, port, secret, pid } = file;
  const isRight =
    protocol === 1 &&
    host === '127.0.0.1' &&
    Number.isInteger(port) &&
    typeof secret === 'string' &&
    /^[0-9a-f]{64}$/.test(secret) &&
    Number.isInteger(pid);
  if (!isRight) throw new ShimRefused('link_file_malformed');
  return { host, port: port as number, secret, pid: pid as number };
}

/** What a healthy Hermes says to a command. */
export function usualAnswer(command: ReceivedCommand): CommandAnswer {
  switch (command.op) {
    case 'start':
      return { ok: true };
    case 'suspend':
    case 'reset':
      return { ok: true, existed: true };
    case 'admissions':
      return { ok: true, admissions: [] };
    case 'interrupt':
      return { ok: true, known: true };
  }
}

/** Types of the fields of each command (docs/link.md, section 4). */
const FIELDS: Readonly<Record<LinkCommand['op'], Readonly<Record<string, string>>>> = {
  start: {
    admission: 'string',
    chat: 'object',
    author: 'object',
    message_id: 'string',
    text: 'string',
    prompt: 'string',
    sent_at: 'number',
    command: 'boolean',
    bypass: 'boolean',
    clean: 'boolean',
  },
  suspend: { session_key: 'string', busy: 'boolean' },
  reset: { session_key: 'string' },
  admissions: {},
  interrupt: { admission: 'string' },
};

/** Looks at every field of a command. @returns the names of those that are wrong */
export function violationsOf(command: ReceivedCommand): string[] {
  const { op } = command;
  const fields = FIELDS[op] as (typeof FIELDS)['start'] | undefined;
  if (fields === undefined) return [`unknown command ${op}`];
  const values = command as unknown as Record<string, unknown>;
  const wrong = Object.entries(fields).filter(([name, type]) => typeof values[name] !== type);
  const surplus = Object.keys(values).filter((name) => !['id', 'epoch', 'op', ...Object.keys(fields)].includes(name));
  const found = [...wrong.map(([name]) => `${op}.${name}`), ...surplus.map((name) => `${op}.${name} unknown`)];
  if (!Number.isInteger(command.epoch)) found.push(`${op}.epoch`);
  if (!command.id.startsWith(`${op}:`)) found.push(`${op}.id`);
  if ('admission' in command && command.id !== `${op}:${command.admission}`) found.push(`${op}.id`);
  return found;
}
