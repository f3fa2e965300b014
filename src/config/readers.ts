// SPDX-License-Identifier: Apache-2.0
import { isAbsolute, normalize } from 'node:path';
import { UnreadableValue } from './setting.js';
import { isLoopbackAddress } from './origin.js';

/** Words that switch something on when it is written as text; every other text switches it off, as the official plugin reads it. */
const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'on']);

/** An address to listen on. */
export interface ListenAddress {
  readonly host: string;
  /** 0: the system chooses. */
  readonly port: number;
}

/** Text without blanks around it. */
export function readText(raw: unknown): string {
  if (typeof raw !== 'string') throw new UnreadableValue();
  return raw.trim();
}

/** A boolean, or a text that stands for one. */
export function readBoolean(raw: unknown): boolean {
  if (typeof raw === 'boolean') return raw;
  if (typeof raw !== 'string' && typeof raw !== 'number') throw new UnreadableValue();
  return TRUE_WORDS.has(String(raw).trim().toLowerCase());
}

/** A finite number, or its decimal text; NaN is refused (bpp 6.2 R). */
export function readNumber(raw: unknown): number {
  const value = typeof raw === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(raw) ? Number(raw) : raw;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new UnreadableValue();
  return value;
}

/** A whole number: fractions of a number are cut, a text must be a whole number (bpp 6.2). */
export function readInteger(raw: unknown): number {
  if (typeof raw === 'string' && !/^\s*[+-]?\d+\s*$/.test(raw)) throw new UnreadableValue();
  return Math.trunc(readNumber(raw));
}

/** An absolute path. */
export function readAbsolutePath(raw: unknown): string {
  if (typeof raw !== 'string' || !isAbsolute(raw) || raw.includes('\0')) throw new UnreadableValue();
  const path = normalize(raw);
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** `host:port` with a literal loopback address: `localhost` is not one, since it may mean ::1 on one side only. */
export function readListenAddress(raw: unknown): ListenAddress {
  const match = typeof raw === 'string' ? /^(?:\[([0-9a-f:]+)\]|([0-9.]+)):(\d{1,5})$/i.exec(raw.trim()) : null;
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || !isLoopbackAddress(host) || port > 65_535) throw new UnreadableValue();
  return { host, port };
}
