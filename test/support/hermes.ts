// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { filesBelow } from '../../playground/audit/index.js';
import { hermesEnvironment, type HermesInstallation } from '../../playground/stack/hermes-gateway.js';
import type { HermesHome } from '../../playground/stack/hermes-home.js';

/**
 * The Hermes that this run of the tests works with.
 * @throws Error when `HERMES_VENV` and `HERMES_VERSION` do not name one: without Hermes the tests fail, they never skip (TST-2)
 */
export function hermesUnderTest(): HermesInstallation {
  const { HERMES_VENV: venv, HERMES_VERSION: version } = process.env;
  if (venv === undefined || version === undefined) {
    throw new Error(
      'HERMES_VENV (a Python environment with hermes-agent) and HERMES_VERSION must be set; bin/test does.',
    );
  }
  return { venv, version };
}

/** Runs the `hermes` command on a profile. @returns its standard output. @throws Error when it fails */
export async function runHermes(
  installation: HermesInstallation,
  home: HermesHome,
  args: readonly string[],
): Promise<string> {
  const { stdout } = await promisify(execFile)(join(installation.venv, 'bin', 'hermes'), args, {
    env: hermesEnvironment(installation, home),
    cwd: home.options.root,
    timeout: 60_000,
  });
  return stdout;
}

/** Digest over everything that is installed in a Python environment, compiled code left out (HST-4). */
export function installationDigest({ venv }: HermesInstallation): string {
  const digest = createHash('sha256');
  for (const file of filesBelow(venv, (path) => path.endsWith('/__pycache__')).sort()) {
    digest.update(`${relative(venv, file)}\0`).update(readFileSync(file));
  }
  return digest.digest('hex');
}
