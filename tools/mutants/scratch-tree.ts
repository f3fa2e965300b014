// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { HERMES_VERSIONS, Workshop } from '../test/workshop.js';
import { runProcess } from '../test/run-process.js';

const BUILD_TIMEOUT_MS = 2 * 60_000;
/** What `bin/setup` has made and the tests only read. */
const SHARED = ['node_modules', '.cache/borgee-sdk', ...HERMES_VERSIONS.map((version) => `.cache/hermes-${version}`)];

/** A copy of the repository's tracked files, in which patches are tried; the repository itself is never touched. */
export class ScratchTree {
  /** Folders and environment of the tests that run in the copy. */
  readonly workshop: Workshop;
  private readonly folder: string;
  private readonly root: string;

  /** @param repository the repository, as it lies there: changes that are not committed are copied, too */
  constructor(repository: string) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'angelia-mutants-')));
    this.root = join(this.folder, 'tree');
    const listed = execFileSync('git', ['-C', repository, 'ls-files', '-z'], { encoding: 'utf8' });
    for (const path of listed.split('\0').filter((one) => one !== '' && existsSync(join(repository, one)))) {
      cpSync(join(repository, path), join(this.root, path), { verbatimSymlinks: true });
    }
    for (const path of SHARED.filter((one) => existsSync(join(repository, one)))) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      symlinkSync(realpathSync(join(repository, path)), join(this.root, path));
    }
    this.workshop = new Workshop(this.root);
  }

  /** Applies a patch. @returns false when it does not fit; then nothing is changed */
  apply(patch: string): boolean {
    return this.git(patch, []);
  }

  /** Takes an applied patch back. @throws Error when that fails */
  revert(patch: string): void {
    if (!this.git(patch, ['--reverse'])) throw new Error('a patch could not be taken back');
  }

  /** Compiles the service as `npm run build:service` does. @returns null, or what the compiler says */
  async build(): Promise<string | null> {
    const { scripts } = JSON.parse(readFileSync(join(this.root, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const end = await runProcess({
      argv: ['bash', '-c', scripts['build:service'] ?? 'false'],
      env: this.workshop.environment(),
      cwd: this.root,
      timeoutMs: BUILD_TIMEOUT_MS,
      live: false,
    });
    return end.code === 0 ? null : end.output;
  }

  /** Removes compiled code: a test that needs some must not run what was built for another patch. */
  removeBuild(): void {
    rmSync(join(this.root, 'dist'), { recursive: true, force: true });
  }

  /** Removes the copy. */
  close(): void {
    this.workshop.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private git(patch: string, flags: readonly string[]): boolean {
    try {
      execFileSync('git', ['apply', ...flags, '-'], {
        cwd: this.root,
        input: patch,
        stdio: ['pipe', 'ignore', 'ignore'],
        // A repository around the temporary folder would lend its paths to the patch.
        env: { ...this.workshop.environment(), GIT_CEILING_DIRECTORIES: this.folder },
      });
      return true;
    } catch {
      return false;
    }
  }
}
