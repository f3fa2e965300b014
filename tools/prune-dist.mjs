// SPDX-License-Identifier: Apache-2.0
// Removes compiled files whose source is gone, so that nothing runs that the sources do not say. The chat page has its own build,
// which empties its folder by itself.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const OWN_BUILD = join('playground', 'web');

for (const entry of readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })) {
  const compiled = join(entry.parentPath, entry.name);
  const relative = compiled.slice(join(root, 'dist').length + 1);
  if (!entry.isFile() || relative.startsWith(OWN_BUILD)) continue;
  const source = join(root, relative.replace(/\.js(\.map)?$/, '.ts'));
  if (!existsSync(source) || source.endsWith('.spec.ts')) rmSync(compiled);
}
