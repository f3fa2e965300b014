// SPDX-License-Identifier: Apache-2.0
import { format, inspect } from 'node:util';
import { pino } from 'pino';
import { Secret } from './secret.js';

const CANARY = 'bgr_canary4711';

describe('[SEC-1] a secret', () => {
  const secret = new Secret(CANARY);

  it('is told only to the one who asks for it', () => {
    expect(secret.reveal()).toBe(CANARY);
  });

  it('is compared by its value', () => {
    expect(secret.equals(new Secret(CANARY))).toBe(true);
    expect(secret.equals(new Secret('bgr_other'))).toBe(false);
  });

  it.each([
    ['a text', (): string => `key ${String(secret)}`],
    ['JSON', (): string => JSON.stringify({ secret })],
    ['the inspector', (): string => inspect({ deep: { secret } }, { depth: 9, showHidden: true })],
    ['a format', (): string => format('%s %o %O %j', secret, secret, secret, secret)],
    ['its own keys', (): string => JSON.stringify(Object.entries(secret))],
    ['an error', (): string => String(new Error('refused', { cause: secret }).stack)],
  ])('does not show in %s', (_place, show) => {
    expect(show()).not.toContain(CANARY);
  });

  it('does not show in a line of the log', () => {
    const lines: string[] = [];
    pino({}, { write: (line) => void lines.push(line) }).info({ secret, nested: [secret] }, 'with a key');
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain(CANARY);
  });
});
