// SPDX-License-Identifier: Apache-2.0
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Places inside the repository that the stack uses, from sources and from the build alike. */
export class Repository {
  /** @param root absolute path of the checkout */
  constructor(readonly root: string) {}

  /** The built bridge. */
  get bridgeEntry(): string {
    return join(this.root, 'dist', 'src', 'main.js');
  }

  /** The built chat page. */
  get webRoot(): string {
    return join(this.root, 'dist', 'playground', 'web');
  }

  /** The Python environment with a Hermes version, as `bin/setup` makes it. */
  hermesEnvironment(version: string): string {
    return join(this.root, '.cache', `hermes-${version}`);
  }

  /** The Hermes plugin as it stands in the repository. */
  get shim(): string {
    return join(this.root, 'shim', 'angelia');
  }

  /**
   * The checkout that a file belongs to.
   * @param from a path inside it
   * @throws Error when no folder above holds the project
   */
  static containing(from: string): Repository {
    for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
      if (existsSync(join(folder, 'package-lock.json'))) return new Repository(folder);
    }
    throw new Error('No checkout of the project above this file.');
  }
}

/** The checkout that this code runs from. */
export const repository = Repository.containing(import.meta.dirname);
