// SPDX-License-Identifier: Apache-2.0
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type Workshop } from './workshop.js';

/**
 * A command in a network namespace with loopback only, which proves that no call leaves the machine (TST-2).
 * @returns the command with what has to stand before it
 */
export function inLoopbackNamespace(workshop: Workshop, command: readonly string[]): [string, ...string[]] {
  const flags = userInfo().uid === 0 ? '-n' : '-rn';
  const python = workshop.cache('python-lint/bin/python');
  return ['unshare', flags, python, join(workshop.root, 'tools/loopback-only.py'), ...command];
}
