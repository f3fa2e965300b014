// SPDX-License-Identifier: Apache-2.0
// Exit code 0 when node_modules holds what package-lock.json says, 1 when `npm ci` is due. Runs on the machine's own Node, before
// anything is installed.
import { readFileSync } from 'node:fs';

/** @param {string} name a lock file of npm, relative to the repository */
function packagesOf(name) {
  return JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')).packages;
}

/** Whether every package that the lock file demands is installed in that version. */
function isUpToDate() {
  const demanded = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules/.package-lock.json');
  return Object.entries(demanded).every(([path, { version, optional }]) => {
    if (path === '' || (optional && installed[path] === undefined)) return true;
    return installed[path]?.version === version;
  });
}

try {
  process.exitCode = isUpToDate() ? 0 : 1;
} catch {
  process.exitCode = 1;
}
