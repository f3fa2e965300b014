// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Versions of Hermes Agent that are supported, newest last (HST-12). */
export const HERMES_VERSIONS = ['0.18.2', '0.19.0'] as const;
export type HermesVersion = (typeof HERMES_VERSIONS)[number];

/** The folders of one run, and the environment of what runs in them: built from nothing, so that no setting of the machine acts. */
export class Workshop {
  /** Folder of the run; its name is the mark by which its processes are known. */
  readonly folder: string;
  /** TMPDIR of the tests: empty again after them. */
  readonly temporary: string;
  /** HOME of the tests. */
  readonly home: string;
  /** Reports of the test programs. */
  readonly reports: string;

  /** @param root the repository */
  constructor(readonly root: string) {
    this.folder = mkdtempSync(join(tmpdir(), 'angelia-test-'));
    this.temporary = join(this.folder, 't');
    this.home = join(this.folder, 'home');
    this.reports = join(this.folder, 'reports');
    for (const folder of [this.temporary, this.home, this.reports]) mkdirSync(folder, { mode: 0o700 });
  }

  /** Folder of the Python environment with that Hermes Agent. */
  hermesEnvironment(version: HermesVersion): string {
    return this.cache(`hermes-${version}`);
  }

  /** A path below the clone's cache folder. */
  cache(...names: string[]): string {
    return join(this.root, '.cache', ...names);
  }

  /** A path below node_modules. */
  module(...names: string[]): string {
    return join(this.root, 'node_modules', ...names);
  }

  /** Environment of a test program. @param extra what it needs beside */
  environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      PATH: [this.module('.bin'), '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(delimiter),
      HOME: this.home,
      TMPDIR: this.temporary,
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
      PYTHONDONTWRITEBYTECODE: '1',
      BORGEE_SDK_VENV: this.cache('borgee-sdk'),
      ...extra,
    };
  }

  /** Environment of a test program that works with Hermes. */
  hermesTestEnvironment(version: HermesVersion): Record<string, string> {
    return this.environment({ HERMES_VERSION: version, HERMES_VENV: this.hermesEnvironment(version) });
  }

  /** Removes the folders. */
  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
